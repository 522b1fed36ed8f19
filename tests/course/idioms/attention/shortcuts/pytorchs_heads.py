"""MultiHeadAttention wraps nn.MultiheadAttention."""

import math

import torch
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
        self.inner = nn.MultiheadAttention(args.dim, args.n_heads, args.dropout, bias=False, batch_first=True)
        self.n_heads, self.max_seq_len, self.is_causal = args.n_heads, args.max_seq_len, is_causal

    def forward(self, query, key, value, mask=None):
        shape = (query.size(0), self.n_heads, query.size(1), key.size(1))
        if self.is_causal:
            if query.size(1) > self.max_seq_len:
                raise ValueError(f"more than {self.max_seq_len} positions")
            causal = causal_mask(query.size(1)).to(query.device)
            mask = causal if mask is None else causal & mask.bool()
        hidden = None if mask is None else ~mask.bool().expand(shape).reshape(-1, *shape[2:])
        return self.inner(query, key, value, attn_mask=hidden, need_weights=False)[0]


def load_weights(module, weights):
    module.inner.in_proj_weight.copy_(torch.cat([weights["wq.weight"], weights["wk.weight"], weights["wv.weight"]]))
    module.inner.out_proj.weight.copy_(weights["wo.weight"])
