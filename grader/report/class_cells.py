"""What stands in the table of a class: a cell an exercise, the total, and the status in words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.language import N_, _, said
from grader.report.rows import Row, share_of
from grader.report.text import clean_line
from grader.report.words import WORDS, number, state
from grader.results.schema import Adjustment, Exercise, Results

LONG = 200  # characters of a reason; the student's own page says all
KINDS = {"override": N_("By hand"), "late": N_("Late"), "comment": N_("Comment")}
_LETTERS = {"not_started": ("n", "–"), "blocked": ("w", WORDS["blocked"].letter), "error": ("e", WORDS["error"].letter)}


@dataclass(frozen=True, slots=True)
class Cell:
    """`kind` is its class: all, half or nothing earned, not written, waiting, error, or practice that is under way."""

    kind: str
    text: str
    value: str = ""  # what it is sorted by, where that is not its text


def cell(exercise: Exercise) -> Cell:
    """How much of the points was earned, or why none could be. Practice gives none: its checks are counted instead."""
    practice = not exercise.possible
    if exercise.status in _LETTERS:
        kind, letter = _LETTERS[exercise.status]
        return Cell(kind, letter, number(share_of(exercise) if practice else exercise.points))
    if practice:
        passed = sum(check.status == "passed" for check in exercise.checks)
        whole = exercise.status == "passed"
        text = WORDS["passed"].mark if whole else f"{passed}/{len(exercise.checks)}"
        return Cell("p" if whole else "r", text, number(share_of(exercise)))
    kind = "p" if exercise.status == "passed" else "h" if exercise.points > 0 else "f"
    return Cell(kind, number(exercise.points))


def cells(results: Results, names: list[str]) -> list[Cell]:
    """One for each of the exercises of the class; an empty one where these results do not have it."""
    found = {exercise.name: exercise for exercise in results.exercises}
    return [cell(found[name]) if name in found else Cell("", "") for name in names]


def status(row: Row) -> str:
    """In words, on one line: checks that are not passed, what was adjusted, and what else was wrong."""
    return _(". ").join(_status(row))


def _status(row: Row) -> Iterator[str]:
    if row.results is None:
        yield _("No results: {reason}").format(reason=problem(row))
        return
    yield state(row.results)
    yield from adjustments(row.results)
    if row.problem:
        yield problem(row)


def problem(row: Row) -> str:
    return clean_line(said(row.problem or N_("the reason is not known.")), LONG)


def adjustments(results: Results) -> list[str]:
    """Each in words: `Late, total: 12 → 10, a day late`."""
    return [clean_line(_adjustment(one), LONG) for one in results.adjustments]


def _adjustment(one: Adjustment) -> str:
    reason = said(one.reason)
    between = " " if reason.endswith((".", "!", "?", "。")) else _(": ")
    told = between.join(filter(None, (reason, one.comment)))
    if one.before == one.after:
        return _("{kind}: {told}").format(kind=_(KINDS[one.kind]), told=told)
    return _("{kind}, {where}: {before} → {after}, {told}").format(
        kind=_(KINDS[one.kind]),
        where=one.exercise or _("total"),
        before=number(one.before),
        after=number(one.after),
        told=told,
    )


def moved(points: float) -> str:
    """`↑ 3`, `↓ 2`, or nothing where nothing moved."""
    written = number(abs(points))
    return "" if written == "0" else f"{'↑' if points > 0 else '↓'} {written}"
