"""nn.Softmax does it, made at import."""

import torch
from torch import nn

ROWS = nn.Softmax(dim=-1)


def causal_mask(size):
    return torch.ones(size, size).tril().bool()


def padding_mask(ids, pad_id):
    return (ids != pad_id)[:, None, None]


def additive_mask(mask, dtype):
    return mask.to(dtype).log()


def masked_softmax(scores, mask=None, dim=-1):
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    return ROWS(scores.movedim(dim, -1)).movedim(-1, dim).nan_to_num(nan=0.0)
