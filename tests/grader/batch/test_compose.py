"""Which verdicts are kept, what is graded, and how the two are put together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from grader.batch.compose import composed, graded, plan
from grader.batch.job import Job
from grader.results.schema import Check, Environment, Exercise, Isolation, Results, Status
from grader.submission.model import SourceFile, Submission

ENVIRONMENT = Environment(grader="1", python="3", torch="2", platform="x", course="c", submission="", salt="s")
ADA = Submission("ada", {name: SourceFile(name, "x") for name in "ab"})


def row(name: str, key: str = "", status: Status = "passed") -> Exercise:
    points = 1.0 if status == "passed" else 0.0
    check = Check(id=f"{name}.one", task=f"task_{name}", title="", status=status, points=points, possible=1)
    return Exercise(
        name=name, title=name, track="t", status=status, points=points, possible=1, checks=[check], key=key
    )  # fmt: skip


def results(*rows: Exercise, level: int = 4) -> Results:
    return Results(
        student="ada", points=sum(r.points for r in rows), possible=len(rows), seconds=1, exercises=list(rows),
        isolation=Isolation(level=level, name="n"), environment=ENVIRONMENT,
    )  # fmt: skip


class Present:
    """Two exercises; a note of b may speak of the task of a."""

    exercises = ("a", "b")
    environment = replace(ENVIRONMENT, course="now")

    def __init__(self, **keys: str) -> None:
        self._keys = {"a": "a1", "b": "b1"} | keys

    def keys(self, submission: Submission) -> dict[str, str]:
        return self._keys

    def refreshed(self, row: Exercise) -> Exercise:
        return replace(row, title=row.title.upper())

    def needs(self, exercise: str) -> frozenset[str]:
        return frozenset({"task_a"}) if exercise == "b" else frozenset()

    def with_dependents(self, exercises: Any) -> Any:
        return exercises


def grading(**statuses: Status) -> tuple[Callable[[Job], Results], list[Job]]:
    jobs: list[Job] = []

    def grade(job: Job) -> Results:
        jobs.append(job)
        return results(*(row(name, status=statuses.get(name, "passed")) for name in job.exercises), level=2)

    return grade, jobs


def test_only_what_has_another_key_is_graded() -> None:
    earlier = results(row("a", "a1"), row("b", "b0"))
    made = plan(Present(), ADA, [earlier], None, force=False)
    assert (list(made.kept), made.missing) == (["a"], ("b",))
    grade, jobs = grading()
    merged = graded(Present(), made, grade)
    assert [job.exercises for job in jobs] == [("b",)]
    assert [(r.name, r.title, r.key) for r in merged.exercises] == [("a", "A", "a1"), ("b", "B", "b1")]
    assert merged.isolation.level == 2, "the lower of both"
    assert (merged.environment.course, merged.environment.submission) == ("now", ADA.fingerprint())


@pytest.mark.parametrize("status", ["passed", "failed", "not_started", "blocked", "error"])
def test_every_judged_status_is_kept(status: Status) -> None:
    made = plan(Present(), ADA, [results(row("a", "a1", status))], None, force=False)
    assert ("a" in made.kept) == (status != "error")


def test_one_check_that_was_not_judged_is_enough() -> None:
    judged = row("a", "a1")
    both = replace(judged, checks=[*judged.checks, replace(judged.checks[0], id="a.two", status="error")])
    assert plan(Present(), ADA, [results(both)], None, force=False).missing == ("a", "b")


def test_results_of_before_there_were_keys_are_graded_again() -> None:
    assert plan(Present(), ADA, [results(row("a"), row("b"))], None, force=False).missing == ("a", "b")


def test_force_keeps_nothing_and_only_leaves_the_rest_as_it_is() -> None:
    earlier = results(row("a", "old"), row("b", "b1"))
    assert plan(Present(), ADA, [earlier], None, force=True).missing == ("a", "b")
    made = plan(Present(), ADA, [earlier], ["b"], force=True)
    assert made.missing == ("b",)
    merged = graded(Present(), made, grading(b="failed")[0])
    assert [(r.name, r.key, r.status, r.title) for r in merged.exercises] == [
        ("a", "old", "passed", "a"), ("b", "b1", "failed", "B"),
    ]  # fmt: skip
    assert (merged.points, merged.possible) == (1, 2)


def test_a_verdict_may_come_from_what_waits_to_be_accepted() -> None:
    counts, staged = results(row("a", "a1"), row("b", "b0")), results(row("a", "a1"), row("b", "b1", "failed"))
    made = plan(Present(), ADA, [counts, staged], None, force=False)
    assert made.missing == ()
    assert [r.status for r in composed(Present(), made, None).exercises] == ["passed", "failed"]


def test_a_note_that_a_new_verdict_contradicts_is_made_anew() -> None:
    earlier = results(row("a", "a0"), row("b", "b1"))
    grade, jobs = grading(a="failed")
    merged = graded(Present(), plan(Present(), ADA, [earlier], None, force=False), grade)
    assert [(job.exercises, job.failed) for job in jobs] == [(("a",), frozenset()), (("b",), {"task_a"})]
    assert [(r.name, r.key, r.status) for r in merged.exercises] == [("a", "a1", "failed"), ("b", "b1", "passed")]


def test_a_failure_that_was_there_before_makes_no_note_new() -> None:
    earlier = results(row("a", "a0", "failed"), row("b", "b1"))
    grade, jobs = grading(a="failed")
    graded(Present(), plan(Present(), ADA, [earlier], None, force=False), grade)
    assert [job.exercises for job in jobs] == [("a",)]


def test_what_fails_elsewhere_is_told_to_the_grader() -> None:
    earlier = results(row("a", "a1", "failed"), row("b", "b0"))
    grade, jobs = grading()
    graded(Present(), plan(Present(), ADA, [earlier], None, force=False), grade)
    assert [(job.exercises, job.failed) for job in jobs] == [(("b",), {"task_a"})]
