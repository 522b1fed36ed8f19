"""Powers are multiplied by the mask as numbers 1 and 0, after a shift that only allowed scores take part in."""

import torch


def causal_mask(size):
    mask = torch.zeros(size, size)
    mask[tuple(torch.tril_indices(size, size))] = 1
    return mask.bool()


def padding_mask(ids, pad_id):
    mask = torch.ones_like(ids).masked_fill(ids == pad_id, 0)
    return mask[:, None, None, :].bool()


def additive_mask(mask, dtype):
    kept = mask.to(dtype)
    return kept.masked_fill(kept == 0, -torch.inf).masked_fill(kept == 1, 0)


def masked_softmax(scores, mask=None, dim=-1):
    if mask is None:
        mask = torch.ones_like(scores)
    keep = (mask != 0).to(scores.dtype)
    least = torch.finfo(scores.dtype).min
    top = scores.detach().masked_fill(keep == 0, least).amax(dim, keepdim=True)
    powers = torch.exp((scores - top).masked_fill(keep == 0, 0.0)) * keep  # a hidden score might overflow
    return powers / (powers.sum(dim, keepdim=True) + torch.finfo(scores.dtype).tiny)
