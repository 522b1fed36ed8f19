"""Functions that write in place, but on copies; helpers, keyword arguments, and annotations of a later Python."""

from __future__ import annotations

import torch

HIDDEN = -float("inf")


def as_boolean(mask: torch.Tensor) -> torch.BoolTensor:
    return mask if mask.dtype is torch.bool else mask.ne(0)


def causal_mask(size: int) -> torch.BoolTensor:
    mask = torch.ones((size, size), dtype=torch.uint8)
    for query in range(size):
        mask[query, query + 1 :] = 0
    return mask.to(dtype=torch.bool)


def padding_mask(ids: torch.LongTensor, pad_id: int) -> torch.BoolTensor:
    real = torch.empty_like(ids, dtype=torch.bool).fill_(True)
    real[ids == pad_id] = False
    return real[:, None, None, :]


def additive_mask(mask: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    added = mask.new_zeros(mask.shape, dtype=dtype)
    return added.masked_fill_(mask=~as_boolean(mask), value=HIDDEN)


def masked_softmax(scores: torch.Tensor, mask: torch.Tensor | None = None, dim: int = -1) -> torch.Tensor:
    scores = scores.clone()
    if mask is not None:
        scores.masked_fill_(mask=~as_boolean(mask), value=HIDDEN)
    top, _ = scores.detach().max(dim=dim, keepdim=True)
    top[top == HIDDEN] = 0
    scores.sub_(top)
    powers = scores.exp()
    total = powers.sum(dim=dim, keepdim=True)
    total[total == 0] = 1
    return powers.div(total)
