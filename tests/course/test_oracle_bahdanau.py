"""The reference of AdditiveAttention against sums written out, and what must hold of it."""

import math

import pytest
import torch

from solutions.bahdanau import AdditiveAttention


def draw(*shape, seed=1):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def filled(q_dim=2, k_dim=3, hidden=4):
    layer = AdditiveAttention(q_dim, k_dim, hidden).double()
    with torch.no_grad():
        for seed, parameter in enumerate(layer.parameters(), 10):
            parameter.copy_(draw(*parameter.shape, seed=seed))
    return layer


def written_out(layer, query, keys, mask):
    """Key by key, in Python's own arithmetic."""
    W, b, v = layer.W.weight.tolist(), layer.W.bias.tolist(), layer.v.weight[0].tolist()
    contexts, rows = [], []
    for q, sequence, seen in zip(query.tolist(), keys.tolist(), mask.tolist(), strict=True):
        powers = []
        for key, may in zip(sequence, seen, strict=True):
            joined = [*q, *key]
            hidden = [math.tanh(sum(w * x for w, x in zip(W[i], joined, strict=True)) + b[i]) for i in range(len(b))]
            powers.append(math.exp(sum(x * y for x, y in zip(v, hidden, strict=True))) if may else 0.0)
        rows.append([power / sum(powers) for power in powers])
        contexts.append([0.0] * keys.size(2))
        for weight, key in zip(rows[-1], sequence, strict=True):
            contexts[-1] = [c + weight * k for c, k in zip(contexts[-1], key, strict=True)]
    return torch.tensor(contexts, dtype=torch.float64), torch.tensor(rows, dtype=torch.float64)


@pytest.mark.parametrize("mask", [[[1, 1, 1, 1], [1, 1, 1, 1]], [[1, 0, 1, 1], [0, 0, 0, 1]]])
@pytest.mark.parametrize("kind", [torch.bool, torch.int64])
def test_it_is_the_formula(mask, kind):
    layer, query, keys = filled(), draw(2, 2), draw(2, 4, 3, seed=2)
    mask = torch.tensor(mask)
    want = written_out(layer, query, keys, mask)
    torch.testing.assert_close(layer(query, keys, mask.to(kind)), want)
    if mask.all():
        torch.testing.assert_close(layer(query, keys), want)


def test_worked_numbers():
    layer = AdditiveAttention(1, 1, 1)
    with torch.no_grad():
        for parameter, value in zip(layer.parameters(), ([[0.0, 100.0]], [0.0], [[math.log(3) / 2]]), strict=True):
            parameter.copy_(torch.tensor(value))
    # tanh(±100) = ±1, so the scores are ± log(3) / 2, and their powers are in the proportion 3 : 1
    context, weights = layer(torch.tensor([[7.0]]), torch.tensor([[[1.0], [-1.0]]]))
    torch.testing.assert_close(weights, torch.tensor([[0.75, 0.25]]))
    torch.testing.assert_close(context, torch.tensor([[0.5]]))


def test_one_key_has_weight_1():
    keys = draw(1, 1, 3, seed=2)
    context, weights = filled()(draw(1, 2), keys)
    assert weights.tolist() == [[1.0]]
    torch.testing.assert_close(context, keys[:, 0])


def test_gradients_are_those_of_finite_differences():
    layer = filled()
    mask = torch.tensor([[True, False, True], [True, True, True]])
    inputs = (draw(2, 2).requires_grad_(), draw(2, 3, 3, seed=2).requires_grad_())
    assert torch.autograd.gradcheck(lambda q, k: layer(q, k, mask), inputs)


def test_the_parameters():
    shapes = {name: tuple(p.shape) for name, p in AdditiveAttention(2, 3, 4).named_parameters()}
    assert shapes == {"W.weight": (4, 5), "W.bias": (4,), "v.weight": (1, 4)}
