"""What moved in a class since its last run: totals and exercises of the students who have results in both."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from grader.report.rows import Row, exercises_of, share_of
from grader.results.schema import Exercise, Results

DUST = 0.005  # points: what is written with two decimals is the same


@dataclass(frozen=True, slots=True)
class Moved:
    """Of one exercise: mean shares of its points (of its checks, if it gives none), and students with more and less.

    More and less are of points, as in the totals: where the exercise gives more now, many may have more, and a smaller
    share.
    """

    name: str
    title: str
    before: float
    now: float
    gained: int
    lost: int
    possible_before: float
    possible: float


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
    held: int  # students whose checks moved and whose total did not, since points are set by hand

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
        held=sum(_is_held(old[student], new[student]) for student in both),
    )


def _is_held(old: Results, new: Results) -> bool:
    by_hand = any(one.kind == "override" for one in new.adjustments)
    return by_hand and abs(new.points - old.points) >= DUST > abs(new.final - old.final)


def _by_student(rows: Sequence[Row]) -> dict[str, Results]:
    return {row.student: row.results for row in rows if row.results}


def _moved(rows: Sequence[Row], pairs: Sequence[tuple[Results, Results]]) -> list[Moved]:
    found: dict[str, list[tuple[Exercise, Exercise]]] = {}
    for old, new in pairs:
        before = {exercise.name: exercise for exercise in old.exercises}
        for exercise in new.exercises:
            if exercise.name in before:
                found.setdefault(exercise.name, []).append((before[exercise.name], exercise))
    moved = [_one(found[name]) for name in exercises_of(rows) if name in found]
    return [one for one in moved if one.gained or one.lost]


def _one(pairs: Sequence[tuple[Exercise, Exercise]]) -> Moved:
    old, new = pairs[0]
    deltas = [_worth(now) - _worth(before) for before, now in pairs]
    return Moved(
        new.name,
        new.title,
        before=statistics.fmean(share_of(before) for before, _ in pairs),
        now=statistics.fmean(share_of(now) for _, now in pairs),
        gained=sum(delta >= DUST for delta in deltas),
        lost=sum(delta <= -DUST for delta in deltas),
        possible_before=old.possible,
        possible=new.possible,
    )


def _worth(exercise: Exercise) -> float:
    """Points; of an exercise for practice the share of its checks."""
    return exercise.points if exercise.possible else share_of(exercise)
