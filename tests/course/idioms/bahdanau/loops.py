"""Sequence by sequence and key by key, in loops; hidden keys are left out."""

import torch
import torch.nn as nn


class AdditiveAttention(nn.Module):
    def __init__(self, q_dim, k_dim, hidden):
        super().__init__()
        self.W = nn.Linear(q_dim + k_dim, hidden)
        self.v = nn.Linear(hidden, 1, bias=False)

    def forward(self, query, keys, mask=None):
        contexts, rows = [], []
        for b in range(query.shape[0]):
            seen = [s for s in range(keys.shape[1]) if mask is None or mask[b, s]]
            scores = torch.cat([self.v(torch.tanh(self.W(torch.cat([query[b], keys[b, s]])))) for s in seen])
            share = dict(zip(seen, torch.softmax(scores, 0), strict=False))
            contexts.append(sum(share[s] * keys[b, s] for s in seen))
            zero = keys.new_zeros(())
            rows.append(torch.stack([share.get(s, zero) for s in range(keys.shape[1])]))
        return torch.stack(contexts), torch.stack(rows)
