"""Weights as exp(score - log of the sum), with logsumexp."""

import torch


def causal_mask(size):
    return torch.ones(size, size).cumsum(0) >= torch.arange(1, size + 1)


def padding_mask(ids, pad_id):
    return torch.ne(ids, pad_id).reshape(ids.size(0), 1, 1, -1)


def additive_mask(mask, dtype):
    return torch.log(mask.to(dtype))


def masked_softmax(scores, mask=None, dim=-1):
    if mask is not None:
        scores = torch.masked_fill(scores, mask == 0, float("-inf"))
    total = torch.logsumexp(scores, dim, keepdim=True)
    total = total.masked_fill(total == float("-inf"), 0.0)  # nothing allowed: exp(-inf - 0) is 0
    return torch.exp(scores - total)
