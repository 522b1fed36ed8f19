import torch


def causal_mask(size):
    mask = torch.zeros(size, size)
    mask[torch.tril_indices(size, size).unbind()] = 1
    return mask.bool()


def padding_mask(ids, pad_id):
    B, S = ids.shape
    return (ids != pad_id).reshape([B, 1, 1, S])


def additive_mask(mask, dtype):
    mask = mask.to(dtype)
    return mask.masked_fill(mask == 0, float("-inf")).masked_fill(mask == 1, 0.0)


def masked_softmax(scores, mask=None, dim=-1):
    # softmax by hand:
    #   1. hide
    #   2. minus max
    #   3. exp
    #   4. normalise
    if mask is not None:
        scores = scores.masked_fill(mask == 0, float("-inf"))
    m = torch.amax(scores, dim, keepdim=True)
    m = m.masked_fill(torch.isneginf(m), 0)
    e = torch.exp(scores - m)
    total = e.sum(dim, keepdim=True)
    result = e / total
    return result.masked_fill(total == 0, 0)  # all hidden
