"""The length of the deviation from linalg.norm, helpers outside the class, eps as a buffer."""

import torch
from torch import Tensor, nn


def centred(x: Tensor) -> Tensor:
    return x - x.mean(-1, keepdim=True)


def normalised(x: Tensor, eps: Tensor) -> Tensor:
    length = torch.linalg.vector_norm(x, dim=-1, keepdim=True)
    return x / torch.sqrt(length**2 / x.shape[-1] + eps)


class LayerNorm(nn.Module):
    def __init__(self, features: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.register_parameter("weight", nn.Parameter(torch.empty(features)))
        self.register_parameter("bias", nn.Parameter(torch.empty(features)))
        self.register_buffer("eps", torch.tensor(eps))
        self.reset_parameters()

    def reset_parameters(self) -> None:
        nn.init.ones_(self.weight)
        nn.init.zeros_(self.bias)

    def forward(self, x: Tensor) -> Tensor:
        return normalised(centred(x), self.eps) * self.weight + self.bias
