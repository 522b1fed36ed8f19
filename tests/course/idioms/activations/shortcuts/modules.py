"""nn.GELU does both."""

import torch.nn.functional as F
from torch import nn


def relu(x):
    return x.clamp(min=0)


def gelu(x):
    return nn.GELU()(x)


def gelu_tanh(x):
    return nn.GELU("tanh")(x)


class SwiGLU(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)
        self.w3 = nn.Linear(dim, hidden_dim, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))
