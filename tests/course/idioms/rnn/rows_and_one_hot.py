"""Vectors are rows (1, n) inside; embeddings are one-hot products; NumPy's norm for the clipping."""

import numpy as np
import torch


def rnn_step(e, h, W_h, W_e, b1, U, b2):
    e, h = e.unsqueeze(0), h.unsqueeze(0)
    h = torch.sigmoid(torch.matmul(h, W_h.t()) + torch.matmul(e, W_e.t()) + b1)
    p = torch.softmax(torch.matmul(h, U.t()) + b2, dim=-1)
    return h.squeeze(0), p.squeeze(0)


def rnn_lm_loss(ids, E, h0, W_h, W_e, b1, U, b2):
    one_hot = torch.eye(E.shape[0], dtype=E.dtype, device=E.device)[ids]
    embedded = one_hot @ E
    h, loss = h0, torch.zeros((), dtype=E.dtype, device=E.device)
    for t in range(ids.shape[0] - 1):
        h = torch.sigmoid(W_h.mv(h) + W_e.mv(embedded[t]) + b1)
        loss = loss - (one_hot[t + 1] * torch.log_softmax(U.mv(h) + b2, 0)).sum() / (ids.shape[0] - 1)
    return loss


def clip_grad_norm(parameters, max_norm):
    grads = [p.grad for p in parameters if p.grad is not None]
    norm = np.sqrt(sum(np.linalg.norm(g.numpy()) ** 2 for g in grads))
    if norm > max_norm:
        for g in grads:
            g *= float(max_norm / norm)
    return float(norm)
