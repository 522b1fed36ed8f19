"""The table is the frozen weight of an nn.Embedding, looked up by position."""

import math

import torch
from torch import nn

from exercises.model_args import ModelArgs


def sinusoidal_table(length: int, width: int):
    def cell(pos, j):
        angle = pos / math.pow(10000, (j - j % 2) / width)
        return math.cos(angle) if j % 2 else math.sin(angle)

    return torch.tensor([[cell(pos, j) for j in range(width)] for pos in range(length)])


class PositionalEncoding(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.positions = nn.Embedding.from_pretrained(sinusoidal_table(args.block_size, args.n_embd), freeze=True)

    def forward(self, x):
        if x.size(1) > self.positions.num_embeddings:
            raise ValueError(f"only {self.positions.num_embeddings} positions, got {x.size(1)}")
        return x + self.positions(torch.arange(x.size(1), device=x.device))
