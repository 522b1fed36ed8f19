"""Of several failed checks the one that says most is shown in full."""

from __future__ import annotations

from typing import Any

from grader.report.lead import TELLING, lead_first
from grader.results.codes import CODES

from . import conftest as build


def failed(name: str, code: str) -> Any:
    return build.failure("attention", "attention", name, name, CODES[code].reason, code, "a sentence")


def test_what_must_hold_whatever_the_numbers_are_comes_first() -> None:
    checks = [failed("values", "wrong_value"), failed("gradients", "wrong_gradient"), failed("future", "moved")]
    assert [c.id.partition(".")[2] for c in lead_first(checks)] == ["future", "values", "gradients"]


def test_without_one_the_order_of_the_suite_stays() -> None:
    checks = [failed("values", "wrong_value"), failed("gradients", "wrong_gradient")]
    assert lead_first(checks) == checks
    assert lead_first([]) == []


def test_all_of_them_are_codes_of_failures() -> None:
    assert all(CODES[code].reason for code in TELLING)
