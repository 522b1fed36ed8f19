"""The references of the activations against PyTorch, Python's own erf and numbers worked out by hand."""

import math

import pytest
import torch
import torch.nn.functional as F

from solutions import activations as course

X = torch.linspace(-7.0, 7.0, 141, dtype=torch.float64)


def test_relu_is_pytorchs():
    torch.testing.assert_close(course.relu(X), F.relu(X), rtol=0, atol=0)
    assert course.relu(torch.tensor([-2.0, 0.0, 200.0])).tolist() == [0.0, 0.0, 200.0]


def test_gelu_is_x_times_the_normal_distribution():
    torch.testing.assert_close(course.gelu(X), F.gelu(X))
    want = [x * 0.5 * math.erfc(-x / math.sqrt(2)) for x in X.tolist()]
    torch.testing.assert_close(course.gelu(X), torch.tensor(want, dtype=torch.float64))


def test_gelu_tanh_is_pytorchs():
    torch.testing.assert_close(course.gelu_tanh(X), F.gelu(X, approximate="tanh"))


def test_worked_numbers():
    two = torch.tensor([1.0, -1.0, -2.0], dtype=torch.float64)
    numbers = torch.tensor([0.841345, -0.158655, -0.045500], dtype=torch.float64)  # x Phi(x): Phi(1) = 0.841345
    torch.testing.assert_close(course.gelu(two), numbers, atol=1e-6, rtol=0)
    numbers = torch.tensor([0.841192, -0.158808, -0.045402], dtype=torch.float64)
    torch.testing.assert_close(course.gelu_tanh(two), numbers, atol=1e-6, rtol=0)


def test_the_two_gelus_differ_by_less_than_a_thousandth_and_by_more_than_the_limit():
    apart = (course.gelu(X) - course.gelu_tanh(X)).abs().max()
    assert 4e-4 < apart < 1e-3


@pytest.mark.parametrize("function", [course.relu, course.gelu, course.gelu_tanh])
def test_gradients_are_those_of_finite_differences(function):
    x = torch.tensor([-3.0, -0.7, 0.2, 1.9], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(function, x)


@pytest.mark.parametrize("function", [course.gelu, course.gelu_tanh])
def test_hundreds_are_no_reason_for_nan(function):
    x = torch.tensor([-900.0, 900.0])
    assert function(x).tolist() == [0.0, 900.0]


def test_swiglu_is_the_formula():
    layer = course.SwiGLU(3, 4).double()
    x = torch.randn(2, 5, 3, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    gates = F.silu(F.linear(x, layer.w1.weight))
    want = F.linear(gates * F.linear(x, layer.w3.weight), layer.w2.weight)
    torch.testing.assert_close(layer(x), want)
    assert {name: tuple(p.shape) for name, p in layer.named_parameters()} == {
        "w1.weight": (4, 3), "w2.weight": (3, 4), "w3.weight": (4, 3),
    }  # fmt: skip


def test_swiglu_of_worked_numbers():
    layer = course.SwiGLU(1, 1).double()
    with torch.no_grad():
        layer.w1.weight.fill_(2.0)
        layer.w2.weight.fill_(-1.0)
        layer.w3.weight.fill_(3.0)
    # x = 1: silu(2) = 2 / (1 + e^-2) = 1.761594, times 3, times -1
    assert layer(torch.ones(1, dtype=torch.float64)).item() == pytest.approx(-5.284782, abs=1e-6)
