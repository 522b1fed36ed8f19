"""Who of a class may need help, and why one may think so: something for a person to look at, never a verdict."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import dropwhile

from grader.language import N_, _, said
from grader.report.grades import unjudged
from grader.report.rows import Row, results_of, share
from grader.report.tasks import whole_file
from grader.report.text import clean_line
from grader.report.words import count, of, sentence
from grader.results.schema import Exercise, Results

LONG = 160  # characters of what another says
LEAST = 4  # students, before there is a lowest quarter


@dataclass(frozen=True, slots=True)
class Reason:
    urgency: int  # 0 is looked at first
    text: str
    exercise: str = ""  # where to look in the student's page


@dataclass(frozen=True, slots=True)
class Need:
    row: Row
    reasons: list[Reason]


@dataclass(frozen=True, slots=True)
class _Class:
    """What a student is compared with."""

    students: int
    passed: Counter[str]  # by exercise
    low: float  # the largest share of the points in the lowest quarter


def needs(rows: Sequence[Row]) -> list[Need]:
    """The most urgent first, then by how little there is."""
    around = _class(results_of(rows))
    found = [Need(row, reasons) for row in rows if (reasons := list(_reasons(row, around)))]
    return sorted(found, key=lambda need: (need.reasons[0].urgency, _share(need.row), need.row.student))


def _share(row: Row) -> float:
    return share(row.results) if row.results else 0.0


def _class(everyone: Sequence[Results]) -> _Class:
    shares = sorted(share(results) for results in everyone)
    passed = Counter(e.name for results in everyone for e in results.exercises if e.status == "passed")
    quarter = len(shares) // 4 if len(shares) >= LEAST else 0
    return _Class(len(shares), passed, shares[quarter - 1] if quarter else -math.inf)


def _reasons(row: Row, around: _Class) -> Iterator[Reason]:
    if row.results is None:
        why = clean_line(said(row.problem or N_("the reason is not known.")), LONG)
        yield Reason(0, _("Nothing could be graded: {reason}").format(reason=why))
        return
    asked = [exercise for exercise in row.results.exercises if exercise.possible > 0] or row.results.exercises
    begun = [exercise for exercise in asked if exercise.status not in ("not_started", "blocked")]
    if asked and not begun:
        yield Reason(1, _("Nothing is written yet."))
    yield from _not_loading(begun)
    yield from _stuck(asked, around)
    few = len(begun) * 2 <= len(asked) and share(row.results) <= around.low
    if begun and few:
        told = _("Among the lowest quarter, and {n} of {exercises} are not written yet.")
        missing = len(asked) - len(begun)
        yield Reason(4, told.format(n=missing, exercises=count(len(asked), "exercise")))
    yield from _unjudged(row.results)


def _not_loading(begun: Sequence[Exercise]) -> Iterator[Reason]:
    for exercise in begun:
        if (check := whole_file(exercise)) is not None:
            yield Reason(2, clean_line(sentence(check), LONG), exercise.name)


def _stuck(asked: Sequence[Exercise], around: _Class) -> Iterator[Reason]:
    """At the first exercise that is not passed, with more behind it and none of that passed, while half are past it."""
    rest = list(dropwhile(lambda exercise: exercise.status == "passed", asked))
    if len(rest) < 2 or any(exercise.status == "passed" for exercise in rest):
        return
    here = rest[0]
    past = around.passed[here.name]
    if here.status == "failed" and whole_file(here) is None and past * 2 >= around.students:
        told = _("Stuck at {title}, which {students} have passed, and nothing after it is passed.")
        yield Reason(3, told.format(title=said(here.title), students=of(past, around.students)), here.name)


def _unjudged(results: Results) -> Iterator[Reason]:
    if left := unjudged(results):
        told = _("{checks} could not be judged, which is the grader's fault: run the batch again.")
        yield Reason(5, told.format(checks=count(left, "check")))
