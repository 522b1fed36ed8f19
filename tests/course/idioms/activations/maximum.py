"""relu as a maximum, gelu from log_ndtr, tanh from a stable exponential, and a layer with its own start."""

import math

import torch
from torch import Tensor, nn


def relu(x: Tensor) -> Tensor:
    return torch.maximum(x, x.new_zeros(()))


def gelu(x: Tensor) -> Tensor:
    return x * torch.special.log_ndtr(x).exp()


def tanh(z: Tensor) -> Tensor:
    small = torch.exp(-2 * z.abs())  # at most 1
    return z.sign() * (1 - small) / (1 + small)


def gelu_tanh(x: Tensor) -> Tensor:
    cube = x * x * x
    return x.mul(0.5) * tanh((x + cube * 0.044715) * math.sqrt(2 / math.pi)).add(1)


class SwiGLU(nn.Module):
    def __init__(self, dim: int, hidden_dim: int) -> None:
        super().__init__()
        self.w1, self.w2, self.w3 = (
            nn.Linear(a, b, bias=False) for a, b in ((dim, hidden_dim), (hidden_dim, dim), (dim, hidden_dim))
        )
        for layer in (self.w1, self.w2, self.w3):
            nn.init.normal_(layer.weight, std=0.02)

    def forward(self, x: Tensor) -> Tensor:
        z, small = x @ self.w1.weight.T, torch.exp(-(x @ self.w1.weight.T).abs())
        gates = z * torch.where(z >= 0, torch.ones_like(z), small) / (1 + small)
        return gates * (x @ self.w3.weight.T) @ self.w2.weight.T
