"""E[x²] - E[x]², clamped at 0; gamma and beta."""

import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, features, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.full((features,), 1.0))
        self.beta = nn.Parameter(torch.full((features,), 0.0))
        self.eps = eps

    def forward(self, x):
        first, second = x.mean(-1, True), (x * x).mean(-1, True)
        variance = torch.clamp(second - first * first, min=0.0)
        return self.gamma * ((x - first) / (variance + self.eps).sqrt()) + self.beta
