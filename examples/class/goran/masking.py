import torch


def causal_mask(size: int) -> torch.Tensor:
    return torch.ones(size, size, dtype=torch.bool).triu(1).logical_not()  # [T, T]


def padding_mask(ids: torch.Tensor, pad_id: int) -> torch.Tensor:
    assert ids.dim() == 2, ids.shape  # [B, S]
    return torch.logical_not(ids == pad_id).view(ids.size(0), 1, 1, ids.size(1))  # [B, 1, 1, S]


def additive_mask(mask: torch.Tensor, dtype: torch.dtype) -> torch.Tensor:
    out = torch.full(mask.shape, float("-inf"), dtype=dtype, device=mask.device)
    return out.masked_fill(mask != 0, 0.0)


def masked_softmax(scores, mask=None, dim=-1):
    if mask is None:
        mask = torch.ones((), dtype=torch.bool, device=scores.device)
    mask = mask.to(torch.bool).broadcast_to(scores.shape)
    hidden = ~mask
    # softmax over what is visible: the hidden ones take no part in the maximum and none in the sum
    peak = scores.masked_fill(hidden, -torch.inf).amax(dim=dim, keepdim=True)
    peak = peak.masked_fill(~mask.any(dim=dim, keepdim=True), 0.0)
    ex = (scores - peak).masked_fill(hidden, -torch.inf).exp()
    norm = ex.sum(dim=dim, keepdim=True)
    return ex / norm.masked_fill(norm == 0, 1.0)
