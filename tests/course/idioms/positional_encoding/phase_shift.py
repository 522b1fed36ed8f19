"""One sine for all columns: a cosine is a sine a quarter turn ahead. The table is float64."""

import torch
from torch import nn


def sinusoidal_table(length, width):
    column = torch.arange(width)
    odd = column % 2
    speed = 10000.0 ** -((column - odd).double() / width)
    return torch.sin(torch.arange(length).double()[:, None] * speed + odd * torch.pi / 2)


class PositionalEncoding(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.register_buffer("P", sinusoidal_table(args.block_size, args.n_embd), persistent=False)

    def forward(self, x):
        assert x.shape[1] <= len(self.P), "too long"
        return x + self.P[: x.shape[1]].to(x.dtype)
