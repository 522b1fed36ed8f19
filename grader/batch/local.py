"""The backend that is this machine: the engine, started for the exercises that are needed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from grader.batch.job import Backend, Grader, Job
from grader.catalogue.model import Course
from grader.errors import UsageError
from grader.results.schema import Isolation, Results
from grader.run.engine import Engine, course_fingerprint

Started = Callable[[Isolation], None]


def engine_backend(
    course: Course, fingerprint: str, isolation: str = "auto", started: Started = lambda isolation: None,
    *, salt: bytes = b"",
) -> Backend:  # fmt: skip
    """`fingerprint`: of the course that the keys were made for. `started` hears which isolation level was proven."""

    @contextmanager
    def backend(exercises: Sequence[str]) -> Iterator[Grader]:
        with Engine(course, exercises, salt=salt, isolation=isolation, others=True) as engine:
            engine.ready()
            assert engine.isolation is not None, "known once the engine is ready"
            if course_fingerprint(course) != fingerprint:
                raise UsageError("The course was changed while it was being loaded: run the batch again.")
            started(engine.isolation)

            def grade(job: Job) -> Results:
                return engine.grade(job.submission, job.exercises, failed=job.failed)

            yield Grader(grade, engine.isolation.level)

    return backend
