"""What a class as a whole shows: the spread of totals and of each exercise, and the hardest checks."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from grader.language import _
from grader.report.rows import Row, exercises_of, results_of, share, share_of
from grader.report.tasks import whole_file
from grader.report.words import count, number
from grader.results.schema import Exercise

MOST = 12  # of the hardest checks
BINS = 20  # of the totals
FEW_BINS = 10  # of an exercise


@dataclass(frozen=True, slots=True)
class Bin:
    low: int  # per cent of the possible points; the last bin holds 100 too
    high: int
    students: int


@dataclass(frozen=True, slots=True)
class Spread:
    """How the class fared in one exercise."""

    exercise: Exercise  # of any student, for its name, title and points
    bins: list[Bin]  # of those whose work was judged
    passed: int
    not_written: int
    students: int

    @property
    def most(self) -> int:
        return max(self.not_written, *(found.students for found in self.bins))


@dataclass(frozen=True, slots=True)
class Hard:
    id: str
    title: str
    failed: int
    judged: int  # students whose check passed or failed

    @property
    def share(self) -> float:
        return self.failed / self.judged


def histogram(rows: Sequence[Row]) -> list[Bin]:
    """How many students reached which share of their possible points."""
    return _bins((share(results) for results in results_of(rows)), BINS)


def spreads(rows: Sequence[Row]) -> list[Spread]:
    """The exercises in the order of the course."""
    found: dict[str, list[Exercise]] = {name: [] for name in exercises_of(rows)}
    for results in results_of(rows):
        for exercise in results.exercises:
            found[exercise.name].append(exercise)
    return [_spread(exercises) for exercises in found.values()]


def _spread(exercises: list[Exercise]) -> Spread:
    statuses = Counter(exercise.status for exercise in exercises)
    judged = (share_of(exercise) for exercise in exercises if exercise.status in ("passed", "failed"))
    bins = _bins(judged, FEW_BINS)
    return Spread(exercises[0], bins, statuses["passed"], statuses["not_started"], len(exercises))


def _bins(shares: Iterable[float], bins: int) -> list[Bin]:
    width = 100 // bins
    found = Counter(min(int(share * bins), bins - 1) for share in shares)
    return [Bin(i * width, (i + 1) * width, found[i]) for i in range(bins)]


def overview(rows: Sequence[Row]) -> str:
    """The class in a sentence or two."""
    totals = [results.final for results in results_of(rows)]
    missing = len(rows) - len(totals)
    known = _("{students}, {n} without results.") if missing else _("{students}.")
    said = [known.format(students=count(len(rows), "student"), n=missing)]
    if totals:
        middle, mean = (number(round(value, 1)) for value in (statistics.median(totals), statistics.fmean(totals)))
        most = number(max(results.possible for results in results_of(rows)))
        half = (
            _("Half of those with results have {middle} of {most} points or more; the mean is {mean}.")
            if missing
            else _("Half of them have {middle} of {most} points or more; the mean is {mean}.")
        )
        said.append(half.format(middle=middle, most=most, mean=mean))
    return " ".join(said)


def hardest(rows: Sequence[Row]) -> list[Hard]:
    """Checks by the share of students who failed them, among those whose file could be run, and who got that far."""
    failed: Counter[str] = Counter()
    judged: Counter[str] = Counter()
    titles: dict[str, str] = {}
    exercises = [e for results in results_of(rows) for e in results.exercises if whole_file(e) is None]
    checks = (c for exercise in exercises for c in exercise.checks)
    for check in (c for c in checks if c.status in ("passed", "failed")):
        titles.setdefault(check.id, check.title)
        judged[check.id] += 1
        failed[check.id] += check.status == "failed"
    found = [Hard(i, titles[i], failed[i], judged[i]) for i in judged if failed[i]]
    return sorted(found, key=lambda hard: (-hard.share, -hard.failed, hard.id))[:MOST]
