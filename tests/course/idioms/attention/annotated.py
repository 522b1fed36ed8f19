"""As in the Annotated Transformer: clones of one layer in a ModuleList, -1e9, the weights kept as an attribute."""

import copy
import math

import torch
import torch.nn as nn

from exercises.masking import causal_mask


def clones(module, n):
    "Produce n identical layers."
    return nn.ModuleList([copy.deepcopy(module) for _ in range(n)])


def softmax(x, dim=-1):
    x_max = torch.max(x, dim, keepdim=True)[0]
    numerator = torch.exp(x - x_max)
    return numerator.div(numerator.sum(dim, keepdim=True))


def attention(query, key, value, mask=None, dropout=None):
    "Compute 'Scaled Dot Product Attention'"
    d_k = query.size(-1)
    scores = torch.matmul(query, key.transpose(-2, -1)) / math.sqrt(d_k)
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -1e9)
    p_attn = scores.softmax(dim=-1)
    if dropout is not None:
        p_attn = dropout(p_attn)
    return torch.matmul(p_attn, value), p_attn


class MultiHeadAttention(nn.Module):
    def __init__(self, args, is_causal=False):
        super().__init__()
        self.d_k = args.dim // args.n_heads
        self.h = args.n_heads
        self.linears = clones(nn.Linear(args.dim, args.dim, bias=False), 4)
        self.attn = None
        self.dropout = nn.Dropout(p=args.dropout)
        self.is_causal = is_causal
        self.max_seq_len = args.max_seq_len

    def forward(self, query, key, value, mask=None):
        nbatches = query.size(0)
        if self.is_causal:
            t = query.size(1)
            if t > self.max_seq_len:
                raise ValueError("the input is longer than max_seq_len")
            subsequent = causal_mask(t).to(query.device)
            mask = subsequent if mask is None else subsequent & (mask != 0)

        # 1) Do all the linear projections in batch from d_model => h x d_k
        query, key, value = [
            lin(x).view(nbatches, -1, self.h, self.d_k).transpose(1, 2)
            for lin, x in zip(self.linears, (query, key, value), strict=False)
        ]

        # 2) Apply attention on all the projected vectors in batch.
        x, self.attn = attention(query, key, value, mask=mask, dropout=self.dropout)

        # 3) "Concat" using a view and apply a final linear.
        x = x.transpose(1, 2).contiguous().view(nbatches, -1, self.h * self.d_k)
        return self.linears[-1](x)


def load_weights(module, weights):
    for linear, name in zip(module.linears, ("wq", "wk", "wv", "wo"), strict=True):
        linear.weight.copy_(weights[f"{name}.weight"])
