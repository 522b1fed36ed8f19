"""What moved in a class since its last run: totals and exercises of the students who have results in both."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from grader.report.rows import Row, exercises_of, share_of
from grader.results.schema import Results

DUST = 0.005  # points: what is written with two decimals is the same


@dataclass(frozen=True, slots=True)
class Moved:
    """Of one exercise: mean shares of its points (of its checks, if it gives none), and students who rose and fell."""

    name: str
    title: str
    before: float
    now: float
    gained: int
    lost: int


@dataclass(frozen=True, slots=True)
class ClassChange:
    points: dict[str, float]  # by student: how much more there is now
    before: float  # medians
    now: float
    possible_before: float
    possible: float
    joined: int  # students with results in this run only
    gone: int  # in the last run only
    exercises: list[Moved]  # those in which anyone moved

    @property
    def gained(self) -> int:
        return sum(points >= DUST for points in self.points.values())

    @property
    def lost(self) -> int:
        return sum(points <= -DUST for points in self.points.values())


def compared(rows: Sequence[Row], previous: Sequence[Row] | None) -> ClassChange | None:
    """None where there is nothing to compare with. Students are the same if their names are."""
    old, new = _by_student(previous or ()), _by_student(rows)
    both = [student for student in new if student in old]
    if not both:
        return None
    return ClassChange(
        points={student: round(new[student].final - old[student].final, 4) for student in both},
        before=statistics.median(old[student].final for student in both),
        now=statistics.median(new[student].final for student in both),
        possible_before=max(old[student].possible for student in both),
        possible=max(new[student].possible for student in both),
        joined=len(new) - len(both),
        gone=len(old) - len(both),
        exercises=_moved(rows, [(old[student], new[student]) for student in both]),
    )


def _by_student(rows: Sequence[Row]) -> dict[str, Results]:
    return {row.student: row.results for row in rows if row.results}


def _moved(rows: Sequence[Row], pairs: Sequence[tuple[Results, Results]]) -> list[Moved]:
    shares: dict[str, list[tuple[float, float]]] = {}
    for old, new in pairs:
        before = {exercise.name: share_of(exercise) for exercise in old.exercises}
        for exercise in new.exercises:
            if exercise.name in before:
                shares.setdefault(exercise.name, []).append((before[exercise.name], share_of(exercise)))
    titles = {name: exercise.title for name, exercise in exercises_of(rows).items()}
    moved = [_one(name, titles[name], shares[name]) for name in titles if name in shares]
    return [one for one in moved if one.gained or one.lost]


def _one(name: str, title: str, shares: Sequence[tuple[float, float]]) -> Moved:
    return Moved(
        name,
        title,
        before=statistics.fmean(before for before, _ in shares),
        now=statistics.fmean(now for _, now in shares),
        gained=sum(now > before + 1e-9 for before, now in shares),
        lost=sum(now < before - 1e-9 for before, now in shares),
    )
