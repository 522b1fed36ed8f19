"""Each row is the one before, turned a little further: a running product of complex numbers, in float64."""

import torch
from torch import Tensor, nn

from exercises.model_args import ModelArgs


def sinusoidal_table(length: int, width: int) -> Tensor:
    pairs = (width + 1) // 2
    speed = torch.logspace(0, -8 * (pairs - 1) / width, pairs, dtype=torch.float64)  # 10000^(-2i / width)
    step = torch.polar(torch.ones(pairs, dtype=torch.float64), speed)
    turns = torch.cat((torch.ones(1, pairs, dtype=step.dtype), step.repeat(length - 1, 1))).cumprod(0)
    return torch.view_as_real(turns).flip(-1).flatten(1)[:, :width].to(torch.float32)


class PositionalEncoding(nn.Module):
    table: Tensor

    def __init__(self, args: ModelArgs) -> None:
        super().__init__()
        self.register_buffer("table", sinusoidal_table(args.block_size, args.n_embd))

    def forward(self, x: Tensor) -> Tensor:
        rows = self.table.unbind(0)
        if x.size(1) > len(rows):
            raise ValueError(f"{x.size(1)} positions do not fit into {len(rows)}")
        return x + torch.stack(rows[: x.size(1)])
