"""A finite fill of -1e9, and hidden weights set to 0 once more at the end."""

import torch
from torch import Tensor


def causal_mask(size: int) -> Tensor:
    return torch.triu(torch.ones(size, size), diagonal=1) == 0


def padding_mask(ids: Tensor, pad_id: int) -> Tensor:
    return (ids != pad_id)[:, None, None]


def additive_mask(mask: Tensor, dtype: torch.dtype) -> Tensor:
    return mask.to(dtype).log()  # log(1) is 0 and log(0) is -inf


def masked_softmax(scores: Tensor, mask: Tensor | None = None, dim: int = -1) -> Tensor:
    if mask is not None:
        hidden = mask.logical_not()
        scores = scores.masked_fill(hidden, -1e9)
    shifted = scores - scores.amax(dim, keepdim=True)
    weights = shifted.exp() / shifted.exp().sum(dim, keepdim=True)
    return weights if mask is None else weights.masked_fill(hidden, 0.0)
