"""The references of word2vec against autograd, difference quotients, numpy and numbers worked out by hand."""

import math
from collections import Counter

import numpy as np
import pytest
import torch
import torch.nn.functional as F

from solutions import standins
from solutions import word2vec as course

PAIRS = pytest.mark.parametrize("context_pairs", [course.context_pairs, standins.context_pairs])
SAMPLES = [[1], [3, 1, 4], [3, 3, 1, 3]]


def draw(*shape, seed=1, scale=1.0):
    return scale * torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def naive(center, U):
    return F.cross_entropy((U @ center)[None], torch.tensor([2]))


def sampled(center, U, samples):
    loss = -torch.log(torch.sigmoid(U[2] @ center))
    for k in samples:
        loss = loss - torch.log(1 - torch.sigmoid(U[k] @ center))
    return loss


def quotients(loss, x):
    """The gradient by central differences."""
    gradient = torch.zeros_like(x)
    for i in range(x.numel()):
        step = torch.zeros_like(x)
        step.view(-1)[i] = 1e-5
        gradient.view(-1)[i] = (loss(x + step) - loss(x - step)) / 2e-5
    return gradient


@PAIRS
def test_pairs_of_a_worked_text(context_pairs):
    assert sorted(context_pairs(["a", "b", "c"], 1)) == [("a", "b"), ("b", "a"), ("b", "c"), ("c", "b")]
    assert sorted(context_pairs(["a", "b", "a"], 2)) == [("a", "a")] * 2 + [("a", "b")] * 2 + [("b", "a")] * 2
    assert context_pairs([], 2) == []
    assert context_pairs(["a"], 2) == []


@PAIRS
@pytest.mark.parametrize("window", [1, 2, 3, 9])
def test_pairs_are_all_positions_that_are_near(context_pairs, window):
    text = list("abcabbacd")
    near = [(a, b) for t, a in enumerate(text) for s, b in enumerate(text) if 0 < abs(t - s) <= window]
    assert Counter(context_pairs(text, window)) == Counter(near)


def test_naive_softmax_has_the_gradients_of_autograd_and_of_differences():
    center, U = draw(4).requires_grad_(), draw(6, 4, seed=2).requires_grad_()
    loss, grad_center, grad_U = course.naive_softmax_loss_and_gradient(center.detach(), 2, U.detach())
    want = naive(center, U)
    torch.testing.assert_close(loss, want.detach())
    for got, wanted in zip((grad_center, grad_U), torch.autograd.grad(want, (center, U)), strict=True):
        torch.testing.assert_close(got, wanted, rtol=1e-10, atol=1e-12)
    center, U = center.detach(), U.detach()
    torch.testing.assert_close(grad_center, quotients(lambda v: naive(v, U), center), rtol=1e-6, atol=1e-8)
    torch.testing.assert_close(grad_U, quotients(lambda u: naive(center, u), U), rtol=1e-6, atol=1e-8)


@pytest.mark.parametrize("samples", SAMPLES)
def test_neg_sampling_has_the_gradients_of_autograd_and_of_differences(samples):
    center, U = draw(4).requires_grad_(), draw(6, 4, seed=2).requires_grad_()
    question = (center.detach(), 2, torch.tensor(samples), U.detach())
    loss, grad_center, grad_U = course.neg_sampling_loss_and_gradient(*question)
    want = sampled(center, U, samples)
    torch.testing.assert_close(loss, want.detach())
    for got, wanted in zip((grad_center, grad_U), torch.autograd.grad(want, (center, U)), strict=True):
        torch.testing.assert_close(got, wanted, rtol=1e-10, atol=1e-12)
    center, U = center.detach(), U.detach()
    torch.testing.assert_close(grad_center, quotients(lambda v: sampled(v, U, samples), center), rtol=1e-6, atol=1e-8)
    torch.testing.assert_close(grad_U, quotients(lambda u: sampled(center, u, samples), U), rtol=1e-6, atol=1e-8)


def test_worked_losses():
    # all scores are 0: a softmax of V = 4 words, and K + 1 = 3 questions with the answer one half
    center, U = torch.zeros(3), torch.ones(4, 3)
    loss, grad_center, grad_U = course.naive_softmax_loss_and_gradient(center, 1, U)
    assert loss.item() == pytest.approx(math.log(4))
    assert grad_center.tolist() == [0.0, 0.0, 0.0]  # all rows are equal, so they pull with 1/4 each and -1
    assert grad_U.abs().max() == 0
    loss, grad_center, _ = course.neg_sampling_loss_and_gradient(center, 1, torch.tensor([0, 0]), U)
    assert loss.item() == pytest.approx(3 * math.log(2))
    assert grad_center.tolist() == [0.5, 0.5, 0.5]  # -1/2 + 2 * 1/2


def test_scores_of_hundreds_are_no_reason_for_inf():
    center, U = torch.full((2,), 20.0), torch.tensor([[10.0, 10.0], [-10.0, -10.0], [0.0, 0.0]])  # 400, -400, 0
    loss, *gradients = course.naive_softmax_loss_and_gradient(center, 1, U)
    assert loss.item() == pytest.approx(800)
    assert all(g.isfinite().all() for g in gradients)
    loss, *gradients = course.neg_sampling_loss_and_gradient(center, 1, torch.tensor([0]), U)
    assert loss.item() == pytest.approx(800)
    assert all(g.isfinite().all() for g in gradients)


@pytest.mark.parametrize("window", [1, 2, 5])
def test_counts_are_those_of_the_pairs(window):
    text = ["the", "cat", "sat", "on", "the", "the", "mat", "the", "Cat"]
    words, X = course.cooccurrence(text, window)
    assert words == ["Cat", "cat", "mat", "on", "sat", "the"]
    assert torch.equal(X, X.T)
    for i, a in enumerate(words):
        for j, b in enumerate(words):
            near = [(t, s) for t, x in enumerate(text) for s, y in enumerate(text) if (x, y) == (a, b)]
            assert X[i, j] == sum(0 < abs(t - s) <= window for t, s in near)


def test_worked_counts():
    words, X = course.cooccurrence(["a", "a", "b"], 1)
    assert words == ["a", "b"]
    assert X.tolist() == [[2.0, 1.0], [1.0, 0.0]]


@pytest.mark.parametrize(("rows", "columns", "k"), [(5, 3, 2), (3, 6, 3), (4, 4, 1)])
def test_svd_embedding_is_numpys_up_to_signs(rows, columns, k):
    X = draw(rows, columns)
    U, S, _ = np.linalg.svd(X.numpy(), full_matrices=False)
    got, want = course.svd_embedding(X, k), torch.from_numpy(U[:, :k] * S[:k])
    torch.testing.assert_close(got.abs(), want.abs())
    torch.testing.assert_close(got @ got.T, want @ want.T)


def test_svd_embedding_keeps_distances_if_it_keeps_all_columns():
    X = draw(4, 6)
    got = course.svd_embedding(X, 4)
    torch.testing.assert_close(got @ got.T, X @ X.T)


def test_a_step_is_that_of_torch_optim():
    params, grads = [draw(2, 3), draw(4, seed=2)], [draw(2, 3, seed=3), draw(4, seed=4)]
    copies = [torch.nn.Parameter(p.clone()) for p in params]
    for copy, grad in zip(copies, grads, strict=True):
        copy.grad = grad
    torch.optim.SGD(copies, lr=0.3).step()
    for got, want in zip(course.sgd_step(params, grads, 0.3), copies, strict=True):
        torch.testing.assert_close(got, want.detach())
