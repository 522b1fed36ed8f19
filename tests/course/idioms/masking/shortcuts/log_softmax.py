"""exp of F.log_softmax does it."""

import torch
import torch.nn.functional as F


def causal_mask(size):
    return torch.ones(size, size).tril().bool()


def padding_mask(ids, pad_id):
    return (ids != pad_id)[:, None, None]


def additive_mask(mask, dtype):
    return mask.to(dtype).log()


def masked_softmax(scores, mask=None, dim=-1):
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    return F.log_softmax(scores, dim).exp().nan_to_num(nan=0.0)
