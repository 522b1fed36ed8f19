"""Three-axis weights per head initialised by Xavier, sizes kept as attributes, sum instead of concatenation."""

import math

import torch
from torch import nn


def softmax(x, dim=-1):
    z = torch.exp(x - torch.max(x, dim=dim, keepdim=True).values)
    z = z.div_(z.sum(dim=dim, keepdim=True)) if not z.requires_grad else z / z.sum(dim=dim, keepdim=True)
    return z


def attention(q, k, v, mask=None, dropout=None):
    d_k = k.size(-1)
    s = torch.matmul(q, k.transpose(-1, -2)).mul(1 / math.sqrt(d_k))
    if mask is not None:
        s = s.masked_fill(torch.logical_not(mask), -1e20)
    a = nn.Softmax(dim=-1)(s)
    a = a if not dropout else dropout(a)
    return torch.matmul(a, v), a


class MultiHeadAttention(nn.Module):
    """Each head has its own output matrix: wo of the joined heads is the sum over the heads."""

    def __init__(self, args, is_causal=False):
        super().__init__()
        self.n_heads, self.head_dim = args.n_heads, args.dim // args.n_heads
        self.max_len, self.is_causal = args.max_seq_len, is_causal
        self.query = nn.ParameterList(self._matrix(args.n_embd, self.head_dim) for _ in range(args.n_heads))
        self.key = nn.ParameterList(self._matrix(args.n_embd, self.head_dim) for _ in range(args.n_heads))
        self.value = nn.ParameterList(self._matrix(args.n_embd, self.head_dim) for _ in range(args.n_heads))
        self.output = nn.ParameterList(self._matrix(self.head_dim, args.n_embd) for _ in range(args.n_heads))
        self.drop = nn.Dropout(args.dropout)

    @staticmethod
    def _matrix(n_in, n_out):
        return nn.Parameter(nn.init.xavier_uniform_(torch.empty(n_in, n_out)))

    def forward(self, q, k, v, mask=None):
        t, s = q.size(1), k.size(1)
        if self.is_causal and t > self.max_len:
            raise ValueError("too long")
        allowed = q.new_ones(q.size(0), self.n_heads, t, s)
        if mask is not None:
            allowed = allowed * mask
        if self.is_causal:
            allowed = allowed.tril()
        total = 0
        for h in range(self.n_heads):
            z, _ = attention(q @ self.query[h], k @ self.key[h], v @ self.value[h], allowed[:, h], self.drop)
            total = total + z @ self.output[h]
        return total


def load_weights(module, weights):
    for h in range(module.n_heads):
        rows = slice(h * module.head_dim, (h + 1) * module.head_dim)
        module.query[h].copy_(weights["wq.weight"][rows].T)
        module.key[h].copy_(weights["wk.weight"][rows].T)
        module.value[h].copy_(weights["wv.weight"][rows].T)
        module.output[h].copy_(weights["wo.weight"][:, rows].T)
