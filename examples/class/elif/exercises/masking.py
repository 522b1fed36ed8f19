# Homework 1 - masks
# Elif, group B

import torch
from torch import Tensor


def causal_mask(size: int) -> Tensor:
    # triu(diagonal=1) marks everything strictly above the diagonal, i.e. the future.
    # We want the opposite of that.
    everything = torch.ones((size, size), dtype=torch.bool)
    future = torch.triu(everything, diagonal=1)
    present_and_past = torch.logical_not(future)
    return present_and_past


def padding_mask(ids: Tensor, pad_id: int) -> Tensor:
    batch_size = ids.shape[0]
    sequence_length = ids.shape[1]
    is_real_token = torch.ne(ids, pad_id)
    # two axes of size one: for the heads and for the queries
    return is_real_token.reshape(batch_size, 1, 1, sequence_length)


def additive_mask(mask: Tensor, dtype: torch.dtype) -> Tensor:
    result = torch.zeros(mask.shape, dtype=dtype, device=mask.device)
    result = result.masked_fill(torch.logical_not(mask), float("-inf"))
    return result


def masked_softmax(scores: Tensor, mask: Tensor | None = None, dim: int = -1) -> Tensor:
    # 1. masked positions get -infinity
    if mask is not None:
        minus_infinity = torch.full_like(scores, float("-inf"))
        scores = torch.where(mask.bool(), minus_infinity, scores)

    # 2. subtract the maximum, so that exp() cannot overflow
    maximum = torch.amax(scores, dim=dim, keepdim=True)
    maximum = torch.where(torch.isinf(maximum), torch.zeros_like(maximum), maximum)
    exponentials = torch.exp(scores - maximum)

    # 3. divide by the sum. If all positions are masked the sum is 0, then we divide by 1 instead.
    total = torch.sum(exponentials, dim=dim, keepdim=True)
    total = torch.where(total == 0, torch.ones_like(total), total)
    return exponentials / total
