"""The mask multiplies the weights after softmax, which are then divided by their sum: equal for ordinary scores."""

import torch
from torch import nn

from exercises.masking import causal_mask


def softmax(x, dim=-1):
    e = torch.exp(x - x.amax(dim=dim, keepdim=True))
    return e / e.sum(dim=dim, keepdim=True)


def attention(query, key, value, mask=None, dropout=None):
    weights = softmax(torch.matmul(query, torch.swapaxes(key, -1, -2)) / query.shape[-1] ** 0.5, dim=-1)
    if mask is not None:
        weights = weights * mask
        weights = weights / weights.sum(dim=-1, keepdim=True)
    if dropout is not None:
        weights = dropout(weights)
    return torch.matmul(weights, value), weights


class MultiHeadAttention(nn.Module):
    def __init__(self, args, is_causal=False):
        super().__init__()
        self.h, self.max_seq_len, self.is_causal = args.n_heads, args.max_seq_len, is_causal
        self.wq = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wk = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wv = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wo = nn.Linear(args.dim, args.n_embd, bias=False)
        self.dropout = nn.Dropout(args.dropout)

    def forward(self, query, key, value, mask=None):
        b, t, c = query.shape
        if self.is_causal:
            assert t <= self.max_seq_len
            causal = causal_mask(t).to(query.device)
            mask = causal if mask is None else mask.to(torch.uint8) * causal
        heads = [
            x.view(b, -1, self.h, c // self.h).permute(0, 2, 1, 3)
            for x in (self.wq(query), self.wk(key), self.wv(value))
        ]
        out, _ = attention(*heads, mask=mask, dropout=self.dropout)
        return self.wo(out.permute(0, 2, 1, 3).reshape(b, t, c))
