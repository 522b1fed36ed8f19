"""A module whose parameters never end."""

# expect: wrong_value

import itertools

import torch
from torch import nn


class Model(nn.Module):
    def __init__(self, *_, **__):
        super().__init__()
        self.w = nn.Parameter(torch.zeros(1))

    def parameters(self, recurse=True):
        return itertools.repeat(self.w)

    def named_parameters(self, *_, **__):
        return ((f"w{i}", self.w) for i in itertools.count())

    def named_modules(self, *_, **__):
        return ((f"m{i}", self) for i in itertools.count())

    def state_dict(self, *_, **__):
        return {f"w{i}": self.w for i in range(10**6)}

    def forward(self, x):
        return x


def softmax(x):
    return torch.zeros_like(x)
