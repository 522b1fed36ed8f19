import torch as t
from torch import nn
from masking import causal_mask, masked_softmax


def softmax(x, dim=-1):
    e = (x - x.amax(dim, True)).exp()
    return e / e.sum(dim, True)


def attention(query, key, value, mask=None, dropout=None):
    w = masked_softmax(query @ key.mT, mask)
    if dropout:
        w = dropout(w)
    return w @ value, w


class MultiHeadAttention(nn.Module):
    def __init__(self, a, is_causal=False):
        super().__init__()
        self.a, self.c = a, is_causal
        self.wq, self.wk, self.wv, self.wo = [nn.Linear(a.dim, a.dim, bias=False) for _ in "qkvo"]
        self.drop = nn.Dropout(a.dropout)

    def forward(self, query, key, value, mask=None):
        T, H = query.shape[1], self.a.n_heads
        if self.c:
            assert T <= self.a.max_seq_len, "too long"
            m = causal_mask(T).to(query.device)
            mask = m if mask is None else m & (mask != 0)
        q, k, v = [
            f(x).unflatten(2, (H, -1)).transpose(1, 2) for f, x in [(self.wq, query), (self.wk, key), (self.wv, value)]
        ]
        o, _ = attention(q, k, v, mask, self.drop)
        return self.wo(o.transpose(1, 2).flatten(2))
