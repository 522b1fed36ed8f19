"""The references of masking against closed forms and PyTorch's own softmax."""

import math

import pytest
import torch

from solutions import masking, standins


@pytest.fixture
def scores():
    return torch.randn(2, 3, 4, 5, generator=torch.Generator().manual_seed(1), dtype=torch.float64)


@pytest.mark.parametrize("size", [1, 2, 5])
@pytest.mark.parametrize("made_by", [masking.causal_mask, standins.causal_mask])
def test_causal_mask_is_the_lower_triangle(made_by, size):
    mask = made_by(size)
    assert mask.dtype == torch.bool
    assert mask.tolist() == [[key <= query for key in range(size)] for query in range(size)]


@pytest.mark.parametrize("made_by", [masking.padding_mask, standins.padding_mask])
def test_padding_mask_names_the_real_tokens(made_by):
    mask = made_by(torch.tensor([[5, 7, 0], [7, 0, 2]]), 7)
    assert mask.dtype == torch.bool
    assert mask.shape == (2, 1, 1, 3)
    assert mask.flatten(1).tolist() == [[True, False, True], [False, True, True]]


@pytest.mark.parametrize("made_by", [masking.additive_mask, standins.additive_mask])
@pytest.mark.parametrize("dtype", [torch.float64, torch.float32, torch.bfloat16])
@pytest.mark.parametrize("kind", [torch.bool, torch.int64, torch.uint8])
def test_additive_mask_is_zero_or_minus_infinity(made_by, dtype, kind):
    added = made_by(torch.tensor([[1, 0], [0, 1]]).to(kind), dtype)
    assert added.dtype == dtype
    assert added.tolist() == [[0.0, -math.inf], [-math.inf, 0.0]]


@pytest.mark.parametrize("made_by", [masking.masked_softmax, standins.masked_softmax])
@pytest.mark.parametrize("dim", [-1, 1, 0])
def test_without_a_mask_it_is_softmax(made_by, scores, dim):
    torch.testing.assert_close(made_by(scores, None, dim), torch.softmax(scores, dim))


@pytest.mark.parametrize("made_by", [masking.masked_softmax, standins.masked_softmax])
@pytest.mark.parametrize("shape", [(4, 5), (2, 1, 1, 5), (2, 1, 4, 5)])
def test_the_allowed_entries_share_the_whole(made_by, scores, shape):
    mask = torch.rand(shape, generator=torch.Generator().manual_seed(2)) < 0.5
    mask[..., 0] = True
    odds = scores.exp() * mask  # the definition, without any care for large scores
    want = odds / odds.sum(-1, keepdim=True)
    torch.testing.assert_close(made_by(scores, mask), want)
    torch.testing.assert_close(made_by(scores, mask.int()), want)


@pytest.mark.parametrize("made_by", [masking.masked_softmax, standins.masked_softmax])
def test_where_nothing_is_allowed_all_weights_are_zero(made_by):
    mask = torch.tensor([[False, False], [True, False]])
    assert made_by(torch.tensor([[3.0, 4.0], [5.0, 6.0]]), mask).tolist() == [[0.0, 0.0], [1.0, 0.0]]


@pytest.mark.parametrize("made_by", [masking.masked_softmax, standins.masked_softmax])
def test_large_scores_do_not_overflow(made_by):
    rows = torch.tensor([[900.0, 900.0, 5000.0], [-900.0, -900.0, 0.0]])
    weights = made_by(rows, torch.tensor([True, True, False]))
    assert weights.tolist() == [[0.5, 0.5, 0.0], [0.5, 0.5, 0.0]]


def test_gradients_are_those_of_finite_differences(scores):
    mask = torch.tensor([True, False, True, True, False])
    few = scores[0, 0].clone().requires_grad_()
    assert torch.autograd.gradcheck(lambda x: masking.masked_softmax(x, mask), few)


@pytest.mark.parametrize(
    "part", [torch.tensor([[1.0, 0.0]]), torch.tensor([[0.0, -math.inf]]), torch.tensor([[0.0, -1e9]])]
)
def test_standins_take_the_float_masks_that_students_make(part):
    assert standins.allowed(part).tolist() == [[True, False]]
