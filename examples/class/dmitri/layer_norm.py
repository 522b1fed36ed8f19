import torch as t
from torch import nn


class LayerNorm(nn.Module):
    def __init__(self, features, eps=1e-6):
        super().__init__()
        self.eps, self.weight, self.bias = eps, nn.Parameter(t.ones(features)), nn.Parameter(t.zeros(features))

    def forward(self, x):
        x = x - x.mean(-1, True)
        return x / (x.pow(2).mean(-1, True) + self.eps) ** 0.5 * self.weight + self.bias
