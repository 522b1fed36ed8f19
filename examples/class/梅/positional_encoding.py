"""第四题：位置编码"""

import math

import torch
import torch.nn as nn

from exercises.model_args import ModelArgs


def sinusoidal_table(length, width):
    pe = torch.zeros(length, width)
    position = torch.arange(0, length).unsqueeze(1)
    div_term = torch.exp(-math.log(10000.0) * torch.arange(0, width, 2) / width)
    pe[:, 0::2] = torch.sin(position * div_term)  # 偶数列：正弦
    pe[:, 1::2] = torch.cos(position * div_term)[:, : width // 2]  # 奇数列：余弦
    return pe


class PositionalEncoding(nn.Module):
    def __init__(self, args: ModelArgs):
        super().__init__()
        self.block_size = args.block_size
        self.register_buffer("pe", sinusoidal_table(args.block_size, args.n_embd).unsqueeze(0))

    def forward(self, x):
        if x.size(1) > self.block_size:
            raise ValueError(f"序列太长：{x.size(1)} > {self.block_size}")
        return x + self.pe[:, : x.size(1)]
