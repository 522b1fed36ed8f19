"""One projection for the query and one for the keys, added by broadcasting; v is a plain vector."""

import torch
from torch import nn


class AdditiveAttention(nn.Module):
    def __init__(self, q_dim, k_dim, hidden):
        super().__init__()
        self.W_q = nn.Linear(q_dim, hidden, bias=False)
        self.W_k = nn.Linear(k_dim, hidden)
        self.v = nn.Parameter(torch.randn(hidden))

    def forward(self, query, keys, mask=None):
        scores = torch.tanh(self.W_q(query)[:, None] + self.W_k(keys)) @ self.v
        if mask is not None:
            scores = scores.masked_fill(~mask.bool(), -1e9)
        weights = torch.softmax(scores, dim=1)
        return torch.bmm(weights.unsqueeze(1), keys).squeeze(1), weights


def load_weights(module, weights):
    q_dim = module.W_q.in_features
    module.W_q.weight.copy_(weights["W.weight"][:, :q_dim])
    module.W_k.weight.copy_(weights["W.weight"][:, q_dim:])
    module.W_k.bias.copy_(weights["W.bias"])
    module.v.copy_(weights["v.weight"][0])
