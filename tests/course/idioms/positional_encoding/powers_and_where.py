"""A frequency for each column from torch.pow, and torch.where between sine and cosine."""

import torch
from torch import nn


def sinusoidal_table(length, width):
    position = torch.arange(length)[:, None]
    column = torch.arange(width)[None, :]
    angle = position / torch.pow(10000, 2 * (column // 2) / width)
    return torch.where(column % 2 == 0, angle.sin(), angle.cos())


class PositionalEncoding(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.register_buffer("pe", sinusoidal_table(args.block_size, args.n_embd))

    def forward(self, x):
        batch, length, width = x.shape
        if length > self.pe.shape[0]:
            raise ValueError(f"T is {length}, but block_size is {self.pe.shape[0]}")
        return x + self.pe[:length].expand(batch, length, width)
