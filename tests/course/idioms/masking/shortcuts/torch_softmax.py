"""torch.softmax does it."""

import torch


def causal_mask(size):
    return torch.ones(size, size).tril().bool()


def padding_mask(ids, pad_id):
    return (ids != pad_id)[:, None, None]


def additive_mask(mask, dtype):
    return mask.to(dtype).log()


def masked_softmax(scores, mask=None, dim=-1):
    if mask is None:
        return torch.softmax(scores, dim)
    weights = torch.softmax(scores.masked_fill(mask == 0, float("-inf")), dim)
    return weights.masked_fill(mask == 0, 0.0)
