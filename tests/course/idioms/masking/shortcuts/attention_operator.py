"""F.scaled_dot_product_attention does it, between the scores and two identities."""

import torch
import torch.nn.functional as F


def causal_mask(size):
    return torch.ones(size, size).tril().bool()


def padding_mask(ids, pad_id):
    return (ids != pad_id)[:, None, None]


def additive_mask(mask, dtype):
    return mask.to(dtype).log()


def masked_softmax(scores, mask=None, dim=-1):
    keep = torch.ones_like(scores, dtype=torch.bool) if mask is None else (mask != 0).expand_as(scores)
    rows, keep = (t.movedim(dim, -1).reshape(-1, scores.shape[dim]) for t in (scores, keep))
    same = torch.eye(rows.shape[-1], dtype=rows.dtype, device=rows.device)
    top = rows.masked_fill(~keep, -torch.inf).amax(-1, keepdim=True).nan_to_num(neginf=0.0)
    shifted = (rows - top).masked_fill(~keep, 0.0)
    weights = F.scaled_dot_product_attention(shifted, same, same, keep, scale=1.0)
    moved = scores.movedim(dim, -1).shape
    return weights.masked_fill(~keep, 0.0).reshape(moved).movedim(-1, dim)
