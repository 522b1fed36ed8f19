"""What becomes of new results."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest
from msgspec.structs import replace

from grader.batch.decide import Fate, fate
from grader.results.schema import Adjustment, Origin, Results


def changed(results: Results, key: str | None = None, **check: Any) -> Results:
    exercise = results.exercises[0]
    made = replace(exercise, checks=[replace(exercise.checks[0], **check)], key=exercise.key if key is None else key)
    return replace(results, exercises=[made])


def of_another_course(results: Results) -> str:
    """The key of the same files in another course."""
    return "d" + results.exercises[0].key[1:]


CASES: dict[str, tuple[Any, Fate]] = {
    "the same": (lambda r: r, Fate.SAME),
    "another duration": (lambda r: replace(r, seconds=9), Fate.SAME),
    "an adjustment": (lambda r: replace(r, adjustments=[Adjustment(kind="comment", before=1, after=1, reason="")]),
                      Fate.SAME),
    "another title": (lambda r: changed(r, title="It holds, too."), Fate.WRITE),
    "another hint in the course": (lambda r: replace(r, environment=replace(r.environment, course="d")), Fate.WRITE),
    "a name from the roster": (lambda r: replace(r, origin=Origin(name="Ada")), Fate.WRITE),
    "one more exercise": (lambda r: replace(r, exercises=[*r.exercises, replace(r.exercises[0], name="new")]),
                          Fate.REPLACE),
    "another submission": (lambda r: changed(r, key="c-other"), Fate.REPLACE),
    "another course and submission": (lambda r: changed(r, key="d-other"), Fate.REPLACE),
    "another file that no verdict depends on": (
        lambda r: replace(r, environment=replace(r.environment, submission="s")), Fate.WRITE),
    "another problem": (lambda r: replace(r, problems=["Twice."]), Fate.REPLACE),
    "another verdict of the same": (lambda r: changed(r, status="failed", points=0), Fate.REPLACE),
    "another course that says the same": (lambda r: changed(r, key=of_another_course(r), seconds=3.5), Fate.WRITE),
    "another verdict of another course": (
        lambda r: changed(r, key=of_another_course(r), status="failed", points=0), Fate.STAGE),
    "another sentence of another course": (
        lambda r: changed(r, key=of_another_course(r), message="It is 3."), Fate.STAGE),
    "another worth": (lambda r: changed(r, possible=3), Fate.STAGE),
    "one exercise less": (lambda r: replace(r, exercises=[]), Fate.STAGE),
}  # fmt: skip


@pytest.mark.parametrize(("change", "expected"), CASES.values(), ids=CASES)
def test_what_becomes_of_it(fake: ModuleType, change: Any, expected: Fate) -> None:
    old = fake.results(fake.submission("ada"))
    assert fate(old, change(old)) is expected


def test_first_results_are_written(fake: ModuleType) -> None:
    assert fate(None, fake.results(fake.submission("ada"))) is Fate.WRITE
