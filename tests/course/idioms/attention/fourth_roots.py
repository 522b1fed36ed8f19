"""query and key are each divided by the fourth root of d_k; torch.split and stack make the heads, cat joins them."""

import torch
from torch import nn

from exercises.masking import causal_mask, masked_softmax


def softmax(x, dim=-1):
    x = x.movedim(dim, -1)
    x = (x - x.max(-1).values.unsqueeze(-1)).exp()
    return (x / x.sum(-1).unsqueeze(-1)).movedim(-1, dim)


def attention(query, key, value, mask=None, dropout=None):
    root = query.size(-1) ** 0.25
    weights = masked_softmax((query / root) @ (key / root).transpose(-1, -2), mask)
    if dropout is None:
        return weights @ value, weights
    return dropout(weights) @ value, weights


class MultiHeadAttention(nn.Module):
    def __init__(self, args, is_causal=False):
        super().__init__()
        self.s = args.dim // args.n_heads
        self.wq = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wk = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wv = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wo = nn.Linear(args.dim, args.n_embd, bias=False)
        self.drop = nn.Dropout(args.dropout)
        self.causal_up_to = args.max_seq_len if is_causal else None

    def forward(self, query, key, value, mask=None):
        masks = [] if mask is None else [mask.to(torch.bool)]
        if self.causal_up_to is not None:
            if query.size(1) > self.causal_up_to:
                raise ValueError("too long for this causal attention")
            masks.append(causal_mask(query.size(1)).to(query.device))
        both = None
        for one in masks:
            both = one if both is None else torch.logical_and(both, one)
        q, k, v = (
            torch.stack(torch.split(layer(x), self.s, dim=-1), dim=1)
            for layer, x in ((self.wq, query), (self.wk, key), (self.wv, value))
        )
        out, _ = attention(q, k, v, both, self.drop)
        return self.wo(torch.cat(list(out.unbind(1)), dim=-1))
