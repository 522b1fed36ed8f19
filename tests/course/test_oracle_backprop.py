"""The references of backprop against autograd, central differences and numbers worked out by hand."""

import math

import pytest
import torch

from solutions.backprop import (
    classifier_backward,
    classifier_forward,
    gradient_dot,
    jacobian_elementwise,
    jacobian_linear,
)

SIZES = pytest.mark.parametrize(("m", "n"), [(1, 1), (2, 3), (4, 2), (3, 3)])


def draw(*shape, seed=1):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def variables(m, n):
    return draw(n, seed=1), draw(m, n, seed=2), draw(m, seed=3), draw(m, seed=4)


def J(x, W, b, u):
    return torch.sigmoid(u @ torch.sigmoid(W @ x + b))


@SIZES
def test_the_jacobian_of_a_linear_map_is_autograds(m, n):
    x, W, _, _ = variables(m, n)
    torch.testing.assert_close(jacobian_linear(W, x), torch.autograd.functional.jacobian(lambda x: W @ x, x))


@pytest.mark.parametrize(("f", "f_prime"), [(torch.sin, torch.cos), (torch.exp, torch.exp)])
def test_the_jacobian_of_an_elementwise_function_is_autograds(f, f_prime):
    z = draw(4)
    torch.testing.assert_close(jacobian_elementwise(f_prime, z), torch.autograd.functional.jacobian(f, z))


def test_the_gradient_of_a_dot_product_is_autograds():
    u, h = draw(5, seed=1), draw(5, seed=2)
    torch.testing.assert_close(gradient_dot(u, h), torch.autograd.functional.jacobian(lambda u: u @ h, u))


@SIZES
def test_the_score_written_out(m, n):
    x, W, b, u = variables(m, n)
    hidden = [1 / (1 + math.exp(-sum(W[i, j].item() * x[j].item() for j in range(n)) - b[i].item())) for i in range(m)]
    score, _ = classifier_forward(x, W, b, u)
    assert score.shape == ()
    assert score.item() == pytest.approx(sum(h * w for h, w in zip(hidden, u.tolist(), strict=True)), rel=1e-12)


@SIZES
def test_the_gradients_are_autograds(m, n):
    given = variables(m, n)
    leaves = [v.clone().requires_grad_() for v in given]
    want = torch.autograd.grad(J(*leaves), leaves)
    _, cache = classifier_forward(*given)
    for _ in range(2):
        torch.testing.assert_close(classifier_backward(cache), want)


@SIZES
def test_the_gradients_are_central_differences(m, n):
    given = variables(m, n)
    found = classifier_backward(classifier_forward(*given)[1])
    for part, gradient in enumerate(found):
        for at in range(gradient.numel()):
            ends = []
            for step in (1e-5, -1e-5):
                moved = [v.clone() for v in given]
                moved[part].view(-1)[at] += step
                ends.append(J(*moved).item())
            assert gradient.reshape(-1)[at].item() == pytest.approx((ends[0] - ends[1]) / 2e-5, abs=1e-9)


def test_worked_numbers():
    # z = (0, 0), h = (1/2, 1/2), s = 0, J = 1/2: slopes 1/4 each
    x, W, u = (
        torch.tensor([1.0, 2.0, -1.0]),
        torch.tensor([[1.0, 0.0, 1.0], [2.0, -1.0, 0.0]]),
        torch.tensor([4.0, -4.0]),
    )
    score, cache = classifier_forward(x, W, torch.zeros(2), u)
    dx, dW, db, du = classifier_backward(cache)
    assert score.item() == 0
    assert du.tolist() == [0.125, 0.125]
    assert db.tolist() == [0.25, -0.25]
    assert dW.tolist() == [[0.25, 0.5, -0.25], [-0.25, -0.5, 0.25]]
    assert dx.tolist() == [-0.25, 0.25, 0.25]


@pytest.mark.parametrize("far", [150.0, -150.0, 800.0, -800.0])
def test_far_from_zero_the_slope_is_zero(far):
    given = torch.ones(2), torch.ones(3, 2), torch.full((3,), far), torch.ones(3)
    score, cache = classifier_forward(*given)
    assert score.item() == (3.0 if far > 0 else 0.0)
    dx, dW, db, du = classifier_backward(cache)
    assert not any(gradient.any() for gradient in (dx, dW, db))
    assert du.isfinite().all()
