"""The references of one_hot and Embedding against F.one_hot, F.embedding and numbers worked out by hand."""

import pytest
import torch
import torch.nn.functional as F

from solutions import embedding as course
from solutions import standins

BOTH = pytest.mark.parametrize("one_hot", [course.one_hot, standins.one_hot])
IDS = [torch.tensor(3), torch.tensor([0, 4, 4, 1]), torch.tensor([[2, 0], [1, 1], [4, 3]])]


@BOTH
@pytest.mark.parametrize("ids", IDS)
def test_one_hot_is_pytorchs(one_hot, ids):
    got = one_hot(ids, 6)
    assert got.dtype == torch.float32
    assert torch.equal(got, F.one_hot(ids, 6).float())


@BOTH
def test_worked_vectors(one_hot):
    assert one_hot(torch.tensor([2, 0]), 4).tolist() == [[0.0, 0.0, 1.0, 0.0], [1.0, 0.0, 0.0, 0.0]]


@pytest.mark.parametrize("ids", IDS)
def test_the_look_up_is_pytorchs_and_the_product(ids):
    layer = course.Embedding(6, 3).double()
    cotangent = torch.randn(*ids.shape, 3, generator=torch.Generator().manual_seed(1), dtype=torch.float64)
    ours, other = layer(ids), F.embedding(ids, layer.weight)
    torch.testing.assert_close(ours, other, rtol=0, atol=0)
    torch.testing.assert_close(ours, course.one_hot(ids, 6).double() @ layer.weight)
    (got,) = torch.autograd.grad(ours, layer.weight, cotangent)
    (want,) = torch.autograd.grad(other, layer.weight, cotangent)
    torch.testing.assert_close(got, want)


def test_repeats_add_their_gradients():
    layer = course.Embedding(4, 2)
    layer(torch.tensor([1, 3, 1, 1])).sum().backward()
    assert layer.weight.grad.tolist() == [[0.0, 0.0], [3.0, 3.0], [0.0, 0.0], [1.0, 1.0]]


def test_the_table_and_its_start():
    layer = course.Embedding(5, 2)
    assert {name: tuple(p.shape) for name, p in layer.named_parameters()} == {"weight": (5, 2)}
    assert len(layer.weight.unique(dim=0)) == 5
