"""Loops over rows and columns, and plain lists of lists."""

import torch


def causal_mask(size):
    rows = []
    for query in range(size):
        rows.append([key <= query for key in range(size)])
    return torch.tensor(rows)


def padding_mask(ids, pad_id):
    mask = torch.ones(len(ids), 1, 1, ids.shape[1], dtype=torch.bool, device=ids.device)
    for b in range(ids.shape[0]):
        for s in range(ids.shape[1]):
            mask[b, 0, 0, s] = ids[b, s] != pad_id
    return mask


def additive_mask(mask, dtype):
    flat = mask.reshape(-1)
    added = torch.zeros(len(flat), dtype=dtype, device=mask.device)
    for i in range(len(flat)):
        if not flat[i]:
            added[i] = -float("inf")
    return added.reshape(mask.shape)


def masked_softmax(scores, mask=None, dim=-1):
    if mask is None:
        mask = torch.ones_like(scores)
    moved = scores.movedim(dim, -1)
    hidden = mask.expand(scores.shape).movedim(dim, -1).reshape(-1, moved.shape[-1]) == 0
    rows = []
    for row, hide in zip(moved.reshape(-1, moved.shape[-1]), hidden, strict=True):
        if hide.all():
            rows.append(row.masked_fill(hide, 0.0))
            continue
        row = row.masked_fill(hide, -float("inf"))
        powers = torch.exp(row - row.max())
        rows.append(powers / powers.sum())
    return torch.stack(rows).reshape(moved.shape).movedim(-1, dim)
