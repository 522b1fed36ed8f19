"""torch.where, the normal distribution from torch.special, tanh as a sigmoid, and F.silu."""

import torch
import torch.nn.functional as F
from torch import Tensor, nn


def relu(x: Tensor) -> Tensor:
    return torch.where(x > 0, x, torch.zeros_like(x))


def gelu(x: Tensor) -> Tensor:
    return x * torch.special.ndtr(x)


def gelu_tanh(x: Tensor) -> Tensor:
    # (1 + tanh z) / 2 = sigmoid(2 z)
    return x * torch.sigmoid(2 * (2 / torch.pi) ** 0.5 * x * (1 + 0.044715 * x * x))


class SwiGLU(nn.Module):
    def __init__(self, dim, hidden_dim):
        super().__init__()
        self.w1 = nn.Linear(dim, hidden_dim, bias=False)
        self.w2 = nn.Linear(hidden_dim, dim, bias=False)
        self.w3 = nn.Linear(dim, hidden_dim, bias=False)

    def forward(self, x):
        return self.w2(F.silu(self.w1(x)) * self.w3(x))
