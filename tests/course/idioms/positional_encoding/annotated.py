"""As in the Annotated Transformer: div_term, an axis for the batch, dropout after the sum, and an assert."""

import math

import torch
from torch import nn

from exercises.model_args import ModelArgs


def sinusoidal_table(length, width):
    pe = torch.zeros(length, width)
    position = torch.arange(0, length).unsqueeze(1)
    div_term = torch.exp(torch.arange(0, width, 2) * -(math.log(10000.0) / width))
    pe[:, 0::2] = torch.sin(position * div_term)
    pe[:, 1::2] = torch.cos(position * div_term[: width // 2])
    return pe


class PositionalEncoding(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.dropout = nn.Dropout(p=args.dropout)
        self.register_buffer("pe", sinusoidal_table(args.block_size, args.n_embd).unsqueeze(0))

    def forward(self, x):
        assert x.size(1) <= self.pe.size(1), "the text is longer than block_size"
        x = x + self.pe[:, : x.size(1)].requires_grad_(False)
        return self.dropout(x)
