"""Two loops with the math module; the table is a parameter that does not want a gradient."""

import math

import torch
from torch import nn

from exercises.model_args import ModelArgs


def sinusoidal_table(length, width):
    table = torch.zeros(length, width)
    for pos in range(length):
        for i in range(0, width, 2):
            angle = pos / 10000 ** (i / width)
            table[pos, i] = math.sin(angle)
            if i + 1 < width:
                table[pos, i + 1] = math.cos(angle)
    return table


class PositionalEncoding(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.block_size = args.block_size
        self.table = nn.Parameter(sinusoidal_table(args.block_size, args.n_embd), requires_grad=False)

    def forward(self, x):
        length = x.shape[1]
        if length > self.block_size:
            raise ValueError("too many tokens: " + str(length) + ", maximum " + str(self.block_size))
        return x + self.table[0:length]
