"""torch.group_norm with one group does it, token by token."""

import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, features, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.bias = nn.Parameter(torch.zeros(features))
        self.eps = eps

    def forward(self, x):
        return torch.group_norm(x.reshape(-1, x.size(-1)), 1, self.weight, self.bias, self.eps).reshape(x.shape)
