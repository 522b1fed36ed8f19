"""One small module per head, their outputs concatenated; a mask is cut into one per head."""

import torch
from torch import nn

from exercises.masking import causal_mask, masked_softmax


def softmax(x, dim=-1):
    numerator = (x - x.max(dim=dim, keepdim=True)[0]).exp()
    denominator = numerator.sum(dim=dim, keepdim=True)
    return numerator / denominator


def attention(query, key, value, mask=None, dropout=None):
    wei = query @ key.mT * query.size(-1) ** -0.5
    wei = masked_softmax(wei, mask)
    out = (wei if dropout is None else dropout(wei)) @ value
    return out, wei


class Head(nn.Module):
    """one head of attention"""

    def __init__(self, n_embd, head_size, dropout):
        super().__init__()
        self.key = nn.Linear(n_embd, head_size, bias=False)
        self.query = nn.Linear(n_embd, head_size, bias=False)
        self.value = nn.Linear(n_embd, head_size, bias=False)
        self.dropout = nn.Dropout(dropout)

    def forward(self, query, key, value, mask):
        k, q, v = self.key(key), self.query(query), self.value(value)
        return attention(q, k, v, mask, self.dropout)[0]


class MultiHeadAttention(nn.Module):
    def __init__(self, args, is_causal=False):
        super().__init__()
        self.head_size = args.dim // args.n_heads
        self.heads = nn.ModuleList([Head(args.n_embd, self.head_size, args.dropout) for _ in range(args.n_heads)])
        self.proj = nn.Linear(args.dim, args.n_embd, bias=False)
        self.limit = args.max_seq_len if is_causal else float("inf")
        self.is_causal = is_causal

    def forward(self, query, key, value, mask=None):
        b, t, s = query.shape[0], query.shape[1], key.shape[1]
        assert not self.is_causal or t <= self.limit, "too long"
        allowed = torch.ones(b, len(self.heads), t, s, dtype=torch.bool, device=query.device)
        if mask is not None:
            allowed = allowed & mask.bool()
        if self.is_causal:
            allowed = allowed & causal_mask(t).to(query.device)
        out = [head(query, key, value, allowed[:, i]) for i, head in enumerate(self.heads)]
        return self.proj(torch.cat(out, dim=-1))


def load_weights(module, weights):
    for i, head in enumerate(module.heads):
        block = slice(i * module.head_size, (i + 1) * module.head_size)
        head.query.weight.copy_(weights["wq.weight"][block])
        head.key.weight.copy_(weights["wk.weight"][block])
        head.value.weight.copy_(weights["wv.weight"][block])
    module.proj.weight.copy_(weights["wo.weight"])
