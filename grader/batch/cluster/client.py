"""`grade batch --scheduler`: the place of the engine is taken by a dask cluster whose workers keep engines warm.

A submission whose worker is lost is graded by another one; dask sees to that. What comes back is the results file a
local run would have made.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from grader.batch.cluster import worker
from grader.batch.cluster.kit import pack
from grader.catalogue.model import Course
from grader.errors import EngineError, GraderError, UsageError
from grader.results.schema import Environment, Isolation, Results
from grader.results.store import parsed
from grader.run.engine import course_fingerprint
from grader.submission.model import Submission

PATIENCE = 60.0  # seconds for a scheduler to answer, and for a first worker to come


class Cluster:
    """A context manager that grades like grader.run.engine.Engine, on the workers of a scheduler.

    `scheduler`: its address (tcp://host:8786, tls://…) or the file that `dask scheduler --scheduler-file` wrote.
    Raises UsageError where there is no scheduler, no worker, or workers that would not grade alike.
    """

    def __init__(
        self, course: Course, exercises: list[str], scheduler: str, *, salt: bytes = b"", isolation: str = "auto",
    ) -> None:  # fmt: skip
        self.scheduler = scheduler
        self.fingerprint = course_fingerprint(course)
        self.isolation: Isolation | None = None  # once `ready` has returned
        self._kit = pack(course, tuple(exercises), salt, isolation)
        self._environment: Environment | None = None

    def __enter__(self) -> Cluster:
        distributed = _library()
        where = {"scheduler_file": self.scheduler} if Path(self.scheduler).is_file() else {"address": self.scheduler}
        try:
            self._client = distributed.Client(**where, timeout=PATIENCE, set_as_default=False)
        except (OSError, ValueError) as error:
            raise UsageError(
                f"No dask scheduler answers at {self.scheduler!r} ({_first_line(error)}): start one with "
                "`dask scheduler`, and name the address it prints."
            ) from error
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        with contextlib.suppress(Exception):  # the scheduler may be what was lost
            self._client.run(worker.close, self._kit.key)
        self._client.close()

    def ready(self) -> Environment:
        """Wait for a worker, and until all that are there have loaded the course and would grade alike."""
        if self._environment is None:
            with self._asking():
                self._client.wait_for_workers(1, timeout=PATIENCE)
                found: dict[str, tuple[Environment, Isolation]] = self._client.run(worker.ready, self._kit)
                self._given = self._client.scatter(self._kit, broadcast=True, hash=False)
            self._environment, self.isolation = self._alike(found)
        return self._environment

    @property
    def slots(self) -> int:
        """How many submissions are graded at a time by the workers that are there now."""
        return sum(self._client.nthreads().values())

    def grade(self, submission: Submission, exercises: list[str] | None = None) -> Results:
        """As Engine.grade. EngineError when no worker could do it."""
        expected = self.ready()
        with self._asking():
            future = self._client.submit(worker.grade, self._given, submission, exercises, pure=False, retries=1)
            results = parsed(future.result(), f"the answer of a worker for {submission.student!r}")
        if _with_submission(expected, results) != results.environment:
            raise EngineError(
                f"a worker graded {submission.student!r} with another grader, Python or torch than the others: "
                "install the same on all of them."
            )
        return msgspec.structs.replace(results, origin=submission.origin)

    def _alike(self, found: dict[str, tuple[Environment, Isolation]]) -> tuple[Environment, Isolation]:
        first = min(found)
        for address in sorted(found):
            environment, isolation = found[address]
            if environment.course != self.fingerprint:
                raise UsageError(f"The worker {address} has another version of grade: install the same one there.")
            if environment != found[first][0] or isolation.level != found[first][1].level:
                raise UsageError(
                    f"The workers {first} and {address} would not grade alike ({_difference(found, first, address)}): "
                    "install the same on both, or stop one."
                )
        return found[first]

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
            raise EngineError(f"the cluster failed ({type(error).__name__}: {_first_line(error)}).") from error


def _library() -> Any:
    try:
        import distributed
    except ImportError as error:
        raise UsageError(
            'dask.distributed is not installed: `pip install "transformer-grader[cluster]"` brings it.'
        ) from error
    return distributed


def _with_submission(environment: Environment, results: Results) -> Environment:
    return msgspec.structs.replace(environment, submission=results.environment.submission)


def _difference(found: dict[str, tuple[Environment, Isolation]], one: str, other: str) -> str:
    (a, x), (b, y) = found[one], found[other]
    names = [name for name in a.__struct_fields__ if getattr(a, name) != getattr(b, name)]
    told = [f"{name} {getattr(a, name)} and {getattr(b, name)}" for name in names]
    return "; ".join(told or [f"isolation level {x.level} and {y.level}"])


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0][:200] if lines else type(error).__name__
