"""Sinusoidal positions: attention sees a set, so every token is told where it stands.

Letters: B batch, T length, d width.
"""

import math

import torch
from torch import Tensor, nn

from exercises.model_args import ModelArgs


def sinusoidal_table(length: int, width: int) -> Tensor:
    """One row per position 0, 1, …, one sine or cosine per column; each pair of columns has its own frequency.

        table[pos, 2i]     = sin(pos / 10000^(2i / width))
        table[pos, 2i + 1] = cos(pos / 10000^(2i / width))

    length   the number of positions, at least 1
    width    the number of columns d, at least 1, even or odd; an odd width ends with a sine
    returns  (length, width) floats

    Source: "Attention Is All You Need" (2017), section 3.5.
    """
    # BEGIN SOLUTION
    position = torch.arange(length, dtype=torch.float64)[:, None]  # (length, 1)
    even = torch.arange(0, width, 2, dtype=torch.float64)  # 0, 2, 4 …: the 2i of both formulas
    angle = position * torch.exp(-math.log(10000.0) * even / width)  # (length, ceil(width / 2))
    table = torch.empty(length, width)
    table[:, 0::2] = angle.sin()
    table[:, 1::2] = angle.cos()[:, : width // 2]  # an odd width has one cosine less
    return table
    # END SOLUTION


class PositionalEncoding(nn.Module):
    """Add the sinusoidal table to the tokens: x + table[:T], the same for every sequence of the batch.

    No trainable parameter. The table has a row for each of `args.block_size` positions and `args.n_embd` columns, and
    it moves with the module to another device or dtype. Dropout after the sum is welcome, not required; where you use
    it, it drops single values, in train mode only, at the rate args.dropout.
    """

    def __init__(self, args: ModelArgs) -> None:
        """Read block_size and n_embd from `args`."""
        super().__init__()
        # BEGIN SOLUTION
        self.register_buffer("table", sinusoidal_table(args.block_size, args.n_embd), persistent=False)
        # END SOLUTION

    def forward(self, x: Tensor) -> Tensor:
        """Tell every token its position.

        x        (B, T, n_embd); it stays as it is. The first token of each sequence has position 0.
        returns  the shape and dtype of x

        Raises ValueError (or AssertionError) if T exceeds args.block_size; T = block_size is fine.
        """
        # BEGIN SOLUTION
        if x.size(1) > len(self.table):
            raise ValueError(f"got {x.size(1)} positions, but block_size is {len(self.table)}")
        return x + self.table[: x.size(1)]  # (B, T, d) + (T, d)
        # END SOLUTION
