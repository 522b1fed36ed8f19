"""How long a batch still takes: by what exercises have taken before, at the pace of this run."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence

from grader.batch.job import Job
from grader.results.schema import Results

USUAL = 1.0  # seconds of an exercise that nobody has been graded in


class Estimate:
    """`known`: results of earlier runs, for what each exercise takes. `jobs`: at a time."""

    def __init__(self, known: Iterable[Results], jobs: int) -> None:
        seconds: dict[str, list[float]] = {}
        for results in known:
            for row in results.exercises:
                seconds.setdefault(row.name, []).append(sum(check.seconds or 0 for check in row.checks))
        self._usual = {name: statistics.fmean(times) or USUAL for name, times in seconds.items()}
        self._is_known = bool(self._usual)
        self._jobs = max(1, jobs)
        self._waiting = 0.0
        self._done = 0.0

    def expect(self, waiting: Sequence[Job]) -> None:
        """These will be graded, too."""
        self._waiting += sum(map(self._of, waiting))

    def finished(self, job: Job) -> None:
        self._waiting = max(0.0, self._waiting - self._of(job))
        self._done += self._of(job)

    def seconds_left(self, elapsed: float) -> float | None:
        """`elapsed`: seconds since grading began. None while nothing is known."""
        if not self._waiting:
            return 0.0
        if self._done and elapsed > 0:
            return self._waiting * elapsed / self._done
        return self._waiting / self._jobs if self._is_known else None

    def _of(self, job: Job) -> float:
        return sum(self._usual.get(name, USUAL) for name in job.exercises)
