"""Loops over words and numbers, one sigmoid helper, as in the formulas of a first lecture."""

import torch
from torch import Tensor


def context_pairs(tokens, window):
    pairs = []
    for t in range(len(tokens)):
        for j in range(-window, window + 1):
            if j == 0 or t + j < 0 or t + j >= len(tokens):
                continue
            pairs.append((tokens[t], tokens[t + j]))
    return pairs


def sigmoid(z: Tensor) -> Tensor:
    # each side with the exponential that cannot overflow
    small = torch.exp(-torch.abs(z))
    return torch.where(z >= 0, 1 / (1 + small), small / (1 + small))


def minus_log_sigmoid(z: Tensor) -> Tensor:
    return torch.clamp(-z, min=0) + torch.log1p(torch.exp(-torch.abs(z)))


def naive_softmax_loss_and_gradient(center, outside_idx, U):
    scores = torch.stack([(row * center).sum() for row in U])
    shifted = scores - scores.max()
    total = shifted.exp().sum()
    loss = total.log() - shifted[outside_idx]
    grad_center, grad_U = torch.zeros_like(center), torch.zeros_like(U)
    for w in range(len(U)):
        delta = shifted[w].exp() / total - (1 if w == outside_idx else 0)
        grad_center = grad_center + delta * U[w]
        grad_U[w] = delta * center
    return loss, grad_center, grad_U


def neg_sampling_loss_and_gradient(center, outside_idx, neg_idx, U):
    score = U[outside_idx] @ center
    loss = minus_log_sigmoid(score)
    grad_center = (sigmoid(score) - 1) * U[outside_idx]
    grad_U = torch.zeros_like(U)
    grad_U[outside_idx] += (sigmoid(score) - 1) * center
    for k in neg_idx:
        score = U[k] @ center
        loss = loss + minus_log_sigmoid(-score)
        grad_center = grad_center + sigmoid(score) * U[k]
        grad_U[k] += sigmoid(score) * center
    return loss, grad_center, grad_U


def cooccurrence(tokens, window):
    words = []
    for token in tokens:
        if token not in words:
            words.append(token)
    words.sort()
    counts = [[0.0] * len(words) for _ in words]
    for t, centre in enumerate(tokens):
        for s, outside in enumerate(tokens):
            if 0 < abs(t - s) <= window:
                counts[words.index(centre)][words.index(outside)] += 1
    return words, torch.tensor(counts)


def svd_embedding(X, k):
    U, S, _ = torch.svd(X)
    columns = []
    for j in range(k):
        columns.append(U[:, j] * S[j])
    return torch.stack(columns, dim=1)


def sgd_step(params, grads, lr):
    new = []
    for i in range(len(params)):
        new.append(params[i] - grads[i] * lr)
    return new
