"""What a class as a whole shows: the spread of totals, the hardest checks, the commonest mistakes."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from grader.language import _
from grader.report.rows import Row
from grader.report.tasks import whole_file
from grader.report.words import count, number
from grader.results.schema import Results

BINS = 20


@dataclass(frozen=True, slots=True)
class Bin:
    low: int  # per cent of the possible points; the last bin holds 100 too
    high: int
    students: int


@dataclass(frozen=True, slots=True)
class Hard:
    id: str
    title: str
    failed: int
    judged: int  # students whose check passed or failed

    @property
    def share(self) -> float:
        return self.failed / self.judged


@dataclass(frozen=True, slots=True)
class Mistake:
    what: str
    task: str
    students: int


def results_of(rows: Sequence[Row]) -> list[Results]:
    return [row.results for row in rows if row.results is not None]


def histogram(rows: Sequence[Row]) -> list[Bin]:
    """How many students reached which share of their possible points."""
    width = 100 // BINS
    found = Counter(min(int(share(r) * BINS), BINS - 1) for r in results_of(rows))
    return [Bin(i * width, (i + 1) * width, found[i]) for i in range(BINS)]


def share(results: Results) -> float:
    return min(max(results.points / results.possible, 0.0), 1.0) if results.possible > 0 else 0.0


def overview(rows: Sequence[Row]) -> str:
    """The class in a sentence or two."""
    totals = [results.points for results in results_of(rows)]
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


def hardest(rows: Sequence[Row], limit: int = 12) -> list[Hard]:
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
    return sorted(found, key=lambda hard: (-hard.share, -hard.failed, hard.id))[:limit]


def mistakes(rows: Sequence[Row], limit: int = 8) -> list[Mistake]:
    """Known mistakes by the number of students in whose work they were recognised."""
    found: Counter[tuple[str, str]] = Counter()
    for results in results_of(rows):
        found.update({(d.what, d.task) for e in results.exercises for d in e.diagnoses})
    ranked = sorted(found.items(), key=lambda item: (-item[1], item[0]))
    return [Mistake(what, task, n) for (what, task), n in ranked[:limit]]
