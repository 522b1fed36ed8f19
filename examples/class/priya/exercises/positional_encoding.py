import torch
from torch import nn


def sinusoidal_table(length, width):
    i = torch.arange(width) // 2  # 0 0 1 1 2 2 ...
    rate = torch.pow(10000, -2 * i / width)
    angles = torch.arange(length).unsqueeze(1) * rate
    even = (torch.arange(width) % 2 == 0).float()
    return even * torch.sin(angles) + (1 - even) * torch.cos(angles)


class PositionalEncoding(nn.Module):
    def __init__(self, args):
        super().__init__()
        self.register_buffer("position_code", sinusoidal_table(args.block_size, args.n_embd)[None])

    def forward(self, x):
        T = x.size(1)
        if T > self.position_code.size(1):
            raise ValueError("T > block_size")
        return x + self.position_code[:, :T]
