"""numpy works the table out in float64."""

import numpy as np
import torch
from torch import nn


def sinusoidal_table(length, width):
    position = np.arange(length)[:, np.newaxis]
    column = np.arange(width)[np.newaxis, :]
    table = position / np.power(10000, 2 * (column // 2) / width)
    table[:, 0::2] = np.sin(table[:, 0::2])
    table[:, 1::2] = np.cos(table[:, 1::2])
    return torch.from_numpy(table).float()


class PositionalEncoding(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.register_buffer("pos_table", sinusoidal_table(args.block_size, args.n_embd)[None])

    def forward(self, x):
        if x.size(1) > self.pos_table.size(1):
            raise ValueError("sequence too long")
        return x + self.pos_table[:, : x.size(1)].clone().detach()
