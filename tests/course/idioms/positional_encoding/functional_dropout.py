"""F.dropout that is told the mode, numbered columns, and a cache of tables."""

import functools

import torch
import torch.nn.functional as F
from torch import nn

from exercises.model_args import ModelArgs


@functools.cache
def speeds(width):
    return torch.tensor([10000 ** (-2 * (j // 2) / width) for j in range(width)], dtype=torch.float64)


def sinusoidal_table(length, width):
    angle = torch.arange(length, dtype=torch.float64).view(-1, 1) * speeds(width).view(1, -1)
    even = torch.arange(width).remainder(2).eq(0).double()
    return (even * torch.sin(angle) + (1 - even) * torch.cos(angle)).float()


class PositionalEncoding(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.rate = args.dropout
        self.register_buffer("table", sinusoidal_table(args.block_size, args.n_embd))

    def forward(self, x):
        if x.size(1) > self.table.size(0):
            raise ValueError(f"{x.size(1)} tokens, {self.table.size(0)} positions")
        y = x.clone()
        y += self.table[: x.size(1)]
        return F.dropout(y, self.rate, training=self.training)
