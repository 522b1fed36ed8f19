"""The mask becomes numbers to add, and the pairs are one long batch; functional layers."""

import torch
import torch.nn.functional as F
from torch import nn

from exercises.attention import softmax


class AdditiveAttention(nn.Module):
    def __init__(self, q_dim, k_dim, hidden):
        super().__init__()
        self.W = nn.Linear(k_dim + q_dim, hidden)
        self.v = nn.Linear(hidden, 1, bias=False)

    def score(self, query, keys):
        B, S, _ = keys.size()
        left = query.repeat_interleave(S, dim=0)  # (B * S, q_dim)
        pairs = torch.hstack([left, keys.reshape(B * S, -1)])
        return F.linear(F.linear(pairs, self.W.weight, self.W.bias).tanh(), self.v.weight).view(B, S)

    def forward(self, query, keys, mask=None):
        scores = self.score(query, keys)
        if mask is not None:
            scores = scores + (1 - mask.to(scores.dtype)) * -1e9
        weights = softmax(scores, -1)
        return (weights[..., None] * keys).sum(dim=-2), weights
