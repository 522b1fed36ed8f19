"""What the page says to do next."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from grader.report.next_step import in_order, next_step


def test_a_known_mistake_comes_first(sample: Any) -> None:
    step = next_step(sample)
    assert step
    assert (step.exercise, step.command) == ("attention", "grade attention")
    assert step.what.startswith("The scores are divided by d_k")


def test_a_failed_exercise_comes_before_one_that_is_not_written(build: Any) -> None:
    todo = build.exercise("a", "A", "not_started", [build.check("a", "t", "c", "Title", "not_started")])
    bad = build.exercise(
        "b", "B", "failed", [build.failure("b", "t", "c", "Holds.", "value", "x", "It is 3.", help="Look.")]
    )
    step = next_step(build.results("s", [todo, bad]))
    assert step
    assert (step.what, step.detail, step.help, step.command) == ("Holds.", "It is 3.", "Look.", "grade b")
    first = next_step(build.results("s", [todo]))
    assert first
    assert first.command == "grade hint a"


def test_a_file_that_does_not_run_is_told_once(build: Any) -> None:
    broken = [
        build.failure("b", "t", f"c{n}", "Holds.", "crash", "syntax_error", "Line 3.", help="Mend.") for n in "12"
    ]
    step = next_step(build.results("s", [build.exercise("b", "B", "failed", broken)]))
    assert step
    assert (step.what, step.detail) == ("Line 3.", "")


def test_a_hidden_check_keeps_its_secret(build: Any) -> None:
    check = replace(build.failure("b", "t", "c", "SECRET", "value", "x", "SECRET", help="Look."), hidden=True)
    step = next_step(build.results("s", [build.exercise("b", "B", "failed", [check])]))
    assert step
    assert "SECRET" not in f"{step}"
    assert step.help == "Look."


def test_a_half_written_exercise_names_what_is_missing(build: Any) -> None:
    checks = [build.check("b", "t", "c", "Title"), build.check("b", "u", "d", "Title", "not_started")]
    step = next_step(build.results("s", [build.exercise("b", "B", "failed", checks)]))
    assert step
    assert (step.what, step.command) == ("Write `u`.", "grade hint b")


def test_when_all_is_passed_there_is_something_to_see(build: Any) -> None:
    gpt = build.exercise("gpt", "A", "passed", [build.check("gpt", "t", "c", "Title")])
    step = next_step(build.results("s", [gpt]))
    assert step
    assert step.command == "grade show train"
    assert next_step(build.results("s", [])) is None
    other = build.exercise("a", "A", "passed", [build.check("a", "t", "c", "Title")])
    assert next_step(build.results("s", [other])) is None, "the student's own GPT is none of this run"


def test_what_was_named_comes_first_while_it_is_open() -> None:
    states = {"masking": "failed", "attention": "not_started", "gpt": "passed"}
    assert in_order(states) == ["masking", "attention"]  # type: ignore[arg-type]
    assert in_order(states, ["attention", "gpt"]) == ["attention", "masking"]  # type: ignore[arg-type]
