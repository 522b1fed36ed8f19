"""The mean is taken off by a matrix product with I - 1/d, the variance by einsum."""

import torch
from torch import Tensor, nn


class LayerNorm(nn.Module):
    def __init__(self, features: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.bias = nn.Parameter(torch.zeros(features))
        self.register_buffer("centring", torch.eye(features) - 1 / features, persistent=False)
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        centred = x @ self.centring
        variance = torch.einsum("...d,...d->...", centred, centred) / x.size(-1)
        return centred / torch.sqrt(variance + self.eps)[..., None] * self.weight + self.bias
