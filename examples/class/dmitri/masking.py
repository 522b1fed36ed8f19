import torch as t

INF = float("inf")


def causal_mask(size):
    return t.ones(size, size).tril().bool()


def padding_mask(ids, pad_id):
    return ids[:, None, None] != pad_id


def additive_mask(mask, dtype):
    return t.zeros_like(mask, dtype=dtype).masked_fill_(mask == 0, -INF)


def masked_softmax(scores, mask=None, dim=-1):
    if mask is None:
        mask = t.ones_like(scores)
    s = scores.masked_fill(mask == 0, -INF)
    m = s.amax(dim, True)
    e = (s - m.masked_fill(m == -INF, 0)).exp()
    z = e.sum(dim, True)
    return e / (z + (z == 0))
