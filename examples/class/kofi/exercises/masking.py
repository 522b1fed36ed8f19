import torch


def causal_mask(size):
    return torch.tril(torch.ones(size, size)) == 1


def padding_mask(ids, pad_id):
    return (ids != pad_id).unsqueeze(-2).unsqueeze(-2)


def additive_mask(mask, dtype):
    m = torch.zeros(mask.shape, device=mask.device).to(dtype)
    return m.masked_fill(mask == 0, float("-inf"))


def masked_softmax(scores, mask=None, dim=-1):
    if mask is None:
        w = torch.exp(scores - scores.amax(dim, keepdim=True))
        return w / w.sum(dim, keepdim=True)
    hidden = mask == 0
    scores = scores.masked_fill(hidden, float("-inf"))
    top = scores.amax(dim, keepdim=True)
    w = torch.exp(scores - torch.where(top == float("-inf"), 0.0, top))
    s = w.sum(dim, keepdim=True)
    return w / torch.where(s == 0, 1.0, s)
