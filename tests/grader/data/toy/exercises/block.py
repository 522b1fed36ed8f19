"""A residual block around one linear layer."""

from exercises.scale import scale
from torch import Tensor, nn


class Block(nn.Module):
    """x + scale(w x, 0.5). Parameter: w.weight (width, width)."""

    def __init__(self, width: int) -> None:
        super().__init__()
        raise NotImplementedError("Block.__init__: write the body (stuck? run `grade hint block`)")

    def forward(self, x: Tensor) -> Tensor:
        """x (B, width) -> (B, width)"""
        raise NotImplementedError("Block.forward: write the body (stuck? run `grade hint block`)")
