"""The references of positional_encoding against the formula, entry by entry, and a worked example."""

import math

import pytest
import torch

from exercises.model_args import ModelArgs
from solutions import positional_encoding, standins

BOTH = pytest.mark.parametrize("course", [positional_encoding, standins])


@BOTH
@pytest.mark.parametrize("width", [1, 2, 5, 8])
@pytest.mark.parametrize("length", [1, 6, 300])
def test_the_table_is_the_formula(course, length, width):
    want = [
        [(math.cos if j % 2 else math.sin)(pos / 10000 ** (2 * (j // 2) / width)) for j in range(width)]
        for pos in range(length)
    ]
    torch.testing.assert_close(course.sinusoidal_table(length, width), torch.tensor(want))


@BOTH
def test_worked_numbers(course):
    """Four tokens of width 4; token pos holds 0.1 (pos + 1), 0.1 (pos + 2) …"""
    x = torch.tensor([[0.1 * (pos + j + 1) for j in range(4)] for pos in range(4)])
    want = [
        [0.1000, 1.2000, 0.3000, 1.4000],
        [1.0415, 0.8403, 0.4100, 1.4999],  # 1.49995
        [1.2093, -0.0161, 0.5200, 1.5998],
        [0.5411, -0.4900, 0.6300, 1.6996],
    ]
    layer = course.PositionalEncoding(ModelArgs(n_embd=4, dim=4, n_heads=1, block_size=9))
    torch.testing.assert_close(layer(x[None])[0], torch.tensor(want), atol=6e-5, rtol=0)


@BOTH
def test_a_shift_is_a_rotation_of_each_pair(course):
    """PE(pos + k) is a rotation of PE(pos) by an angle that does not depend on pos."""
    pairs = torch.view_as_complex(course.sinusoidal_table(12, 6).double().unflatten(1, (3, 2)).flip(-1).contiguous())
    turns = pairs[3:] / pairs[:-3]
    torch.testing.assert_close(turns, turns[:1].expand_as(turns), atol=1e-6, rtol=0)


@BOTH
def test_the_encoding_adds_the_table(course):
    layer = course.PositionalEncoding(ModelArgs(n_embd=6, dim=6, n_heads=1, block_size=5)).double()
    x = torch.randn(2, 5, 6, dtype=torch.float64)
    torch.testing.assert_close(layer(x) - x, course.sinusoidal_table(5, 6).double().expand(2, 5, 6))
    assert not list(layer.parameters())
    with pytest.raises(ValueError, match="block_size is 5"):
        layer(torch.zeros(1, 6, 6))
