"""One line of a class: a student with results, or with the reason why there are none."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from grader.results.schema import Exercise, Origin, Results

NUMBERED = re.compile(r"Student (\d+)")  # what an anonymous batch calls people


@dataclass(frozen=True)
class Row:
    student: str
    results: Results | None
    problem: str | None  # why there are no results, or only points by hand, as a sentence
    href: str | None  # the student's own page, relative to the class page
    origin: Origin | None = None  # of a student without results; the others' is in theirs

    @property
    def whose(self) -> Origin | None:
        return self.results.origin if self.results else self.origin


def exercises_of(rows: Iterable[Row]) -> dict[str, Exercise]:
    """The exercises that occur in any row, each with the first one found, in the order of the course."""
    found: dict[str, Exercise] = {}
    for row in rows:
        for exercise in row.results.exercises if row.results else ():
            found.setdefault(exercise.name, exercise)
    return found


def results_of(rows: Iterable[Row]) -> list[Results]:
    return [row.results for row in rows if row.results is not None]


def share(results: Results) -> float:
    """Of the possible points, adjustments included, from 0 to 1."""
    return min(max(results.final / results.possible, 0.0), 1.0) if results.possible > 0 else 0.0


def share_of(exercise: Exercise) -> float:
    """The same of an exercise; of one for practice, which gives no points, the share of checks that passed."""
    if exercise.possible > 0:
        return min(max(exercise.points / exercise.possible, 0.0), 1.0)
    passed = sum(check.status == "passed" for check in exercise.checks)
    return passed / len(exercise.checks) if exercise.checks else 0.0
