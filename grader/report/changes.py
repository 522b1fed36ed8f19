"""What a regrade changes: who gains, who loses, and by which checks. A function of pairs of results."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from grader.results.schema import Check, Exercise, Results, Status, total


@dataclass(frozen=True, slots=True)
class CheckChange:
    """A check whose verdict, points or worth is another. `before` or `after` is None where there is no such check."""

    id: str
    task: str
    title: str
    before: Check | None
    after: Check | None

    @property
    def delta(self) -> float:
        return total([_points(self.after), -_points(self.before)])

    @property
    def statuses(self) -> tuple[Status | None, Status | None]:
        return (self.before.status if self.before else None, self.after.status if self.after else None)


@dataclass(frozen=True, slots=True)
class ExerciseChange:
    name: str
    title: str
    before: float
    after: float
    possible_before: float
    possible_after: float
    checks: tuple[CheckChange, ...]

    @property
    def delta(self) -> float:
        return total([self.after, -self.before])


@dataclass(frozen=True, slots=True)
class Held:
    """Points that a person has set, and that stay while what they are for changes. `title`: None for the total."""

    title: str | None
    points: float
    possible_before: float
    possible_after: float


@dataclass(frozen=True, slots=True)
class StudentChange:
    """Points are those of the gradebook: with what was given or taken beside the checks."""

    student: str
    before: float
    after: float
    possible_before: float
    possible_after: float
    exercises: tuple[ExerciseChange, ...]  # only those with a change
    held: tuple[Held, ...] = ()

    @property
    def delta(self) -> float:
        return total([self.after, -self.before])


@dataclass(frozen=True, slots=True)
class Cause:
    """A check, and how many gained and lost by it."""

    id: str
    title: str
    gained: int
    lost: int
    points: float  # over all students


def changes(pairs: Iterable[tuple[Results, Results]]) -> list[StudentChange]:
    """Of the same students before and after, largest loss first, then by name; those who stay as they are come last."""
    found = [_change(old, new) for old, new in pairs]
    return sorted(found, key=lambda change: (change.delta >= 0, -abs(change.delta), change.student))


def gained(found: Iterable[StudentChange]) -> list[StudentChange]:
    return [change for change in found if change.delta > 0]


def lost(found: Iterable[StudentChange]) -> list[StudentChange]:
    return [change for change in found if change.delta < 0]


def causes(found: Iterable[StudentChange]) -> list[Cause]:
    """Checks by the number of students whose points they change, most first."""
    by_check: dict[str, list[CheckChange]] = {}
    for check in (c for change in found for exercise in change.exercises for c in exercise.checks if c.delta):
        by_check.setdefault(check.id, []).append(check)
    made = [_cause(of_one) for of_one in by_check.values()]
    return sorted(made, key=lambda cause: (-(cause.gained + cause.lost), cause.id))


def _cause(of_one: list[CheckChange]) -> Cause:
    deltas = [change.delta for change in of_one]
    return Cause(
        of_one[0].id, of_one[0].title, sum(d > 0 for d in deltas), sum(d < 0 for d in deltas), total(deltas)
    )  # fmt: skip


def _change(old: Results, new: Results) -> StudentChange:
    before, after = ({row.name: row for row in results.exercises} for results in (old, new))
    rows = (_exercise(before.get(name), after.get(name)) for name in dict.fromkeys([*after, *before]))
    changed = tuple(row for row in rows if row.checks)
    held = tuple(_held(old, new, changed))
    return StudentChange(new.student, old.final, new.final, old.possible, new.possible, changed, held)


def _held(old: Results, new: Results, changed: Iterable[ExerciseChange]) -> Iterator[Held]:
    moved = {row.name: row for row in changed}
    for one in new.adjustments if moved else ():
        if one.kind == "override" and one.exercise is None:
            yield Held(None, one.after, old.possible, new.possible)
        elif one.kind == "override" and one.exercise in moved:
            row = moved[one.exercise]
            yield Held(row.title, one.after, row.possible_before, row.possible_after)


def _exercise(old: Exercise | None, new: Exercise | None) -> ExerciseChange:
    shown = new or old
    assert shown is not None, "a name comes from one of the two"
    before, after = ({check.id: check for check in row.checks} if row else {} for row in (old, new))
    pairs = ((before.get(name), after.get(name)) for name in dict.fromkeys([*after, *before]))
    return ExerciseChange(
        shown.name, shown.title, old.points if old else 0, new.points if new else 0,
        old.possible if old else 0, new.possible if new else 0,
        tuple(_check(*pair) for pair in pairs if _differ(*pair)),
    )  # fmt: skip


def _check(old: Check | None, new: Check | None) -> CheckChange:
    shown = new or old
    assert shown is not None, "a name comes from one of the two"
    return CheckChange(shown.id, shown.task, shown.title, old, new)


def _differ(old: Check | None, new: Check | None) -> bool:
    if old is None or new is None:
        return True
    return (old.status, old.points, old.possible) != (new.status, new.points, new.possible)


def _points(check: Check | None) -> float:
    return check.points if check else 0.0
