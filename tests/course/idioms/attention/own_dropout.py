"""Dropout written by hand, a namedtuple for the heads, type hints, functional layers."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import torch
import torch.nn.functional as F
from torch import Tensor, nn

import exercises.masking as masking
from exercises.model_args import ModelArgs


class Heads(NamedTuple):
    query: Tensor
    key: Tensor
    value: Tensor


def softmax(x: Tensor, dim: int = -1) -> Tensor:
    """exp(x - max) / sum"""
    maximum, _ = x.max(dim, keepdim=True)
    exponentials = (x - maximum).exp()
    total = exponentials.sum(dim, keepdim=True)
    return exponentials / total


def attention(
    query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None, dropout: Callable | None = None
) -> tuple[Tensor, Tensor]:
    scores = query.matmul(key.transpose(-2, -1)).div(query.new_tensor(float(query.size(-1))).sqrt())
    if mask is not None:
        scores = torch.where(mask > 0, scores, scores.new_full((), -torch.inf))
    weights = softmax(scores)
    weights = weights if dropout is None else dropout(weights)
    return weights.matmul(value), weights


class MultiHeadAttention(nn.Module):
    def __init__(self, args: ModelArgs, is_causal: bool = False) -> None:
        super().__init__()
        self.args = args
        self.is_causal = is_causal
        self.wq = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wk = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wv = nn.Linear(args.n_embd, args.dim, bias=False)
        self.wo = nn.Linear(args.dim, args.n_embd, bias=False)

    def drop(self, weights: Tensor) -> Tensor:
        if not self.training or self.args.dropout == 0.0:
            return weights
        keep = torch.rand_like(weights) >= self.args.dropout
        return weights * keep / (1.0 - self.args.dropout)

    def heads(self, query: Tensor, key: Tensor, value: Tensor) -> Heads:
        def cut(x: Tensor) -> Tensor:
            return torch.stack(x.chunk(self.args.n_heads, dim=-1), dim=1)

        pairs = ((query, self.wq), (key, self.wk), (value, self.wv))
        return Heads(*(cut(F.linear(x, layer.weight)) for x, layer in pairs))

    def forward(self, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None = None) -> Tensor:
        length = query.shape[-2]
        if self.is_causal:
            if length > self.args.max_seq_len:
                raise ValueError(f"{length} positions, at most {self.args.max_seq_len}")
            future = ~masking.causal_mask(length).to(query.device)
            mask = ~future if mask is None else mask.bool().masked_fill(future, False)
        output, _ = attention(*self.heads(query, key, value), mask, self.drop)
        return F.linear(output.transpose(1, 2).flatten(-2), self.wo.weight)
