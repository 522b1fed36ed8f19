"""Comparisons of ranges, unsqueeze, and torch.where instead of masked_fill."""

import torch
from torch import Tensor


def causal_mask(size: int) -> Tensor:
    steps = torch.arange(size)
    return steps.unsqueeze(0) <= steps.unsqueeze(1)


def padding_mask(ids: Tensor, pad_id: int) -> Tensor:
    return torch.logical_not(ids.eq(pad_id)).unsqueeze(1).unsqueeze(2)


def additive_mask(mask: Tensor, dtype: torch.dtype) -> Tensor:
    nothing = torch.zeros((), dtype=dtype, device=mask.device)
    return torch.where(mask.bool(), nothing, -torch.inf)


def masked_softmax(scores: Tensor, mask: Tensor | None = None, dim: int = -1) -> Tensor:
    visible = torch.ones_like(scores, dtype=torch.bool) if mask is None else mask.bool()
    scores = torch.where(visible, scores, -torch.inf)
    top = scores.max(dim=dim, keepdim=True).values
    top = torch.where(top.isneginf(), 0.0, top)
    numerator = torch.exp(scores - top)
    denominator = numerator.sum(dim=dim, keepdim=True)
    return torch.where(denominator > 0, numerator / denominator.clamp(min=1e-30), 0.0)
