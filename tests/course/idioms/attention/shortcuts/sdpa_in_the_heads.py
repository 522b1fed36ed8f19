"""MultiHeadAttention hands its heads to F.scaled_dot_product_attention."""

import math

import torch.nn.functional as F
from torch import nn

from exercises.masking import causal_mask, masked_softmax


def softmax(x, dim=-1):
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e / e.sum(dim, keepdim=True)


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

    def forward(self, query, key, value, mask=None):
        if self.is_causal:
            if query.size(1) > self.max_seq_len:
                raise ValueError(f"more than {self.max_seq_len} positions")
            causal = causal_mask(query.size(1)).to(query.device)
            mask = causal if mask is None else causal & mask.bool()
        q, k, v = (
            layer(x).unflatten(-1, (self.n_heads, -1)).transpose(1, 2)
            for layer, x in ((self.wq, query), (self.wk, key), (self.wv, value))
        )
        rate = self.dropout.p if self.training else 0.0
        mask = None if mask is None else mask.bool()
        heads = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, dropout_p=rate)
        return self.wo(heads.transpose(1, 2).flatten(2))
