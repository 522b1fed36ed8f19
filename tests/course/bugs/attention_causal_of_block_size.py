"""Attention with a causal mask of block_size positions, kept as a buffer, and a length check that reads max_seq_len."""

import math

from torch import nn

from solutions.masking import causal_mask, masked_softmax


def softmax(x, dim=-1):
    weights = (x - x.amax(dim, keepdim=True)).exp()
    return weights / weights.sum(dim, keepdim=True)


def attention(query, key, value, mask=None, dropout=None):
    weights = masked_softmax(query @ key.transpose(-2, -1) / math.sqrt(query.size(-1)), mask)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights


class MultiHeadAttention(nn.Module):
    def __init__(self, args, is_causal=False):
        super().__init__()
        self.n_heads, self.max_seq_len, self.is_causal = args.n_heads, args.max_seq_len, is_causal
        self.wq = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wk = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wv = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wo = nn.Linear(args.dim, args.n_embd, bias=False)
        self.dropout = nn.Dropout(args.dropout)
        self.register_buffer("past", causal_mask(args.block_size), persistent=False)

    def forward(self, query, key, value, mask=None):
        length = query.size(1)
        if self.is_causal:
            if length > self.max_seq_len:
                raise ValueError(f"got {length} positions, but max_seq_len is {self.max_seq_len}")
            past = self.past[:length, :length]  # smaller than (T, T) if block_size is
            mask = past if mask is None else past & mask.bool()
        q, k, v = (
            layer(x).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
            for layer, x in ((self.wq, query), (self.wk, key), (self.wv, value))
        )
        heads, _ = attention(q, k, v, mask, self.dropout)
        return self.wo(heads.transpose(1, 2).flatten(2))
