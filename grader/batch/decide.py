"""What becomes of new results: they are written, or laid aside until somebody has looked at the difference."""

from __future__ import annotations

from enum import Enum

from msgspec.structs import replace

from grader.results.schema import Exercise, Results


class Fate(Enum):
    SAME = "same"  # as on the disk
    WRITE = "write"  # the first results, the same verdicts in other words, or another course that says the same
    REPLACE = "replace"  # another submission, or what was asked for by name: the old ones go into the history
    STAGE = "stage"  # the same submission, another course: nothing is overwritten until it is accepted


def fate(old: Results | None, new: Results) -> Fate:
    """Adjustments do not count: they are made each time."""
    if old is None:
        return Fate.WRITE
    if _bare(old) == _bare(new):
        return Fate.SAME
    now = {row.name: row for row in new.exercises}
    both = [(row, now[row.name]) for row in old.exercises if row.name in now]
    if old.problems != new.problems or any(before.key and _files(before) != _files(after) for before, after in both):
        return Fate.REPLACE
    if len(both) < len(old.exercises) or any(_course_differs(before, after) for before, after in both):
        return Fate.WRITE if _says_the_same(old, new) else Fate.STAGE
    return Fate.WRITE if verdicts(old) == verdicts(new) else Fate.REPLACE


def verdicts(results: Results) -> list[tuple[str, str, str | None, float, float]]:
    """What is decided, without the words for it."""
    checks = (check for exercise in results.exercises for check in exercise.checks)
    return [(check.id, check.status, check.code, check.points, check.possible) for check in checks]


def _bare(results: Results) -> Results:
    return replace(results, adjustments=[], seconds=0)


def _says_the_same(old: Results, new: Results) -> bool:
    """To the last word: only how it was found out, and how long that took, may differ."""
    return [_said(row) for row in old.exercises] == [_said(row) for row in new.exercises]


def _said(row: Exercise) -> Exercise:
    return replace(row, key="", checks=[replace(check, seconds=None) for check in row.checks])


def _files(row: Exercise) -> str:
    """Of the student's files: what was graded."""
    return row.key.partition("-")[2]


def _course_differs(old: Exercise, new: Exercise) -> bool:
    """Whether a verdict was reached in another way, or has another worth."""
    worth_before, worth_now = ({check.id: check.possible for check in row.checks} for row in (old, new))
    return old.key.partition("-")[0] != new.key.partition("-")[0] or worth_before != worth_now
