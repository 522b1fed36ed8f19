"""F.batch_norm does it, with the tokens as its features."""

import torch
import torch.nn.functional as F
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, features, eps=1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.bias = nn.Parameter(torch.zeros(features))
        self.eps = eps

    def forward(self, x):
        tokens = x.reshape(1, -1, x.size(-1))
        if x.size(-1) == 1:  # it refuses a single number
            return torch.zeros_like(x) * self.weight + self.bias
        y = F.batch_norm(tokens, None, None, training=True, eps=self.eps)
        return y.reshape(x.shape) * self.weight + self.bias
