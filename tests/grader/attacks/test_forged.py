"""A subject that answers in the runner's place can only fail; its verdict must not say that the grader was at fault."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from grader.results.schema import Results

from .conftest import ALL, Bench, bench, checks

FORGED_FAILURE = """
import os, socket, sys

def softmax(x):
    frame = sys._getframe(1)
    while frame is not None:
        channel, number = frame.f_locals.get("channel"), frame.f_locals.get("number")
        if isinstance(channel, socket.socket) and isinstance(number, bytes):
            channel.sendall(frame.f_globals["wire"].pack({"ok": False, **FORGED}, number))
            os._exit(0)
        frame = frame.f_back
"""


@pytest.fixture(scope="module")
def forged() -> Iterator[Bench]:
    with bench("1") as made:
        yield made


def grade_forged(forged: Bench, code: str, **values: object) -> Results:
    reply = {"code": code, "values": values, "frames": []}
    return forged.grade(f"{FORGED_FAILURE}\nFORGED = {reply!r}\n")


@pytest.mark.parametrize("code", ["blocked", "engine", "not_started", "wrong_value", "no such code"])
def test_a_forged_failure_earns_nothing(forged: Bench, code: str) -> None:
    results = grade_forged(forged, code, problem="the server was down", what="A" * 60_000, index=[1] * 1000)
    assert results.points == 0
    assert checks(results)["softmax_values"].status in ("failed", "not_started")


@pytest.mark.parametrize("code", ["blocked", "engine"])
def test_a_forged_failure_cannot_say_that_it_was_not_judged(forged: Bench, code: str) -> None:
    values = checks(grade_forged(forged, code, problem="the server was down"))["softmax_values"]
    assert values.reason == "protocol", "every failed check has a reason"


def test_a_forged_answer_without_its_parts_is_a_failure_and_no_error_of_the_grader(forged: Bench) -> None:
    results = forged.grade(ALL["answer_for_the_runner"].text)
    assert {check.status for check in checks(results).values()} <= {"failed", "passed", "blocked"}


def test_what_an_answer_leaves_behind_fails_as_the_next_one(forged: Bench) -> None:
    """And never at once: whether it has arrived by then depends on the machine's load."""
    reasons = {name: check.reason for name, check in checks(forged.grade(ALL["answer_for_the_runner"].text)).items()}
    assert reasons == {
        "softmax_values": "value", "softmax_hidden": "value",  # the forged answer is judged, and nothing more is asked
        "softmax_gradient": "protocol", "softmax_leaves_input": "protocol", "softmax_repeatable": "protocol",
        "softmax_own_work": "protocol",
    }  # fmt: skip
