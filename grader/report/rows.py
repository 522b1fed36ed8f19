"""One line of a class: a student with results, or with the reason why there are none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from grader.results.schema import Exercise, Results


@dataclass(frozen=True)
class Row:
    student: str
    results: Results | None
    problem: str | None  # why there are no results, as a sentence
    href: str | None  # the student's own page, relative to the class page


def exercises_of(rows: Iterable[Row]) -> dict[str, Exercise]:
    """The exercises that occur in any row, each with the first one found, in the order of the course."""
    found: dict[str, Exercise] = {}
    for row in rows:
        for exercise in row.results.exercises if row.results else ():
            found.setdefault(exercise.name, exercise)
    return found
