"""Hidden keys get weight 0 after softmax, and the rest is divided by its own sum."""

import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, q_dim, k_dim, hidden):
        super().__init__()
        self.W = nn.Linear(q_dim + k_dim, hidden)
        self.v = nn.Linear(hidden, 1, bias=False)

    def forward(self, query, keys, mask=None):
        pairs = torch.cat([query.unsqueeze(1) + torch.zeros_like(keys[..., :1]), keys], dim=-1)
        weights = self.v(self.W(pairs).tanh()).squeeze(dim=2).softmax(dim=1)
        if mask is not None:
            weights = weights * mask
            weights = weights / weights.sum(dim=1, keepdim=True)
        return torch.sum(weights[:, :, None] * keys, dim=1), weights
