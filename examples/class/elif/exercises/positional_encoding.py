# Homework 4 - positions
# Elif, group B

import math

import torch
from torch import Tensor, nn

from exercises.model_args import ModelArgs


def sinusoidal_table(length: int, width: int) -> Tensor:
    table = torch.zeros(length, width)
    positions = torch.arange(length).unsqueeze(1).float()
    for column in range(width):
        pair = column // 2
        frequency = 1.0 / math.pow(10000.0, 2 * pair / width)
        if column % 2 == 0:
            table[:, column] = torch.sin(positions * frequency).squeeze(1)
        else:
            table[:, column] = torch.cos(positions * frequency).squeeze(1)
    return table


class PositionalEncoding(nn.Module):
    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        self.block_size = args.block_size
        table = sinusoidal_table(args.block_size, args.n_embd)
        self.register_buffer("table", table.unsqueeze(0))  # (1, block_size, n_embd)
        self.dropout = nn.Dropout(args.dropout)

    def forward(self, x: Tensor) -> Tensor:
        length = x.shape[1]
        if length > self.block_size:
            raise ValueError("The sequence has " + str(length) + " tokens, the table only " + str(self.block_size))
        x = x + self.table[:, 0:length, :]
        return self.dropout(x)
