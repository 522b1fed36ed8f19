"""The references of attention against PyTorch's operators, nn.MultiheadAttention and numbers worked out by hand."""

import math

import pytest
import torch
import torch.nn.functional as F
from torch import nn

from exercises.model_args import ModelArgs
from solutions import attention, standins

BOTH = pytest.mark.parametrize("course", [attention, standins])


def draw(*shape, seed=1):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def visible(*shape):
    """A mask that leaves every query its first key."""
    mask = torch.rand(shape, generator=torch.Generator().manual_seed(9)) < 0.5
    mask[..., 0] = True
    return mask


@BOTH
@pytest.mark.parametrize("dim", [-1, 0, 1, -2])
def test_softmax_is_torch_softmax(course, dim):
    x = draw(3, 4, 5) * 3
    torch.testing.assert_close(course.softmax(x, dim), torch.softmax(x, dim))


@BOTH
def test_softmax_of_worked_numbers(course):
    weights = course.softmax(torch.tensor([math.log(1.0), math.log(2.0), math.log(5.0)]))
    torch.testing.assert_close(weights, torch.tensor([1 / 8, 2 / 8, 5 / 8]))
    torch.testing.assert_close(course.softmax(torch.tensor([1000.0, 1000.0, -math.inf])), torch.tensor([0.5, 0.5, 0.0]))


@BOTH
@pytest.mark.parametrize("batch", [(), (2,), (2, 3)])
@pytest.mark.parametrize("masked", [False, True])
def test_attention_is_scaled_dot_product_attention(course, batch, masked):
    q, k, v = draw(*batch, 4, 6), draw(*batch, 5, 6, seed=2), draw(*batch, 5, 7, seed=3)
    mask = visible(4, 5) if masked else None
    output, weights = course.attention(q, k, v, mask=mask)
    torch.testing.assert_close(output, F.scaled_dot_product_attention(q, k, v, attn_mask=mask))
    torch.testing.assert_close(weights.sum(-1), torch.ones(*batch, 4, dtype=torch.float64))
    torch.testing.assert_close(weights @ v, output)
    if masked:
        assert not weights[..., ~mask].any()
        torch.testing.assert_close(course.attention(q, k, v, mask.long())[0], output)


@BOTH
def test_attention_of_worked_numbers(course):
    query, key = torch.tensor([[2.0, 0.0, 0.0, 0.0]]), torch.tensor([[math.log(3.0), 0, 0, 0], [0.0, 0, 0, 0]])
    output, weights = course.attention(query, key, torch.tensor([[4.0], [8.0]]))  # the scores are ln 3 and 0
    torch.testing.assert_close(weights, torch.tensor([[0.75, 0.25]]))
    torch.testing.assert_close(output, torch.tensor([[5.0]]))


@BOTH
def test_dropout_acts_on_the_weights(course):
    q, v = draw(3, 4), draw(3, 5, seed=2)
    keep = torch.tensor([[2.0, 0, 0], [0, 2, 2], [0, 0, 0]], dtype=torch.float64)
    _, weights = course.attention(q, q, v)
    torch.testing.assert_close(course.attention(q, q, v, dropout=lambda w: w * keep)[0], (weights * keep) @ v)


def pytorchs(layer):
    """nn.MultiheadAttention with the weights of `layer`; it scales each head by the root of its width."""
    width = layer.wq.in_features
    theirs = nn.MultiheadAttention(width, layer.n_heads, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.cat([layer.wq.weight, layer.wk.weight, layer.wv.weight]))
        theirs.out_proj.weight.copy_(layer.wo.weight)
    return theirs.eval()


@BOTH
@pytest.mark.parametrize("heads", [1, 2, 4])
@pytest.mark.parametrize("masked", [False, True])
def test_heads_are_those_of_pytorch(course, heads, masked):
    layer = course.MultiHeadAttention(ModelArgs(n_embd=8, dim=8, n_heads=heads)).double().eval()
    q, k, v = draw(2, 3, 8), draw(2, 5, 8, seed=2), draw(2, 5, 8, seed=3)
    mask = visible(2, 1, 1, 5) if masked else None
    hidden = ~mask[:, 0, 0] if masked else None  # theirs says True = hidden
    want, _ = pytorchs(layer)(q, k, v, key_padding_mask=hidden)
    torch.testing.assert_close(layer(q, k, v, mask=mask), want)


@BOTH
@pytest.mark.parametrize("masked", [False, True])
def test_causal_heads_are_those_of_pytorch(course, masked):
    layer = course.MultiHeadAttention(ModelArgs(n_embd=8, dim=8, n_heads=2), is_causal=True).double().eval()
    x, mask = draw(2, 4, 8), visible(2, 1, 1, 4) if masked else None
    future = torch.ones(4, 4, dtype=torch.bool).triu(1)
    hidden = ~mask[:, 0, 0] if masked else None
    want, _ = pytorchs(layer)(x, x, x, attn_mask=future, key_padding_mask=hidden)
    torch.testing.assert_close(layer(x, x, x, mask), want)


@BOTH
def test_too_long_a_causal_input_is_refused(course):
    args = ModelArgs(n_embd=8, dim=8, n_heads=2, max_seq_len=3)
    fits, long = torch.zeros(1, 3, 8), torch.zeros(1, 4, 8)
    causal, free = course.MultiHeadAttention(args, True), course.MultiHeadAttention(args)
    assert causal(fits, fits, fits).shape == fits.shape
    assert free(long, long, long).shape == long.shape
    with pytest.raises(ValueError, match="max_seq_len is 3"):
        causal(long, long, long)


@BOTH
def test_dropout_in_train_mode_only(course):
    layer = course.MultiHeadAttention(ModelArgs(n_embd=8, dim=8, n_heads=2, dropout=0.5)).double()
    x = draw(2, 4, 8)
    assert not torch.equal(layer(x, x, x), layer(x, x, x))
    layer.eval()
    torch.testing.assert_close(layer(x, x, x), pytorchs(layer)(x, x, x)[0])


def test_the_standin_has_the_parameters_of_the_reference():
    args = ModelArgs(n_embd=8, dim=8, n_heads=2)
    shapes = [
        {name: tuple(p.shape) for name, p in course.MultiHeadAttention(args).named_parameters()}
        for course in (attention, standins)
    ]
    assert shapes[0] == shapes[1] == {f"{name}.weight": (8, 8) for name in ("wq", "wk", "wv", "wo")}
