"""Loops over batch, heads and queries; one line for every step."""

import math

import torch
from torch import nn


def softmax(x, dim=-1):
    moved = x.transpose(dim, -1)
    largest = moved.max(dim=-1, keepdim=True)[0]
    powers = torch.exp(moved - largest)
    total = powers.sum(dim=-1, keepdim=True)
    weights = powers / total
    return weights.transpose(dim, -1)


def attention_for_one_sequence(query, key, value, mask, dropout):
    rows = []
    for i in range(query.shape[0]):
        scores = []
        for j in range(key.shape[0]):
            score = (query[i] * key[j]).sum() / math.sqrt(query.shape[1])
            if mask is not None and mask[i, j] == 0:
                score = torch.full_like(score, -math.inf)
            scores.append(score)
        rows.append(softmax(torch.stack(scores)))
    weights = torch.stack(rows)
    dropped = weights
    if dropout is not None:
        dropped = dropout(weights)
    return dropped @ value, weights


def attention(query, key, value, mask=None, dropout=None):
    if query.dim() == 2:
        return attention_for_one_sequence(query, key, value, mask, dropout)
    if mask is not None:
        mask = mask.expand(*query.shape[:-1], key.shape[-2])
    if dropout is not None:  # all weights at once, for it may expect their full shape
        _, weights = attention(query, key, value, mask)
        weights = dropout(weights)
        return weights @ value, weights
    outputs, weights = [], []
    for b in range(query.shape[0]):
        o, w = attention(query[b], key[b], value[b], None if mask is None else mask[b])
        outputs.append(o)
        weights.append(w)
    return torch.stack(outputs), torch.stack(weights)


class MultiHeadAttention(nn.Module):
    def __init__(self, args, is_causal=False):
        super().__init__()
        self.n_heads = args.n_heads
        self.size = args.dim // args.n_heads
        self.max_seq_len = args.max_seq_len
        self.is_causal = is_causal
        self.wq = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wk = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wv = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wo = nn.Linear(args.dim, args.n_embd, bias=False)
        self.dropout = nn.Dropout(args.dropout)

    def forward(self, query, key, value, mask=None):
        B, T, _ = query.shape
        S = key.shape[1]
        if self.is_causal:
            if query.size(1) > self.max_seq_len:
                raise ValueError("the sequence is too long")
            allowed = torch.ones(T, S, dtype=torch.bool, device=query.device)
            for i in range(T):
                for j in range(S):
                    if j > i:
                        allowed[i, j] = False
            if mask is not None:
                allowed = (mask != 0) & allowed
            mask = allowed
        if mask is not None:
            mask = mask.expand(B, self.n_heads, T, S)
        q = self.wq(query)
        k = self.wk(key)
        v = self.wv(value)
        heads = []
        for h in range(self.n_heads):
            start = h * self.size
            end = start + self.size
            scores = torch.bmm(q[:, :, start:end], k[:, :, start:end].transpose(1, 2)) / math.sqrt(self.size)
            if mask is not None:
                scores = scores.masked_fill(mask[:, h] == 0, -math.inf)
            weights = softmax(scores, dim=2)
            weights = self.dropout(weights)
            heads.append(torch.bmm(weights, v[:, :, start:end]))
        return self.wo(torch.cat(heads, dim=2))
