"""Masks. True means "you may look here", everywhere in this file."""

import torch


def causal_mask(size):
    i = torch.arange(size)
    return i[:, None] >= i[None, :]


def padding_mask(ids, pad_id):
    return ids.ne(pad_id).unsqueeze(1).unsqueeze(2)


def additive_mask(mask, dtype):
    # log(1) = 0 and log(0) = -inf, which is exactly the table we need
    return mask.bool().to(dtype).log()


def masked_softmax(scores, mask=None, dim=-1):
    if mask is not None:
        scores = scores + additive_mask(mask, scores.dtype)
    info = torch.finfo(scores.dtype)
    top = scores.amax(dim, keepdim=True).clamp(min=info.min)  # finite even if the whole row is hidden
    e = torch.exp(scores - top)
    return e / e.sum(dim, keepdim=True).clamp(min=info.tiny)
