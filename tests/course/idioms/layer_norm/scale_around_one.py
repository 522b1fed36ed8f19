"""The scale is kept as its difference from 1, as in some later models; load_weights takes the 1 off."""

import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, features, eps=1e-6):
        super().__init__()
        self.extra = nn.Parameter(torch.zeros(features))
        self.shift = nn.Parameter(torch.zeros(features))
        self.eps = eps

    def forward(self, x):
        mean = x.mean(-1, keepdim=True)
        variance = (x - mean).pow(2).mean(-1, keepdim=True)
        return (x - mean) * (variance + self.eps).pow(-0.5) * (1 + self.extra) + self.shift


def load_weights(module, weights):
    module.extra.copy_(weights["weight"] - 1)
    module.shift.copy_(weights["bias"])
