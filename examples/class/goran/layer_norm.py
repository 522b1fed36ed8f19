import torch
import torch.nn as nn


class LayerNorm(nn.Module):
    def __init__(self, features: int, eps: float = 1e-6):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(features))
        self.bias = nn.Parameter(torch.zeros(features))
        self.eps = eps

    def forward(self, x):
        assert x.size(-1) == self.weight.numel(), (x.shape, self.weight.shape)
        mu = x.mean(dim=-1, keepdim=True)  # [..., 1]
        var = (x - mu).pow(2).mean(dim=-1, keepdim=True)  # [..., 1]
        return (x - mu) / (var + self.eps).sqrt() * self.weight + self.bias
