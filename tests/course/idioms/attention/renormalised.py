"""Masked by multiplication: exponentials times the mask, then the sum of what is left; all in one function."""

import math

from torch import nn

from exercises.masking import causal_mask


def normalised(powers, dim):
    return powers / powers.sum(dim, keepdim=True)


def softmax(x, dim=-1):
    return normalised((x - x.amax(dim, keepdim=True)).exp(), dim)


def attention(query, key, value, mask=None, dropout=None):
    scores = query @ key.transpose(-2, -1) / math.sqrt(key.shape[-1])
    if mask is None:
        weights = softmax(scores)
    else:
        seen = mask.to(scores.dtype)
        largest = scores.masked_fill(seen == 0, -math.inf).amax(-1, keepdim=True)
        weights = normalised((scores - largest).clamp(max=0.0).exp() * seen, -1)
    if dropout is not None:
        weights = dropout(weights)
    return weights @ value, weights


class MultiHeadAttention(nn.Module):
    def __init__(self, args, is_causal=False):
        super().__init__()
        self.args, self.is_causal = args, is_causal
        for name, n_in, n_out in (
            ("wq", args.n_embd, args.dim),
            ("wk", args.n_embd, args.dim),
            ("wv", args.n_embd, args.dim),
            ("wo", args.dim, args.n_embd),
        ):
            self.add_module(name, nn.Linear(n_in, n_out, bias=False))
        self.dropout = nn.Dropout(args.dropout)

    def forward(self, query, key, value, mask=None):
        length = query.shape[1]
        if self.is_causal and length > self.args.max_seq_len:
            raise ValueError(f"{length} > {self.args.max_seq_len}")
        if self.is_causal:
            mask = causal_mask(length).to(query.device) * (1 if mask is None else mask)
        H = self.args.n_heads
        q, k, v = (
            x.reshape(*x.shape[:2], H, -1).swapaxes(1, 2) for x in (self.wq(query), self.wk(key), self.wv(value))
        )
        z, _ = attention(q, k, v, mask, self.dropout)
        return self.wo(z.swapaxes(1, 2).reshape(*query.shape[:2], -1))
