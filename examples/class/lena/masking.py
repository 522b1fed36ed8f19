from __future__ import annotations

import torch
from torch import BoolTensor, Tensor


def as_bool(mask: Tensor) -> BoolTensor:
    return mask if mask.dtype == torch.bool else mask.ne(0)


def causal_mask(size: int) -> BoolTensor:
    return torch.ones(size, size).cumsum(0) >= torch.arange(1, size + 1)


def padding_mask(ids: Tensor, pad_id: int) -> BoolTensor:
    return ids.ne(pad_id).reshape(len(ids), 1, 1, -1)


def additive_mask(mask: Tensor, dtype: torch.dtype) -> Tensor:
    return torch.zeros(mask.shape, dtype=dtype, device=mask.device).masked_fill(~as_bool(mask), -torch.inf)


def masked_softmax(scores: Tensor, mask: Tensor | None = None, dim: int = -1) -> Tensor:
    if mask is None:
        return _softmax(scores, dim)
    visible = as_bool(mask)
    weights = _softmax(scores.masked_fill(~visible, torch.finfo(scores.dtype).min), dim)
    return weights.masked_fill(~visible, 0)  # in a row without anything visible all weights are equal until here


def _softmax(x: Tensor, dim: int) -> Tensor:
    e = (x - x.amax(dim, keepdim=True)).exp()
    return e.div(e.sum(dim, keepdim=True))
