import torch
from torch import Tensor, nn


class LayerNorm(nn.Module):
    def __init__(self, features: int, eps: float = 1e-6):
        super().__init__()
        self.eps = eps
        self.gamma = nn.Parameter(torch.ones(features))
        self.beta = nn.Parameter(torch.zeros(features))

    def forward(self, x: Tensor) -> Tensor:
        centred = x - x.mean(-1, keepdim=True)
        scale = (centred * centred).mean(-1, keepdim=True).add(self.eps).rsqrt()
        return self.gamma * (centred * scale) + self.beta
