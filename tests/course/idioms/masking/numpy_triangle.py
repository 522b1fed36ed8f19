"""numpy makes the triangle; the softmax works in float32 and goes back to the dtype of the scores."""

import numpy as np
import torch
from torch import Tensor


def causal_mask(size: int) -> Tensor:
    return torch.from_numpy(np.tri(size, dtype=bool))


def padding_mask(ids: Tensor, pad_id: int) -> Tensor:
    return ~(ids == pad_id)[:, np.newaxis, np.newaxis, :]


def additive_mask(mask: Tensor, dtype: torch.dtype) -> Tensor:
    return torch.zeros(mask.size(), device=mask.device).masked_fill(mask < 1, -np.inf).type(dtype)


def masked_softmax(scores: Tensor, mask: Tensor | None = None, dim: int = -1) -> Tensor:
    x = scores.float()
    if mask is not None:
        x = x.masked_fill(mask < 1, -np.inf)
    x = x - x.amax(dim, keepdim=True).nan_to_num(neginf=0.0)
    powers = x.exp()
    return (powers / powers.sum(dim, keepdim=True).clamp_min(1e-38)).type_as(scores)
