"""torch.optim takes the step on copies; pairs come from a generator; deltas from one vector of labels."""

import itertools

import torch
from torch import nn


def _pairs(tokens, window):
    for (t, a), (s, b) in itertools.product(enumerate(tokens), repeat=2):
        if t != s and abs(t - s) <= window:
            yield a, b


def context_pairs(tokens, window):
    return list(_pairs(tokens, window))


def naive_softmax_loss_and_gradient(center, outside_idx, U):
    y_hat = nn.functional.softmax(U @ center, dim=0)
    y = torch.zeros_like(y_hat)
    y[outside_idx] = 1
    loss = nn.functional.nll_loss(
        nn.functional.log_softmax(U @ center, 0)[None], torch.tensor([outside_idx]).to(U.device)
    )
    return loss, U.t().matmul(y_hat - y), (y_hat - y).reshape(-1, 1).matmul(center.reshape(1, -1))


def neg_sampling_loss_and_gradient(center, outside_idx, neg_idx, U):
    index = [outside_idx, *neg_idx.tolist()]
    labels = torch.zeros(len(index), dtype=U.dtype, device=U.device)
    labels[0] = 1
    scores = U[index] @ center
    loss = nn.functional.binary_cross_entropy_with_logits(scores, labels, reduction="sum")
    delta = scores.sigmoid() - labels
    grad_U = torch.zeros_like(U).index_put(
        (torch.tensor(index, device=U.device),), delta.unsqueeze(1) * center, accumulate=True
    )
    return loss, delta @ U[index], grad_U


def cooccurrence(tokens, window):
    words = tuple(sorted(frozenset(tokens)))
    row = dict(zip(words, range(len(words)), strict=True))
    X = torch.zeros(len(words), len(words))
    for a, b in _pairs(tokens, window):
        X[row[a], row[b]] = X[row[a], row[b]] + 1
    return words, X


def svd_embedding(X, k):
    U, S, _ = torch.linalg.svd(X)
    return U[:, :k] @ torch.diag(S[:k])


def sgd_step(params, grads, lr):
    copies = [nn.Parameter(p.clone()) for p in params]
    for copy, grad in zip(copies, grads, strict=True):
        copy.grad = grad.clone()
    torch.optim.SGD(copies, lr=lr).step()
    return [copy.detach() for copy in copies]
