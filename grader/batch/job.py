"""What is asked of whoever grades: this machine's engine, a cluster, a fake. One job in, results out."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Protocol

from grader.results.schema import Environment, Exercise, Results
from grader.submission.model import Submission


@dataclass(frozen=True, slots=True)
class Job:
    """`exercises`: those to grade. `failed`: tasks of the others that are known to fail (Engine.grade)."""

    submission: Submission
    exercises: tuple[str, ...]
    failed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Grader:
    """`grade` may be called from several threads, and is right about the job's exercises; `level`: of isolation.

    `jobs`: at a time, where the backend knows better than the command.
    """

    grade: Callable[[Job], Results]
    level: int
    jobs: int | None = None


# Given the exercises that may be asked for. Entered in the main thread, and only when there is something to grade.
Backend = Callable[[Sequence[str]], AbstractContextManager[Grader]]


class Present(Protocol):
    """What verdicts are good for and worth now: grader.run.present."""

    @property
    def exercises(self) -> Sequence[str]: ...

    @property
    def environment(self) -> Environment: ...

    def keys(self, submission: Submission) -> dict[str, str]: ...

    def refreshed(self, row: Exercise) -> Exercise: ...

    def needs(self, exercise: str) -> frozenset[str]: ...

    def with_dependents(self, exercises: Collection[str]) -> Collection[str]: ...
