"""`grade batch --scheduler`: the place of the engine is taken by a dask cluster whose workers keep engines warm.

A submission whose worker is lost is graded by another one; dask sees to that. What comes back is the results file a
local run would have made.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from grader.batch.cluster import worker
from grader.batch.cluster.kit import pack
from grader.batch.job import Backend, Grader, Job
from grader.catalogue.model import Course
from grader.errors import EngineError, GraderError, UsageError
from grader.results.schema import Environment, Isolation, Results
from grader.results.store import parsed

MOST = 64  # jobs that wait at the scheduler, so that workers that come later have something to do
PATIENCE = 60.0  # seconds for a scheduler to answer, and for a first worker to come


def cluster_backend(
    course: Course, environment: Environment, scheduler: str, isolation: str = "auto",
    started: Callable[[Isolation], None] = lambda isolation: None, *, salt: bytes = b"",
) -> Backend:  # fmt: skip
    """`environment`: what keys and kept results are made for, so what every worker must have."""

    @contextlib.contextmanager
    def backend(exercises: Sequence[str]) -> Iterator[Grader]:
        with Cluster(course, exercises, environment, scheduler, salt=salt, isolation=isolation) as cluster:
            proven = cluster.ready()
            started(proven)
            yield Grader(cluster.grade, proven.level, max(MOST, 2 * cluster.slots))

    return backend


class Cluster:
    """A context manager that grades like grader.run.engine.Engine, on the workers of a scheduler.

    `scheduler`: its address (tcp://host:8786, tls://…) or the file that `dask scheduler --scheduler-file` wrote.
    Raises UsageError where there is no scheduler, no worker, or workers that would not grade as `environment` says.
    """

    def __init__(
        self, course: Course, exercises: Sequence[str], environment: Environment, scheduler: str, *,
        salt: bytes = b"", isolation: str = "auto",
    ) -> None:  # fmt: skip
        self.scheduler = scheduler
        self.environment = environment
        self._kit = pack(course, tuple(exercises), salt, isolation)

    def __enter__(self) -> Cluster:
        distributed = _library()
        where = {"scheduler_file": self.scheduler} if Path(self.scheduler).is_file() else {"address": self.scheduler}
        try:
            self._client = distributed.Client(**where, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            reason = _first_line(error)
            raise UsageError(
                f"No dask scheduler answers at {self.scheduler!r} ({reason}): start one with "
                "`dask scheduler`, and name the address it prints."
            ) from error
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with contextlib.suppress(Exception):  # the scheduler may be what was lost
            self._client.run(worker.close, self._kit.key)
        self._client.close()

    def ready(self) -> Isolation:
        """Wait for a worker, and until all that are there have loaded the course and would grade alike."""
        with self._asking():
            self._client.wait_for_workers(1, timeout=PATIENCE)
            found: dict[str, tuple[Environment, Isolation]] = self._client.run(worker.ready, self._kit)
            self._given = self._client.scatter(self._kit, broadcast=True, hash=False)
        self.isolation = self._alike(found)
        return self.isolation

    @property
    def slots(self) -> int:
        """How many submissions are graded at a time by the workers that are there now."""
        return sum(self._client.nthreads().values())

    def grade(self, job: Job) -> Results:
        """As Engine.grade. EngineError when no worker could do it."""
        student = job.submission.student
        with self._asking():
            future = self._client.submit(worker.grade, self._given, job, pure=False, retries=1)
            results = parsed(future.result(), f"the answer of a worker for {student!r}")
        there = _without_submission(results.environment)
        if there != _without_submission(self.environment) or results.isolation.level != self.isolation.level:
            raise EngineError(
                f"A worker that came later would not grade {student!r} as the others do: install the same grade, "
                "Python and torch on all of them, and run the batch again."
            )
        return msgspec.structs.replace(results, origin=job.submission.origin)

    def _alike(self, found: dict[str, tuple[Environment, Isolation]]) -> Isolation:
        first = min(found)
        level = found[first][1].level
        for address in sorted(found):
            environment, isolation = found[address]
            if different := _difference(environment, self.environment):
                raise UsageError(
                    f"The worker {address} would not grade as this command does ({different}): install the same there."
                )
            other, lower = isolation.level, min(level, isolation.level)
            if other != level:
                raise UsageError(
                    f"The worker {first} has isolation level {level}, {address} has {other}: "
                    f"ask for one that both have with --isolation {lower}."
                )
        return found[first][1]

    @contextlib.contextmanager
    def _asking(self) -> Iterator[None]:
        """What dask raises, as a sentence of ours. Our own errors cross as they are."""
        try:
            yield
        except GraderError:
            raise
        except TimeoutError as error:
            raise UsageError(
                f"The scheduler at {self.scheduler!r} has no worker: start some with `dask worker`."
            ) from error
        except Exception as error:
            kind, what = type(error).__name__, _first_line(error)
            raise EngineError(f"The cluster failed ({kind}: {what}).") from error


def _library() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise UsageError(
            'dask.distributed is not installed: `pip install "transformer-grader[cluster]"` brings it.'
        ) from error
    return distributed


def _without_submission(environment: Environment) -> Environment:
    return msgspec.structs.replace(environment, submission="")


def _difference(there: Environment, here: Environment) -> str:
    names = [n for n in here.__struct_fields__ if n != "submission" and getattr(there, n) != getattr(here, n)]
    return "; ".join(f"{name} {getattr(there, name)}, here {getattr(here, name)}" for name in names)


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else type(error).__name__
