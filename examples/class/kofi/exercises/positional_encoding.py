import torch
import torch.nn as nn


def sinusoidal_table(length, width):
    pos = torch.arange(length)[:, None]
    j = torch.arange(width)[None, :]
    angle = pos / 10000 ** (2 * (j // 2) / width)
    return torch.where(j % 2 == 0, angle.sin(), angle.cos())


class PositionalEncoding(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.register_buffer("pe", sinusoidal_table(args.block_size, args.n_embd))

    def forward(self, x):
        B, T, C = x.shape
        if T > self.pe.shape[0]:
            raise ValueError(f"T is {T}, but block_size is {self.pe.shape[0]}")
        return x + self.pe[:T]
