"""Loops over the numbers as scalar tensors, and a layer that goes through its tokens one at a time."""

import math

import torch
from torch import nn


def each(f, x):
    if x.dim() == 0:
        return f(x)
    return torch.stack([f(number) for number in x.reshape(-1)]).reshape(x.shape)


def relu(x):
    return each(lambda number: number if number > 0 else 0 * number, x)


def gelu(x):
    normal = torch.distributions.Normal(0.0, 1.0)
    return each(lambda number: number * normal.cdf(number), x)


def gelu_tanh(x):
    def bent(number):
        inner = math.sqrt(2) / math.sqrt(math.pi) * (number + 0.044715 * number * number * number)
        return number * (1 + inner.tanh()) / 2

    return each(bent, x)


class SwiGLU(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.w3 = nn.Linear(dim, hidden_dim, bias=False)
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)
        self.act = nn.SiLU()

    def forward(self, x):
        tokens = x.reshape(-1, x.shape[-1])
        rows = [self.w2.weight @ (self.act(self.w1.weight @ token) * (self.w3.weight @ token)) for token in tokens]
        return torch.stack(rows).reshape(x.shape)
