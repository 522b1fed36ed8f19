"""Rows without anything allowed are found by mask.any, and get ordinary scores until they are set to 0."""

import torch


def causal_mask(size):
    return torch.tril(torch.ones(size, size)).type(torch.bool)


def padding_mask(ids, pad_id):
    return torch.stack([sequence != pad_id for sequence in ids])[:, None, None, :]


def additive_mask(mask, dtype):
    zero, low = (torch.tensor(value, dtype=dtype, device=mask.device) for value in (0.0, float("-inf")))
    return torch.where(mask == 1, zero, low)


def masked_softmax(scores, mask=None, dim=-1):
    if mask is None:
        mask = torch.ones(scores.shape, dtype=torch.bool, device=scores.device)
    mask = mask.bool().expand_as(scores)
    some = mask.any(dim, keepdim=True)
    scores = scores.masked_fill(~mask & some, float("-inf"))
    scores = scores - scores.amax(dim, keepdim=True)
    powers = 2.718281828459045**scores
    return (powers / powers.sum(dim, keepdim=True)).masked_fill(~mask, 0)
