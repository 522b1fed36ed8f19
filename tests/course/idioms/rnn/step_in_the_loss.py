"""The loss is made of rnn_step and -log of its probabilities; the factor of the clipping is at most 1."""

import torch


def rnn_step(e, h, W_h, W_e, b1, U, b2):
    h = (W_h @ h + W_e @ e + b1).sigmoid()
    return h, torch.softmax(U @ h + b2, dim=0)


def rnn_lm_loss(ids, E, h0, W_h, W_e, b1, U, b2):
    h = h0
    total = 0
    for t in range(len(ids) - 1):
        h, p = rnn_step(E[ids[t]], h, W_h, W_e, b1, U, b2)
        total = total - torch.log(p[ids[t + 1]])
    return total / (len(ids) - 1)


def clip_grad_norm(parameters, max_norm):
    parameters = list(parameters)
    total = torch.sqrt(torch.tensor(sum(p.grad.pow(2).sum().item() for p in parameters if p.grad is not None)))
    scale = min(1.0, max_norm / (total.item() + 1e-6))
    for p in parameters:
        if p.grad is not None:
            p.grad.mul_(scale)
    return total
