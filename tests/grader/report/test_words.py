"""The words of statuses, numbers and levels."""

from __future__ import annotations

from typing import Any

import pytest

from grader.report import words
from grader.report.tasks import tasks
from grader.results.schema import Check, Exercise, Isolation, Status


@pytest.mark.parametrize(
    ("statuses", "said"),
    [
        (["passed"], "1 check passed"),
        (["passed", "passed"], "all 2 checks passed"),
        (["failed", "failed"], "all 2 checks failed"),
        (["not_started", "not_started"], "not written yet"),
        (["passed", "failed", "error"], "1 of 3 checks failed, 1 not judged"),
        (["passed", "blocked"], "1 of 2 checks waiting"),
        ([], "not graded yet"),
    ],
)
def test_how_checks_ended(build: Any, statuses: list[Status], said: str) -> None:
    assert words.tally(build.check("e", "t", str(i), "T", status) for i, status in enumerate(statuses)) == said


def test_points_are_written_short() -> None:
    assert [words.number(x) for x in (12.0, 2.5, 1 / 3, 0.0, 123456.0)] == ["12", "2.5", "0.33", "0", "123456"]


def test_a_message_that_was_left_out_is_made_from_code_and_values(build: Any) -> None:
    check = build.check(
        "e", "t", "c", "T", "failed", code="wrong_number", values={"what": "the loss", "got": 1, "want": 2}
    )
    assert words.sentence(check) == "The loss should be 2, got 1."


def test_an_explanation_is_given_where_it_says_more_than_the_check(build: Any) -> None:
    told = {
        code: words.explanation(build.failure("e", "t", "c", "T", "value", code, ""))
        for code in ("wrong_dtype", "property", "new")
    }
    assert told["wrong_dtype"].startswith("The result follows the dtype")
    assert told["property"] == told["new"] == ""


def test_names_of_the_student_keep_their_case(build: Any) -> None:
    check = build.failure("e", "t", "c", "T", "crash", "raised", "softmax raised ValueError")
    assert words.sentence(check) == "softmax raised ValueError"


def test_the_level_of_isolation_is_one_sentence() -> None:
    said = words.isolation(Isolation(level=2, name="landlock"))
    assert said.startswith("This result comes from a run with isolation level 2 (landlock)")
    assert said.count(".") == 1
    assert "level 9 (new)." in words.isolation(Isolation(level=9, name="new"))
    assert words.isolations([4, 4]) == "All results come from runs with isolation level 4."
    assert words.isolations([2, 4, 4]).endswith("levels 2 (1 student) and 4 (2 students).")


def test_tasks_keep_their_order_and_say_the_worst(build: Any) -> None:
    first, second, third = tasks(build.part("attention"))
    assert [t.name for t in (first, second, third)] == ["softmax", "attention", "MultiHeadAttention"]
    assert [t.status for t in (first, second, third)] == ["passed", "failed", "failed"]
    assert (second.points, second.possible) == (2.0, 7.0)
    mixed = [build.check("e", "t", s, "T", s) for s in ("passed", "blocked", "not_started", "error", "failed")]
    found = [tasks(build.exercise("e", "E", "failed", mixed[:n]))[0].status for n in range(1, 6)]
    assert found == ["passed", "blocked", "not_started", "error", "failed"]


def test_a_task_says_why_passed_checks_earn_nothing(build: Any) -> None:
    (withheld,) = tasks(build.part("layer_norm"))
    assert "own work" in withheld.note
    assert not any(task.note for task in tasks(build.part("attention")))
    odd: list[Check] = [build.check("e", "t", "c", "T", points=1.0, possible=2.0)]
    assert "less" in tasks(build.exercise("e", "E", "passed", odd))[0].note


def test_why_there_is_no_verdict(build: Any) -> None:
    def row(*checks: Check) -> Exercise:
        return build.exercise("masking", "Masks", "not_started", list(checks))

    gone = build.check("masking", "f", "c", "T", "not_started", code="missing_file", values={"file": "masking.py"})
    assert words.unwritten(row()) == "Not graded yet."
    assert words.unwritten(row(gone)) == "There is no file masking.py."
    assert words.unwritten(row(build.check("masking", "f", "c", "T", "not_started"))).endswith(
        "the stub is still there."
    )


@pytest.mark.parametrize(
    ("detail", "said"),
    [
        ("", ""),
        ("f.py, line 3", "Where your code stopped"),
        ("Printed:\n7", "What your code printed"),
        ("f.py, line 3\nPrinted:\n7", "What your code printed and where it stopped"),
    ],
)
def test_what_a_detail_tells(build: Any, detail: str, said: str) -> None:
    assert words.detail(build.check("e", "t", "c", "T", "failed", detail=detail)) == said
