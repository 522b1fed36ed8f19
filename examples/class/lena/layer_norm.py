from __future__ import annotations

import torch
from torch import Tensor, nn


class LayerNorm(nn.Module):
    def __init__(self, features: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.bias = nn.Parameter(torch.zeros(features))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        return self.normalised(x) * self.weight + self.bias

    def normalised(self, x: Tensor) -> Tensor:
        deviation = x - x.mean(-1, keepdim=True)
        length = torch.linalg.vector_norm(deviation, dim=-1, keepdim=True)
        variance = length.square() / x.shape[-1]
        return deviation / torch.sqrt(variance + self.eps)
