import torch as t
from torch import nn


def sinusoidal_table(length, width):
    c = t.arange(width)
    w = 10000.0 ** -((c - c % 2).double() / width)  # one frequency per column, equal in a pair
    phase = (c % 2) * t.pi / 2  # cos x = sin(x + pi/2)
    return t.sin(t.arange(length).double()[:, None] * w + phase).float()


class PositionalEncoding(nn.Module):
    def __init__(self, a):
        super().__init__()
        self.register_buffer("P", sinusoidal_table(a.block_size, a.n_embd), persistent=False)

    def forward(self, x):
        assert x.shape[1] <= len(self.P), "too long"
        return x + self.P[: x.shape[1]]
