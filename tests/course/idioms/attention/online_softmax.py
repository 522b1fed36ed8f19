"""Keys are read in blocks with a running maximum and sum, as in flash attention; softmax is a loop over slices."""

import math

import torch
from torch import nn

from exercises.masking import causal_mask

BLOCK = 2


def softmax(x, dim=-1):
    slices = x.unbind(dim)
    top = slices[0]
    for s in slices[1:]:
        top = torch.maximum(top, s)
    powers = [torch.exp(s - top) for s in slices]
    total = sum(powers)
    return torch.stack([p / total for p in powers], dim)


def attention(query, key, value, mask=None, dropout=None):
    query = query * query.size(-1) ** -0.5
    if dropout is not None:  # the weights are needed one by one
        scores = query @ key.transpose(-2, -1)
        scores = scores if mask is None else scores.masked_fill(mask == 0, -math.inf)
        weights = softmax(scores)
        return dropout(weights) @ value, weights
    low = torch.finfo(query.dtype).min
    top = torch.full_like(query[..., :1], low)
    total, output, scores = torch.zeros_like(top), query.new_zeros(*query.shape[:-1], value.size(-1)), []
    full = None if mask is None else mask.expand(*query.shape[:-1], key.size(-2))
    for start in range(0, key.size(-2), BLOCK):
        part = slice(start, start + BLOCK)
        s = query @ key[..., part, :].transpose(-2, -1)
        if full is not None:
            s = s.masked_fill(full[..., part] == 0, -math.inf)
        scores.append(s)
        new = torch.maximum(top, s.amax(-1, keepdim=True))
        old, p = torch.exp(top - new), torch.exp(s - new)
        total, output, top = total * old + p.sum(-1, keepdim=True), output * old + p @ value[..., part, :], new
    return output / total, torch.exp(torch.cat(scores, -1) - top) / total


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
            mask = causal if mask is None else causal.logical_and(mask)
        q, k, v = (
            w(x).unflatten(2, (self.n_heads, -1)).transpose(1, 2)
            for w, x in ((self.wq, query), (self.wk, key), (self.wv, value))
        )
        drops = self.training and self.dropout.p > 0
        out, _ = attention(q, k, v, mask, self.dropout if drops else None)
        return self.wo(out.transpose(1, 2).flatten(2))
