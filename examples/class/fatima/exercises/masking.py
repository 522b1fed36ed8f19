import torch


def causal_mask(size):
    # -inf above the diagonal, like the mask buffer in the notes, then ask where it is 0
    mask = torch.full((size, size), float("-inf"))
    mask = torch.triu(mask, diagonal=1)
    return mask == 0


def padding_mask(ids, pad_id):
    mask = torch.ones_like(ids)
    mask = mask.masked_fill(ids == pad_id, 0)
    return mask[:, None, None, :].bool()


def additive_mask(mask, dtype):
    zero = torch.tensor(0.0, dtype=dtype, device=mask.device)
    minus_inf = torch.tensor(float("-inf"), dtype=dtype, device=mask.device)
    return torch.where(mask > 0, zero, minus_inf)


def masked_softmax(scores, mask=None, dim=-1):
    if mask is None:
        keep = torch.ones_like(scores)
    else:
        keep = (mask > 0).to(scores.dtype)
    # the hidden ones must not decide the maximum, so they get the smallest number there is
    low = torch.finfo(scores.dtype).min
    visible = scores.masked_fill(keep.expand_as(scores) == 0, low)
    shifted = visible - visible.amax(dim=dim, keepdim=True)
    e = torch.exp(shifted) * keep
    s = e.sum(dim=dim, keepdim=True)
    return e / s.masked_fill(s == 0, 1)
