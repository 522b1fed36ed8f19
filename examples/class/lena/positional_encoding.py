from __future__ import annotations

import torch
from torch import Tensor, nn

from model_args import ModelArgs


def sinusoidal_table(length: int, width: int) -> Tensor:
    """A clock hand per pair of columns: e^(i * angle) has the cosine as real and the sine as imaginary part."""
    speed = 10000.0 ** (-torch.arange(0, width, 2).double() / width)
    angle = torch.arange(length).double().unsqueeze(-1) * speed
    hands = torch.exp(1j * angle)
    return torch.stack((hands.imag, hands.real), dim=-1).reshape(length, -1)[:, :width].float()


class PositionalEncoding(nn.Module):
    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        self.register_buffer("table", sinusoidal_table(args.block_size, args.n_embd), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        if (length := x.shape[1]) > len(self.table):
            raise ValueError(f"{length=} > block_size={len(self.table)}")
        return x + self.table[:length]
