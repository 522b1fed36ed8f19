import torch
import torch.nn as nn


class LayerNorm(nn.Module):
    def __init__(self, features, eps=1e-6):
        super().__init__()
        self.gamma = nn.Parameter(torch.ones(features))
        self.beta = nn.Parameter(torch.zeros(features))
        self.eps = eps

    def forward(self, x):
        mu = x.mean(dim=-1, keepdim=True)
        sigma2 = x.var(dim=-1, keepdim=True, correction=0)  # sigma squared!
        return self.gamma * (x - mu) / (sigma2 + self.eps).sqrt() + self.beta
