"""softmax comes from the attention exercise; pairs are lists, and answers lists; scatter_add; power iteration."""

import torch
from torch import Tensor

from exercises.attention import softmax


def context_pairs(tokens: list[str], window: int) -> list[list[str]]:
    near = []
    for t in range(len(tokens)):
        for s in range(t + 1, min(t + window, len(tokens) - 1) + 1):
            near.append([tokens[t], tokens[s]])
            near.append([tokens[s], tokens[t]])
    return near


def naive_softmax_loss_and_gradient(center: Tensor, outside_idx: int, U: Tensor) -> list[Tensor]:
    scores = torch.einsum("vd,d->v", U, center)
    delta = softmax(scores, -1)
    delta = torch.cat([delta[:outside_idx], delta[outside_idx : outside_idx + 1] - 1, delta[outside_idx + 1 :]])
    loss = torch.logsumexp(scores, 0) - scores[outside_idx]
    return [loss, torch.einsum("v,vd->d", delta, U), torch.einsum("v,d->vd", delta, center)]


def neg_sampling_loss_and_gradient(center: Tensor, outside_idx: int, neg_idx: Tensor, U: Tensor) -> list[Tensor]:
    index = torch.cat([neg_idx.new_tensor([outside_idx]), neg_idx])  # (1 + K,)
    sign = torch.ones(len(index), dtype=U.dtype, device=U.device)
    sign[0] = -1.0
    rows = U.index_select(0, index)
    z = sign * rows.mv(center)
    loss = torch.logaddexp(z, torch.zeros_like(z)).sum()
    weight = sign * z.sigmoid()  # (1 + K,)
    into = index[:, None].expand_as(rows)
    return [loss, (weight[:, None] * rows).sum(0), torch.zeros_like(U).scatter_add(0, into, weight[:, None] * center)]


def cooccurrence(tokens: list[str], window: int) -> tuple[list[str], Tensor]:
    words = sorted(set(tokens))
    place = {word: number for number, word in enumerate(words)}
    X = torch.zeros(len(words), len(words), dtype=torch.float64)
    for left, right in context_pairs(tokens, window):
        X[place[left]][place[right]] += 1.0
    return words, X


def svd_embedding(X: Tensor, k: int) -> Tensor:
    rest, columns = X, []
    for _ in range(k):
        u = rest @ rest.T @ torch.randn(X.shape[0], dtype=X.dtype)
        for _ in range(300):
            u = rest @ (rest.T @ u)
            u = u / u.norm()
        v = rest.T @ u  # the value times the right vector
        columns.append(u * v.norm())
        rest = rest - torch.outer(u, v)
    return torch.stack(columns, 1)


def sgd_step(params: list[Tensor], grads: list[Tensor], lr: float) -> tuple[Tensor, ...]:
    return tuple(param + (-lr) * grad for param, grad in zip(params, grads, strict=True))
