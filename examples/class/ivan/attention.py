import math

import torch
import torch.nn as nn

from masking import causal_mask, masked_softmax


def softmax(x, dim=-1):
    e = torch.exp(x - x.max(dim, keepdim=True)[0])
    return e / e.sum(dim, keepdim=True)


def attention(query, key, value, mask=None, dropout=None):
    scores = (query.unsqueeze(-2) * key.unsqueeze(-3)).sum(-1)  # every query times every key
    scores = scores / math.sqrt(query.shape[-1])
    if mask is None:
        w = softmax(scores)
    else:
        w = masked_softmax(scores, mask)
    if dropout is not None:
        w = dropout(w)
    out = (w.unsqueeze(-1) * value.unsqueeze(-3)).sum(-2)
    return out, w


class MultiHeadAttention(nn.Module):
    def __init__(self, args, is_causal=False):
        super().__init__()
        self.n_heads = args.n_heads
        self.d = args.dim // args.n_heads
        self.is_causal = is_causal
        self.max_seq_len = args.max_seq_len
        self.wq = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wk = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wv = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wo = nn.Linear(args.dim, args.n_embd, bias=False)
        self.dropout = nn.Dropout(args.dropout)

    def forward(self, query, key, value, mask=None):
        T = query.shape[1]
        if self.is_causal:
            if T > self.max_seq_len:
                raise ValueError("too many tokens: %d, maximum %d" % (T, self.max_seq_len))
            c = causal_mask(T).to(query.device)
            if mask is None:
                mask = c
            else:
                mask = c & (mask == 1)

        q = self.wq(query)
        k = self.wk(key)
        v = self.wv(value)
        results = []
        for h in range(self.n_heads):
            a = h * self.d
            b = a + self.d
            m = mask
            if m is not None and m.dim() == 4:
                m = m[:, h] if m.shape[1] > 1 else m[:, 0]
            o, _ = attention(q[:, :, a:b], k[:, :, a:b], v[:, :, a:b], m, self.dropout)
            results.append(o)
        return self.wo(torch.cat(results, dim=2))
