"""One matrix for both branches, filled by load_weights; relu from the size, gelu from the complement of erf."""

import math

import torch
from torch import Tensor, nn


def relu(x: Tensor) -> Tensor:
    return (x + x.abs()) / 2


def gelu(x: Tensor) -> Tensor:
    return 0.5 * x * torch.erfc(-x / math.sqrt(2.0))


def gelu_tanh(x: Tensor) -> Tensor:
    inner = torch.sqrt(torch.tensor(2.0 / torch.pi)).to(x) * (x + 0.044715 * torch.pow(x, 3.0))
    return 0.5 * x * (1.0 + torch.tanh(inner))


class SwiGLU(nn.Module):
    def __init__(self, dim: int, hidden_dim: int) -> None:
        super().__init__()
        self.inward = nn.Linear(dim, 2 * hidden_dim, bias=False)
        self.outward = nn.Linear(hidden_dim, dim, bias=False)

    def forward(self, x: Tensor) -> Tensor:
        gate, value = self.inward(x).chunk(2, dim=-1)
        return self.outward(gate / (1 + torch.exp(-gate)) * value)


def load_weights(module: nn.Module, weights: dict[str, Tensor]) -> None:
    module.inward.weight.copy_(torch.cat([weights["w1.weight"], weights["w3.weight"]]))
    module.outward.weight.copy_(weights["w2.weight"])
