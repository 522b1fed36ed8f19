"""All scores are stacked for F.cross_entropy; new gradients take the place of the old ones; the norm is a float."""

import math

import torch
import torch.nn.functional as F


def rnn_step(e, h, W_h, W_e, b1, U, b2):
    joined = torch.cat([h, e])
    weights = torch.cat([W_h, W_e], dim=1)
    new = torch.sigmoid(F.linear(joined, weights, b1))
    return new, F.softmax(F.linear(new, U, b2), dim=-1)


def rnn_lm_loss(ids, E, h0, W_h, W_e, b1, U, b2):
    inputs = F.embedding(ids, E) @ W_e.T + b1
    states, h = [], h0
    for x in inputs:
        h = torch.sigmoid(x + W_h @ h)
        states.append(h)
    logits = torch.stack(states) @ U.T + b2
    return F.cross_entropy(logits[:-1], ids[1:])


def clip_grad_norm(parameters, max_norm):
    with_grad = [p for p in parameters if p.grad is not None]
    norm = math.sqrt(sum(float((p.grad.double() ** 2).sum()) for p in with_grad))
    if norm > max_norm:
        for p in with_grad:
            p.grad = p.grad * (max_norm / norm)
    return norm
