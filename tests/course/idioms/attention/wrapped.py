"""attention is a thin wrapper of a class; heads folded as in d2l; the causal mask is made of indices and cached."""

import torch
from torch import nn

from exercises.masking import masked_softmax


def softmax(x, dim=-1):
    x_exp = torch.exp(x - torch.amax(x, dim=dim, keepdim=True))
    partition = x_exp.sum(dim, keepdim=True)
    return x_exp / partition  # the broadcasting mechanism is applied here


class DotProductAttention(nn.Module):
    """As in d2l: queries, keys, values, then a mask."""

    def __init__(self, dropout=None):
        super().__init__()
        self.dropout = dropout or nn.Identity()

    def forward(self, queries, keys, values, mask=None):
        d = queries.shape[-1]
        scores = torch.matmul(queries, keys.mT) / d**0.5
        self.attention_weights = masked_softmax(scores, mask)
        return torch.matmul(self.dropout(self.attention_weights), values)


def attention(query, key, value, mask=None, dropout=None):
    layer = DotProductAttention()
    if dropout is not None:
        layer.dropout = dropout if isinstance(dropout, nn.Module) else Function(dropout)
    output = layer(query, key, value, mask)
    return output, layer.attention_weights


class Function(nn.Module):
    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, x):
        return self.function(x)


class MultiHeadAttention(nn.Module):
    def __init__(self, args, is_causal=False):
        super().__init__()
        self.num_heads = args.n_heads
        self.max_seq_len = args.max_seq_len
        self.is_causal = is_causal
        self.attention = DotProductAttention(nn.Dropout(args.dropout))
        self.wq = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wk = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wv = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wo = nn.Linear(args.dim, args.n_embd, bias=False)
        self.seen = {}

    def past(self, size, device):
        if (size, device) not in self.seen:
            rows, columns = torch.tril_indices(size, size, device=device)
            mask = torch.zeros(size, size, dtype=torch.bool, device=device)
            mask[rows, columns] = True
            self.seen[size, device] = mask
        return self.seen[size, device]

    def transpose_qkv(self, x):
        x = x.reshape(x.shape[0], x.shape[1], self.num_heads, -1).permute(0, 2, 1, 3)
        return x.reshape(-1, x.shape[2], x.shape[3])

    def transpose_output(self, x):
        x = x.reshape(-1, self.num_heads, x.shape[1], x.shape[2]).permute(0, 2, 1, 3)
        return x.reshape(x.shape[0], x.shape[1], -1)

    def forward(self, queries, keys, values, mask=None):
        size = queries.shape[1]
        if self.is_causal:
            if size > self.max_seq_len:
                raise ValueError("too long")
            past = self.past(size, queries.device)
            mask = past if mask is None else torch.minimum(past, mask.bool())
        if mask is not None:
            shape = (queries.shape[0], self.num_heads, size, keys.shape[1])
            mask = mask.expand(shape).reshape(-1, *shape[2:])
        output = self.attention(
            self.transpose_qkv(self.wq(queries)),
            self.transpose_qkv(self.wk(keys)),
            self.transpose_qkv(self.wv(values)),
            mask,
        )
        return self.wo(self.transpose_output(output))
