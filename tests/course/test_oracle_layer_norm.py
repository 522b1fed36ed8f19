"""The reference of layer_norm against F.layer_norm and numbers worked out by hand."""

import pytest
import torch
import torch.nn.functional as F

from solutions import layer_norm, standins

BOTH = pytest.mark.parametrize("course", [layer_norm, standins])


def filled(course, width, eps=1e-6):
    layer = course.LayerNorm(width, eps).double()
    with torch.no_grad():
        layer.weight.copy_(torch.linspace(-1.0, 2.0, width))
        layer.bias.copy_(torch.linspace(0.5, -0.5, width))
    return layer


@BOTH
@pytest.mark.parametrize("shape", [(4,), (3, 4), (2, 3, 5)])
@pytest.mark.parametrize("eps", [1e-6, 0.5])
def test_it_is_pytorchs_layer_norm(course, shape, eps):
    x = torch.randn(shape, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    layer = filled(course, shape[-1], eps)
    torch.testing.assert_close(layer(x), F.layer_norm(x, x.shape[-1:], layer.weight, layer.bias, eps))


@BOTH
def test_worked_numbers(course):
    row = torch.tensor([1.0, 2.0, 3.0, 4.0], dtype=torch.float64)  # mean 2.5, variance 1.25
    want = torch.tensor([-1.3416, -0.4472, 0.4472, 1.3416], dtype=torch.float64)
    torch.testing.assert_close(course.LayerNorm(4).double()(row), want, atol=1e-4, rtol=0)


@BOTH
def test_equal_features_give_the_bias(course):
    layer = filled(course, 3)
    torch.testing.assert_close(layer(torch.full((2, 3), 7.0, dtype=torch.float64)), layer.bias.expand(2, 3))


@BOTH
def test_gradients_are_those_of_finite_differences(course):
    x = torch.tensor([[0.3, -1.0, 2.0], [1.0, 0.0, 0.5]], dtype=torch.float64, requires_grad=True)
    assert torch.autograd.gradcheck(filled(course, 3), x)


@BOTH
def test_the_parameters_and_their_start(course):
    start = {name: p.tolist() for name, p in course.LayerNorm(2).named_parameters()}
    assert start == {"weight": [1.0, 1.0], "bias": [0.0, 0.0]}
