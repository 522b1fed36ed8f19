"""Fused projection with load_weights, a causal buffer of 0 and 1, view and transpose, dropout after wo as well."""

import math

import torch
import torch.nn as nn
from torch.nn import functional as F


def softmax(x, dim=-1):
    x = x - x.max(dim=dim, keepdim=True).values
    e = torch.exp(x)
    return e / torch.sum(e, dim=dim, keepdim=True)


def attention(q, k, v, mask=None, dropout=None):
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    if mask is not None:
        att = att.masked_fill(mask == 0, float("-inf"))
    att = F.softmax(att, dim=-1)
    if dropout is not None:
        att = dropout(att)
    return att @ v, att


class MultiHeadAttention(nn.Module):
    def __init__(self, config, is_causal=False):
        super().__init__()
        assert config.n_embd % config.n_heads == 0
        self.c_attn = nn.Linear(config.n_embd, 3 * config.n_embd, bias=False)
        self.c_proj = nn.Linear(config.n_embd, config.n_embd, bias=False)
        self.attn_dropout = nn.Dropout(config.dropout)
        self.resid_dropout = nn.Dropout(config.dropout)
        self.n_head = config.n_heads
        self.n_embd = config.n_embd
        self.max_seq_len = config.max_seq_len
        self.causal = is_causal
        if is_causal:
            ones = torch.ones(config.max_seq_len, config.max_seq_len)
            self.register_buffer("bias", torch.tril(ones).view(1, 1, config.max_seq_len, config.max_seq_len))

    def forward(self, query, key, value, mask=None):
        B, T, C = query.size()
        S = key.size(1)
        w_q, w_k, w_v = self.c_attn.weight.split(self.n_embd, dim=0)
        q = F.linear(query, w_q).view(B, T, self.n_head, C // self.n_head).transpose(1, 2)
        k = F.linear(key, w_k).view(B, S, self.n_head, C // self.n_head).transpose(1, 2)
        v = F.linear(value, w_v).view(B, S, self.n_head, C // self.n_head).transpose(1, 2)

        att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
        if self.causal:
            assert query.size(1) <= self.max_seq_len, (
                f"cannot attend over {T} positions, the buffer holds {self.max_seq_len}"
            )
            att = att.masked_fill(self.bias[:, :, :T, :T] == 0, float("-inf"))
        if mask is not None:
            att = att.masked_fill(mask == 0, float("-inf"))
        att = F.softmax(att, dim=-1)
        att = self.attn_dropout(att)
        y = att @ v
        y = y.transpose(1, 2).contiguous().view(B, T, C)
        return self.resid_dropout(self.c_proj(y))


def load_weights(module, weights):
    module.c_attn.weight.copy_(torch.cat([weights["wq.weight"], weights["wk.weight"], weights["wv.weight"]]))
    module.c_proj.weight.copy_(weights["wo.weight"])
