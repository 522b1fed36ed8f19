"""One token at a time in a loop, with sums and quotients instead of mean."""

import torch
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, features, eps=1e-6):
        super().__init__()
        self.features, self.eps = features, eps
        self.weight = nn.Parameter(torch.ones(features))
        self.bias = nn.Parameter(torch.zeros(features))

    def one(self, token):
        mean = sum(token) / self.features
        variance = sum((feature - mean) ** 2 for feature in token) / self.features
        return (token - mean) / (variance + self.eps) ** 0.5

    def forward(self, x):
        tokens = [self.one(token) for token in x.reshape(-1, self.features)]
        return torch.stack(tokens).reshape(x.shape) * self.weight + self.bias
