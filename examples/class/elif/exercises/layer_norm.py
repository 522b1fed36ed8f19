# Homework 3 - layer norm
# Elif, group B

import torch
from torch import Tensor, nn


class LayerNorm(nn.Module):
    def __init__(self, features: int, eps: float = 1e-6) -> None:
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(features))
        self.beta = nn.Parameter(torch.zeros(features))
        self.eps = eps

    def forward(self, x: Tensor) -> Tensor:
        mean = torch.mean(x, dim=-1, keepdim=True)
        variance = torch.var(x, dim=-1, keepdim=True, unbiased=False)  # unbiased=True would divide by n - 1
        standard_deviation = torch.sqrt(variance + self.eps)
        normalised = (x - mean) / standard_deviation
        return self.gamma * normalised + self.beta
