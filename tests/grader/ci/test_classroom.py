"""Classroom's reporter adds points up in two ways: both must agree, and nothing that it prints is obeyed."""

from __future__ import annotations

import base64
import json
import random
from collections.abc import Callable
from typing import Any

import pytest

from grader.ci.classroom import MOST, ROOM, payload, result
from grader.results.schema import Results

from .imitation import obeyed


def both(told: dict[str, Any]) -> tuple[float, float]:
    """What goes to Classroom, and what the console shows."""
    tests = told["tests"]
    summed = sum(test["score"] for test in tests)
    console = sum(test["status"] == "pass" for test in tests) / len(tests) * told["max_score"]
    return summed, console


RANDOM = random.Random(7)
CASES: list[list[tuple[float, float]]] = [
    [(1, 1)], [(0, 1)], [(2.5, 5), (0, 2), (1.25, 1.25)], [(0, 0)], [(1, 1), (0, 0)], [(0.1, 0.3), (0.2, 0.2)],
    *([(RANDOM.randint(0, 8) / 4, 2.0) for _ in range(RANDOM.randint(1, 40))] for _ in range(10)),
]  # fmt: skip


@pytest.mark.parametrize("pairs", CASES, ids=range(len(CASES)))
def test_the_two_totals_agree_and_are_the_points(
    made: Callable[..., Results], pairs: list[tuple[float, float]]
) -> None:
    results = made(pairs)
    told = json.loads(base64.b64decode(result(results)))
    summed, console = both(told)
    assert summed == pytest.approx(console)
    assert summed == pytest.approx(results.points)
    assert told["max_score"] == results.possible
    assert told["tests"]
    assert told["status"] == ("pass" if results.exercises[0].status == "passed" else "fail")


def test_points_too_fine_become_steps_and_it_is_said(made: Callable[..., Results]) -> None:
    results = made([(0.01, 0.01), (33.33, 99.99)])
    told = payload(results)
    assert len(told["tests"]) == MOST
    summed, console = both(told)
    assert summed == pytest.approx(console)
    assert 0 <= results.points - summed < results.possible / MOST
    assert "summary" in told["message"]


def test_the_payload_stays_small(made: Callable[..., Results]) -> None:
    assert len(result(made([(0, 1)] * MOST))) <= ROOM


def test_what_the_reporter_prints_is_no_command(made: Callable[..., Results]) -> None:
    told = payload(made([(0, 2), (1, 2)]))
    assert any("message" in test for test in told["tests"])
    assert obeyed("\n".join(text for test in told["tests"] for text in (test["name"], test.get("message", "")))) == []
