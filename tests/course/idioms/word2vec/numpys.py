"""numpy does the arithmetic: tensors become arrays, and arrays tensors; np.add.at for repeated samples."""

import numpy as np
import torch


def context_pairs(tokens, window):
    text = np.arange(len(tokens))
    near = np.abs(text[:, None] - text[None, :])
    first, second = np.nonzero((near > 0) & (near <= window))
    return [(tokens[t], tokens[s]) for t, s in zip(first, second, strict=True)]


def naive_softmax_loss_and_gradient(center, outside_idx, U):
    v, u = center.cpu().numpy(), U.cpu().numpy()
    scores = u.dot(v)
    probabilities = np.exp(scores - scores.max())
    total = probabilities.sum()
    loss = np.log(total) + scores.max() - scores[outside_idx]
    delta = probabilities / total
    delta[outside_idx] -= 1
    grads = u.T.dot(delta), delta[:, np.newaxis] * v[np.newaxis, :]
    return tuple(torch.as_tensor(a, dtype=U.dtype) for a in (loss, *grads))


def neg_sampling_loss_and_gradient(center, outside_idx, neg_idx, U):
    v, u, negatives = center.cpu().numpy(), U.cpu().numpy(), neg_idx.cpu().numpy()
    indices = np.concatenate([[outside_idx], negatives])
    signs = np.where(np.arange(len(indices)) == 0, -1.0, 1.0).astype(u.dtype)
    z = signs * (u[indices] @ v)
    loss = np.logaddexp(0, z).sum()
    delta = signs * np.exp(-np.logaddexp(0, -z))
    grad_u = np.zeros_like(u)
    np.add.at(grad_u, indices, delta[:, None] * v)
    grads = delta @ u[indices], grad_u
    return tuple(torch.as_tensor(a, dtype=U.dtype) for a in (loss, *grads))


def cooccurrence(tokens, window):
    words, places = sorted(set(tokens)), []
    number = {w: i for i, w in enumerate(words)}
    X = np.zeros((len(words), len(words)))
    for a, b in context_pairs(tokens, window):
        places.append((number[a], number[b]))
    if places:
        np.add.at(X, tuple(np.array(places).T), 1)
    return words, torch.from_numpy(X)


def svd_embedding(X, k):
    U, S, _ = np.linalg.svd(X.numpy(), full_matrices=False)
    return torch.from_numpy(U[:, :k] @ np.diag(S[:k]))


def sgd_step(params, grads, lr):
    return [
        torch.from_numpy(np.asarray(p.numpy() - p.numpy().dtype.type(lr) * g.numpy())) for p, g in _both(params, grads)
    ]


def _both(a, b):
    return zip(a, b, strict=True)
