"""Losses from PyTorch's functions, their gradients from autograd; a Counter of pairs; X V for U S."""

from collections import Counter

import torch
import torch.nn.functional as F


def context_pairs(tokens, window):
    return [(word, near) for t, word in enumerate(tokens) for near in _near(tokens, t, window)]


def _near(tokens, t, window):
    return tokens[max(t - window, 0) : t] + tokens[t + 1 : t + 1 + window]


def _with_gradients(loss_of, center, U):
    with torch.enable_grad():
        center, U = center.detach().clone().requires_grad_(), U.detach().clone().requires_grad_()
        loss = loss_of(center, U)
    return (loss.detach(), *torch.autograd.grad(loss, (center, U)))


def naive_softmax_loss_and_gradient(center, outside_idx, U):
    target = torch.tensor(outside_idx, device=U.device)
    return _with_gradients(lambda v, u: F.cross_entropy(u @ v, target), center, U)


def neg_sampling_loss_and_gradient(center, outside_idx, neg_idx, U):
    def loss_of(v, u):
        scores = torch.cat([u[outside_idx : outside_idx + 1], -u[neg_idx]]) @ v
        return F.softplus(-scores).sum()

    return _with_gradients(loss_of, center, U)


def cooccurrence(tokens, window):
    counts = Counter(context_pairs(tokens, window))
    words = sorted(dict.fromkeys(tokens))
    return words, torch.tensor([[float(counts[a, b]) for b in words] for a in words])


def svd_embedding(X, k):
    _, _, Vh = torch.linalg.svd(X)
    return X @ Vh[:k].mT


def sgd_step(params, grads, lr):
    return [torch.sub(p, g, alpha=lr) for p, g in zip(params, grads)]  # noqa: B905
