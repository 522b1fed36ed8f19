import torch
import torch.nn as nn

from exercises.masking import causal_mask, masked_softmax
from exercises.model_args import ModelArgs


def softmax(x, dim=-1):
    shift = x.max(dim=dim, keepdim=True)[0].detach()  # shifting does not change the result, so no gradient needed
    e = torch.exp(x - shift)
    return e / e.sum(dim=dim, keepdim=True)


def attention(query, key, value, mask=None, dropout=None):
    scale = query.size(-1) ** (-1 / 2)
    # Q K^T is the transpose of K Q^T
    s = scale * torch.matmul(key, query.transpose(-2, -1)).transpose(-2, -1)
    if mask is not None:
        s = torch.where(mask != 0, s, torch.full_like(s, -1e30))
    a = softmax(s)
    if dropout is not None:
        return dropout(a) @ value, a
    return a @ value, a


class MultiHeadAttention(nn.Module):
    def __init__(self, args: ModelArgs, is_causal: bool = False):
        super().__init__()
        self.h = args.n_heads
        self.causal = is_causal
        self.max_seq_len = args.max_seq_len
        self.wq = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wk = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wv = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wo = nn.Linear(args.dim, args.n_embd, bias=False)
        self.drop = nn.Dropout(args.dropout)

    def fold(self, x):
        """(B, L, dim) -> (B * h, L, dim / h): the heads become part of the batch."""
        b, n, c = x.shape
        return x.view(b, n, self.h, c // self.h).permute(0, 2, 1, 3).reshape(b * self.h, n, c // self.h)

    def forward(self, query, key, value, mask=None):
        b, t, _ = query.shape
        s = key.shape[1]
        if self.causal:
            if t > self.max_seq_len:
                raise ValueError("input longer than max_seq_len")
            future = torch.ones(t, t, device=query.device).triu(diagonal=1)
            mask = future == 0 if mask is None else (future == 0) * (mask != 0)
        if mask is not None:
            mask = mask.expand(b, self.h, t, s).reshape(b * self.h, t, s)
        q, k, v = self.fold(self.wq(query)), self.fold(self.wk(key)), self.fold(self.wv(value))
        y, _ = attention(q, k, v, mask, self.drop)  # (B * h, T, dim / h)
        y = y.view(b, self.h, t, -1).permute(0, 2, 1, 3).flatten(start_dim=2)
        return self.wo(y)
