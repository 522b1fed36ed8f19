"""masks: 1/True = visible"""

import torch
from torch import Tensor


def causal_mask(size: int) -> Tensor:
    rows = [[key <= query for key in range(size)] for query in range(size)]
    return torch.tensor(rows)


def padding_mask(ids: Tensor, pad_id: int) -> Tensor:
    return (~ids.eq(pad_id))[:, None, None]


def additive_mask(mask: Tensor, dtype: torch.dtype) -> Tensor:
    out = torch.zeros_like(mask, dtype=dtype)
    out[mask == 0] = -torch.inf
    return out


def masked_softmax(scores: Tensor, mask: Tensor | None = None, dim: int = -1) -> Tensor:
    if mask is None:
        mask = torch.ones_like(scores)
    mask = mask.bool().expand(scores.shape)
    scores = torch.where(mask, scores, -torch.inf)
    # rows without anything visible become 0 / 0, nan_to_num turns just those into zeros
    e = (scores - scores.max(dim=dim, keepdim=True).values).exp()
    return (e / e.sum(dim=dim, keepdim=True)).nan_to_num(nan=0.0)
