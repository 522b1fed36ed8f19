"""What becomes of new results: they are written, or laid aside until somebody has looked at the difference."""

from __future__ import annotations

from enum import Enum

from msgspec.structs import replace

from grader.results.schema import Exercise, Results


class Fate(Enum):
    SAME = "same"  # as on the disk
    WRITE = "write"  # the first results, or the same verdicts in other words
    REPLACE = "replace"  # another submission, or what was asked for by name: the old ones go into the history
    STAGE = "stage"  # the same submission, another course: nothing is overwritten until it is accepted


def fate(old: Results | None, new: Results) -> Fate:
    """Adjustments do not count: they are made each time."""
    if old is None:
        return Fate.WRITE
    if _bare(old) == _bare(new):
        return Fate.SAME
    if old.environment.submission != new.environment.submission or old.problems != new.problems:
        return Fate.REPLACE
    if _course_changed(old, new):
        return Fate.STAGE
    return Fate.WRITE if verdicts(old) == verdicts(new) else Fate.REPLACE


def verdicts(results: Results) -> list[tuple[str, str, str | None, float, float]]:
    """What is decided, without the words for it."""
    checks = (check for exercise in results.exercises for check in exercise.checks)
    return [(check.id, check.status, check.code, check.points, check.possible) for check in checks]


def _bare(results: Results) -> Results:
    return replace(results, adjustments=[], seconds=0)


def _course_changed(old: Results, new: Results) -> bool:
    """Whether any verdict of before is gone, was reached in another way, or has another worth."""
    now = {row.name: row for row in new.exercises}
    return any(row.name not in now or _differs(row, now[row.name]) for row in old.exercises)


def _differs(old: Exercise, new: Exercise) -> bool:
    return old.key != new.key or {c.id: c.possible for c in old.checks} != {c.id: c.possible for c in new.checks}
