"""Complex exponentials: the imaginary part is the sine, the real part the cosine."""

import torch
from torch import Tensor, nn

from exercises.model_args import ModelArgs


def sinusoidal_table(length: int, width: int) -> Tensor:
    speed = 10000.0 ** (-torch.arange(0, width, 2).double() / width)
    turns = torch.exp(1j * torch.outer(torch.arange(length).double(), speed))
    return torch.stack((turns.imag, turns.real), dim=-1).reshape(length, -1)[:, :width].float()


class PositionalEncoding(nn.Module):
    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        self.register_buffer("table", sinusoidal_table(args.block_size, args.n_embd), persistent=False)

    def forward(self, x: Tensor) -> Tensor:
        if (length := x.shape[1]) > len(self.table):
            raise ValueError(f"{length=} > block_size={len(self.table)}")
        return torch.add(x, self.table.narrow(0, 0, length))
