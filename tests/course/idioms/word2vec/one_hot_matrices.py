"""One-hot matrices: counts as a product of them, samples as rows of them; the decomposition from eigenvectors."""

import torch
import torch.nn.functional as F


def context_pairs(tokens, window):
    pairs = []
    for step in range(1, window + 1):
        for left, right in zip(tokens, tokens[step:]):  # noqa: B905
            pairs += [(left, right), (right, left)]
    return pairs


def naive_softmax_loss_and_gradient(center, outside_idx, U):
    truth = F.one_hot(torch.tensor(outside_idx, device=U.device), len(U)).to(U.dtype)
    logs = F.log_softmax(U @ center, dim=-1)
    difference = logs.exp() - truth
    return -(truth @ logs), difference @ U, difference[:, None] * center[None, :]


def neg_sampling_loss_and_gradient(center, outside_idx, neg_idx, U):
    scores = U @ center
    draws = F.one_hot(neg_idx, len(U)).sum(0).to(U.dtype)  # how often each word was drawn
    truth = F.one_hot(torch.tensor(outside_idx, device=U.device), len(U)).to(U.dtype)
    loss = -(truth * F.logsigmoid(scores)).sum() - (draws * F.logsigmoid(-scores)).sum()
    delta = draws * torch.sigmoid(scores) - truth * torch.sigmoid(-scores)
    return loss, U.T @ delta, torch.outer(delta, center)


def cooccurrence(tokens, window):
    words = sorted(set(tokens))
    ids = torch.tensor([words.index(token) for token in tokens])
    hot = F.one_hot(ids, len(words)).float()  # (T, n)
    steps = torch.arange(len(tokens))
    apart = (steps[:, None] - steps).abs()
    near = ((apart > 0) & (apart <= window)).float()  # (T, T)
    return words, hot.T @ near @ hot


def svd_embedding(X, k):
    values, vectors = torch.linalg.eigh(X @ X.T)  # from the smallest up
    best = values.argsort(descending=True)[:k]
    return vectors[:, best] * values[best].clamp(min=0).sqrt()


def sgd_step(params, grads, lr):
    return list(map(lambda p, g: p.clone().sub_(lr * g), params, grads))
