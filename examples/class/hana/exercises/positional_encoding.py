import math

import torch
from torch import Tensor, nn

from .model_args import ModelArgs


def sinusoidal_table(length: int, width: int) -> Tensor:
    def cell(pos: int, j: int) -> float:
        angle = pos / 10000 ** ((j - j % 2) / width)
        return math.cos(angle) if j % 2 else math.sin(angle)

    return torch.tensor([[cell(pos, j) for j in range(width)] for pos in range(length)])


class PositionalEncoding(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.table: Tensor
        self.register_buffer("table", sinusoidal_table(args.block_size, args.n_embd))

    def forward(self, x: Tensor) -> Tensor:
        if x.size(1) > self.table.size(0):
            raise ValueError(f"sequence too long: {x.size(1)} > {self.table.size(0)}")
        return x + self.table.narrow(0, 0, x.size(1))
