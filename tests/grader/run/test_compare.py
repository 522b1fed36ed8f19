"""The one comparison: every way of being different has its own code, and none slips through."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import torch

from grader.run.suite.compare import close, close_gradient, corner, equal, evidence, number, place
from grader.subject.failure import CheckFailed
from grader.subject.proxy import Opaque

NAN, INF = float("nan"), float("inf")
WANT = torch.tensor([[1.0, 2.0], [3.0, 4.0]], dtype=torch.float64)


def code_of(call: Callable[[], None]) -> str:
    with pytest.raises(CheckFailed) as caught:
        call()
    assert "{" not in str(caught.value), "every value of the sentence is there"
    return caught.value.code


@pytest.mark.parametrize(
    ("got", "code"),
    [
        (None, "wrong_type"),
        (Opaque("numpy.ndarray"), "wrong_type"),
        ([[1.0, 2.0], [3.0, 4.0]], "wrong_type"),
        (torch.ones(1), "wrong_shape"),
        (torch.ones(2), "wrong_shape"),
        (torch.ones(1, 2, 2), "wrong_shape"),
        (torch.empty(0), "wrong_shape"),
        (torch.tensor([[1, 2], [3, 4]]), "wrong_dtype"),
        (WANT.clone(), "wrong_dtype"),
        (WANT.half(), "wrong_dtype"),
        (torch.full((2, 2), NAN), "not_finite"),
        (torch.tensor([[1.0, 2.0], [3.0, INF]]), "not_finite"),
        (torch.tensor([[1.0, 2.0], [3.0, 4.001]]), "wrong_value"),
        (-WANT.float(), "wrong_value"),
    ],
)
def test_what_differs_is_named(got: Any, code: str) -> None:
    assert code_of(lambda: close(got, WANT, dtype=torch.float32)) == code


def test_rounding_of_float32_is_no_difference() -> None:
    close(WANT.float() * (1 + 3e-6), WANT, dtype=torch.float32)


def test_where_the_reference_is_infinite_only_the_same_infinity_is_right() -> None:
    want = torch.tensor([-INF, 0.0])
    close(torch.tensor([-INF, 0.0]), want)
    for wrong in ([INF, 0.0], [-1e9, 0.0], [NAN, 0.0]):
        assert code_of(lambda wrong=wrong: close(torch.tensor(wrong), want)) == "not_finite"


def test_a_single_number_has_no_place() -> None:
    assert code_of(lambda: close(torch.tensor(1.0), torch.tensor(2.0))) == "wrong_scalar"
    assert code_of(lambda: close(torch.tensor(NAN), torch.tensor(2.0))) == "wrong_number"
    assert code_of(lambda: close_gradient(torch.tensor(1.0), torch.tensor(2.0), "w")) == "wrong_scalar"


def test_the_place_is_that_of_the_largest_entry() -> None:
    tensor = torch.randn(2, 3, 4)
    assert tensor[tuple(place(tensor))] == tensor.max()
    assert place(torch.tensor(3.0)) == []


def test_integers_are_exact() -> None:
    equal(torch.tensor([1, 2]), torch.tensor([1, 2]))
    assert code_of(lambda: equal(torch.tensor([1, 3]), torch.tensor([1, 2]))) == "wrong_integer"
    assert code_of(lambda: equal(torch.tensor([1, 2]), torch.tensor([True, False]), dtype=torch.bool)) == "wrong_dtype"
    assert code_of(lambda: equal(1, True)) == "wrong_type"
    assert code_of(lambda: equal("a", "b")) == "wrong_number"


def test_no_gradient_is_right_only_where_the_gradient_is_zero() -> None:
    close_gradient(None, torch.zeros(2), "x")
    assert code_of(lambda: close_gradient(None, torch.ones(2), "x")) == "no_gradient"
    assert code_of(lambda: close_gradient(torch.zeros(2), torch.ones(2), "x")) == "wrong_gradient"
    assert code_of(lambda: close_gradient(torch.full((2,), NAN), torch.ones(2), "x")) == "not_finite"


def test_evidence_holds_a_small_corner_of_what_was_expected() -> None:
    seen = evidence(torch.zeros(2, 40, 50), torch.ones(2, 40, 50), [1, 2, 3])
    assert seen.expected is not None
    assert seen.expected.corner == [1, 6, 6]
    assert seen.got is not None
    assert len(seen.got.values) <= 200
    assert corner(torch.zeros(40, 50), "yours", 32, 1024).corner == [32, 32]
    assert corner(torch.tensor(3.0), "yours", 32, 200).values == [3.0]


def test_numbers_are_short_and_strict_json() -> None:
    assert number(1 / 3) == 0.3333
    assert [number(v) for v in (NAN, INF, -INF)] == ["nan", "inf", "-inf"]
