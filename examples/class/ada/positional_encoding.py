import torch
from torch import nn


def sinusoidal_table(length, width):
    pairs = (width + 1) // 2
    freq = 10000.0 ** (-2 * torch.arange(pairs, dtype=torch.float64) / width)
    angle = torch.outer(torch.arange(length, dtype=torch.float64), freq)
    table = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)  # sin, cos, sin, cos, ...
    return table[:, :width].float()  # odd width: one cosine too many


class PositionalEncoding(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.register_buffer("pe", sinusoidal_table(args.block_size, args.n_embd))

    def forward(self, x):
        t = x.shape[-2]
        if t > self.pe.shape[0]:
            raise ValueError(f"{t} tokens do not fit into a block of {self.pe.shape[0]}")
        return x + self.pe[:t]
