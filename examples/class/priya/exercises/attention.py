import math

import torch
import torch.nn.functional as F
from torch import nn

from exercises.masking import *


def softmax(x, dim=-1):
    m = torch.amax(x, dim, keepdim=True)
    e = torch.exp(x - m)
    return e / e.sum(dim, keepdim=True)


def attention(query, key, value, mask=None, dropout=None):
    d_k = key.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    probs = F.softmax(scores, dim=-1)
    if dropout is not None:
        probs = dropout(probs)
    return torch.matmul(probs, value), probs


class MultiHeadAttention(nn.Module):
    def __init__(self, args, is_causal=False):
        super().__init__()
        self.n_heads = args.n_heads
        self.head_dim = args.dim // args.n_heads
        self.max_seq_len = args.max_seq_len
        self.is_causal = is_causal
        self.wq = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wk = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wv = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wo = nn.Linear(args.dim, args.n_embd, bias=False)
        self.attn_dropout = nn.Dropout(args.dropout)

    def forward(self, query, key, value, mask=None):
        bsz, T, _ = query.shape
        _, S, _ = key.shape
        xq = self.wq(query).view(bsz, T, self.n_heads, self.head_dim).transpose(1, 2)
        xk = self.wk(key).view(bsz, S, self.n_heads, self.head_dim).transpose(1, 2)
        xv = self.wv(value).view(bsz, S, self.n_heads, self.head_dim).transpose(1, 2)

        if self.is_causal:
            if T > self.max_seq_len:
                raise ValueError("T > max_seq_len")
            causal = causal_mask(T).to(query.device)
            if mask is not None:
                causal = causal.logical_and(mask)
            mask = causal

        out, _ = attention(xq, xk, xv, mask=mask, dropout=self.attn_dropout)
        out = out.transpose(1, 2).contiguous().view(bsz, T, -1)
        return self.wo(out)
