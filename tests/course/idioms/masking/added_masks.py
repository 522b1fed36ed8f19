"""The mask is added to the scores, as additive_mask makes it, and NaN becomes 0 at the end."""

import torch
from torch import Tensor


def causal_mask(size: int) -> Tensor:
    future = torch.full((size, size), float("-inf")).triu(diagonal=1)
    return future == 0


def padding_mask(ids: Tensor, pad_id: int) -> Tensor:
    batch, length = ids.shape
    return ids.ne(pad_id).view(batch, 1, 1, length)


def additive_mask(mask: Tensor, dtype: torch.dtype) -> Tensor:
    added = torch.zeros_like(mask, dtype=dtype)
    added[mask == 0] = float("-inf")
    return added


def masked_softmax(scores: Tensor, mask: Tensor | None = None, dim: int = -1) -> Tensor:
    if mask is not None:
        scores = scores + additive_mask(mask, scores.dtype)
    powers = torch.exp(scores - scores.amax(dim=dim, keepdim=True))
    return torch.nan_to_num(powers / powers.sum(dim=dim, keepdim=True), nan=0.0)
