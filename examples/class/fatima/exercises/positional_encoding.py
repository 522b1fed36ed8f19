import math

import torch
import torch.nn as nn

from exercises.model_args import ModelArgs


def sinusoidal_table(length, width):
    position_code = torch.zeros(length, width)
    position_index = torch.arange(0, length).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, width, 2) * -(math.log(10000.0) / width))
    position_code[:, 0::2] = torch.sin(position_index * div_term)
    position_code[:, 1::2] = torch.cos(position_index * div_term)[:, : position_code[:, 1::2].shape[1]]
    return position_code


class PositionalEncoding(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.block_size = args.block_size
        self.register_buffer("position_code", sinusoidal_table(args.block_size, args.n_embd).unsqueeze(0))

    def forward(self, x: torch.Tensor):
        assert x.size(1) <= self.block_size, f"{x.size(1)} > {self.block_size}"
        return x + self.position_code[:, : x.size(1)]
