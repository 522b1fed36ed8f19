"""As in labml: heads stay in axis 2, scores are (B, T, S, H), and softmax runs over axis 2."""

import math

import torch
from torch import nn

from exercises.masking import causal_mask


def softmax(x, dim=-1):
    log_total = torch.logsumexp(x, dim=dim, keepdim=True)
    return torch.exp(x - log_total)


def attention(query, key, value, mask=None, dropout=None):
    scores = torch.einsum("...id,...jd->...ij", query, key) / math.sqrt(query.shape[-1])
    if mask is not None:
        scores = torch.where(mask.bool(), scores, torch.finfo(scores.dtype).min)
    attn = torch.softmax(scores, dim=-1)
    if dropout is not None:
        attn = dropout(attn)
    return torch.einsum("...ij,...jd->...id", attn, value), attn


class MultiHeadAttention(nn.Module):
    def __init__(self, args, is_causal=False):
        super().__init__()
        self.heads, self.d_k = args.n_heads, args.dim // args.n_heads
        self.wq = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wk = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wv = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wo = nn.Linear(args.dim, args.n_embd, bias=False)
        self.softmax = nn.Softmax(dim=2)
        self.dropout = nn.Dropout(args.dropout)
        self.scale = 1 / math.sqrt(self.d_k)
        self.is_causal, self.max_seq_len = is_causal, args.max_seq_len

    def prepare(self, layer, x):
        return layer(x).view(*x.shape[:-1], self.heads, self.d_k)  # (B, L, H, d_k)

    def prepare_mask(self, mask, shape, device):
        """(B, T, S, H) from anything that broadcasts to (B, H, T, S)."""
        mask = torch.ones(shape, dtype=torch.bool, device=device) if mask is None else mask.bool().expand(shape)
        if self.is_causal:
            mask = mask & causal_mask(shape[2]).to(device)
        return mask.permute(0, 2, 3, 1)

    def forward(self, query, key, value, mask=None):
        if self.is_causal and query.shape[1] > self.max_seq_len:
            raise ValueError("sequence too long")
        shape = (query.shape[0], self.heads, query.shape[1], key.shape[1])
        mask = self.prepare_mask(mask, shape, query.device)
        query, key, value = self.prepare(self.wq, query), self.prepare(self.wk, key), self.prepare(self.wv, value)
        scores = torch.einsum("bihd,bjhd->bijh", query, key) * self.scale
        scores = scores.masked_fill(~mask, float("-inf"))
        attn = self.dropout(self.softmax(scores))
        x = torch.einsum("bijh,bjhd->bihd", attn, value)
        return self.wo(x.reshape(x.shape[0], x.shape[1], -1))
