"""The softmax is a torch.autograd.Function with a backward pass written by hand."""

import torch
from torch import Tensor


class Shares(torch.autograd.Function):
    """Powers of e, divided by their sum along `dim`; 0 where all scores are -inf."""

    @staticmethod
    def forward(ctx, scores, dim):
        top = scores.amax(dim, keepdim=True)
        powers = torch.exp(scores - torch.where(top == -torch.inf, torch.zeros_like(top), top))
        total = powers.sum(dim, keepdim=True)
        weights = powers / (total + (total == 0))
        ctx.save_for_backward(weights)
        ctx.dim = dim
        return weights

    @staticmethod
    def backward(ctx, gradient):
        (weights,) = ctx.saved_tensors
        mean = (gradient * weights).sum(ctx.dim, keepdim=True)
        return weights * (gradient - mean), None


def causal_mask(size: int) -> Tensor:
    return ~torch.ones(size, size, dtype=torch.bool).triu(1)


def padding_mask(ids: Tensor, pad_id: int) -> Tensor:
    return ids.ne(pad_id)[:, None, None, :]


def additive_mask(mask: Tensor, dtype: torch.dtype) -> Tensor:
    return torch.full(mask.shape, -torch.inf, dtype=dtype, device=mask.device).masked_fill_(mask != 0, 0.0)


def masked_softmax(scores: Tensor, mask: Tensor | None = None, dim: int = -1) -> Tensor:
    if mask is not None:
        scores = scores.masked_fill(mask == 0, -torch.inf)
    return Shares.apply(scores, dim)
