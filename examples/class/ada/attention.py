"""Attention with einsum. One parameter holds wq, wk and wv, see load_weights at the end."""

import torch
from torch import einsum, nn

from exercises.masking import causal_mask, masked_softmax


def softmax(x, dim=-1):
    e = torch.exp(x - x.max(dim, keepdim=True).values)
    return e / e.sum(dim, keepdim=True)


def attention(query, key, value, mask=None, dropout=None):
    scores = einsum("...td,...sd->...ts", query, key) * query.shape[-1] ** -0.5
    weights = masked_softmax(scores, mask)
    if dropout:
        weights = dropout(weights)
    return einsum("...ts,...sd->...td", weights, value), weights


class MultiHeadAttention(nn.Module):
    def __init__(self, args, is_causal=False):
        super().__init__()
        heads, width = args.n_heads, args.dim // args.n_heads
        self.max_len = args.max_seq_len if is_causal else None
        self.qkv = nn.Parameter(torch.empty(3, heads, width, args.n_embd))
        self.out = nn.Parameter(torch.empty(args.n_embd, heads, width))
        self.dropout = nn.Dropout(args.dropout)
        for p in (self.qkv, self.out):
            nn.init.normal_(p, std=args.n_embd**-0.5)

    def forward(self, query, key, value, mask=None):
        if self.max_len is not None:
            t = query.shape[1]
            if t > self.max_len:
                raise ValueError(f"at most {self.max_len} positions, but there are {t}")
            see_back = causal_mask(t).to(query.device)
            mask = see_back if mask is None else see_back & (mask > 0)
        q, k, v = (einsum("bnc,hdc->bhnd", x, w) for x, w in zip((query, key, value), self.qkv))
        heads, _ = attention(q, k, v, mask, self.dropout)
        return einsum("bhtd,chd->btc", heads, self.out)


def load_weights(module, weights):
    three = torch.stack([weights["wq.weight"], weights["wk.weight"], weights["wv.weight"]])  # (3, dim, n_embd)
    module.qkv.copy_(three.view_as(module.qkv))
    module.out.copy_(weights["wo.weight"].view_as(module.out))
