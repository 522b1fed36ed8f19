import math

import torch
import torch.nn as nn

from exercises.masking import causal_mask


def softmax(x, dim=-1):
    x = x - x.amax(dim=dim, keepdim=True)
    return x.exp() / x.exp().sum(dim=dim, keepdim=True)


def attention(query, key, value, mask=None, dropout=None):
    logits = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1])
    if mask is not None:
        logits = logits.masked_fill(mask == 0, float("-inf"))
    scores = torch.softmax(logits, dim=-1)
    p = scores if dropout is None else dropout(scores)
    return p @ value, scores


class MultiHeadAttention(nn.Module):
    def __init__(self, args, is_causal=False):
        super().__init__()
        self.n_heads = args.n_heads
        self.d_attention = args.dim // args.n_heads
        self.max_seq_len = args.max_seq_len
        self.w_q = nn.Linear(args.n_embd, args.dim, bias=False)
        self.w_k = nn.Linear(args.n_embd, args.dim, bias=False)
        self.w_v = nn.Linear(args.n_embd, args.dim, bias=False)
        self.w_o = nn.Linear(args.dim, args.n_embd, bias=False)
        self.dropout = nn.Dropout(args.dropout)
        self.is_causal = is_causal
        if is_causal:
            m = causal_mask(args.max_seq_len)
            self.register_buffer("causal_mask", m[None, None], persistent=False)

    def forward(self, query, key, value, mask=None):
        B, T, C = query.size()
        S = key.size(1)
        q = self.w_q(query).reshape(B, T, self.n_heads, self.d_attention).transpose(1, 2)
        k = self.w_k(key).reshape(B, S, self.n_heads, self.d_attention).transpose(1, 2)
        v = self.w_v(value).reshape(B, S, self.n_heads, self.d_attention).transpose(1, 2)
        logits = q @ k.transpose(-2, -1) / math.sqrt(self.d_attention)
        if self.is_causal:
            if T > self.max_seq_len:
                raise ValueError(f"T is {T}, but max_seq_len is {self.max_seq_len}")
            logits = logits.masked_fill(self.causal_mask[:, :, :T, :T] == 0, float("-inf"))
        if mask is not None:
            logits = logits.masked_fill(mask == 0, float("-inf"))
        scores = self.dropout(torch.softmax(logits, dim=-1))
        output = scores @ v  # (B, nh, T, nd)
        output = output.transpose(1, 2).reshape(B, T, C)
        return self.w_o(output)
