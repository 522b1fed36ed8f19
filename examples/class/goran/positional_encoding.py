import torch
import torch.nn as nn

from model_args import ModelArgs


def sinusoidal_table(length: int, width: int) -> torch.Tensor:
    pos = torch.arange(length, dtype=torch.float32).view(length, 1)  # [T, 1]
    two_i = torch.arange(0, width, 2, dtype=torch.float32).view(1, -1)  # [1, ceil(d/2)]
    angle = pos / torch.pow(torch.tensor(10000.0), two_i / width)  # [T, ceil(d/2)]
    out = torch.zeros(length, width)
    out[:, 0::2] = torch.sin(angle)
    out[:, 1::2] = torch.cos(angle[:, : width // 2])
    assert out.shape == (length, width)
    return out


class PositionalEncoding(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.register_buffer("table", sinusoidal_table(args.block_size, args.n_embd))  # [block, C]

    def forward(self, x):
        B, T, C = x.shape
        assert T <= self.table.size(0), f"T={T}, block_size={self.table.size(0)}"
        return x + self.table[:T].view(1, T, C)
