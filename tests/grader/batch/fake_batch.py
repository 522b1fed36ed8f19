"""A batch with a fake grader, for tests that import it and for tests that kill it.

python fake_batch.py OUT [STEP N [SIGINT]]    SIGKILL itself at the N-th call of os.replace, os.fsync, os.mkdir or grade
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from grader.batch.job import Grader as Backend
from grader.batch.pages import Pages
from grader.batch.run import run_batch
from grader.report.rows import Row
from grader.results.schema import Check, Environment, Exercise, Isolation, Results, Status
from grader.submission.model import SourceFile, Submission

ENVIRONMENT = Environment(grader="1", python="3", torch="2", platform="x", course="c", submission="", salt="s")
STUDENTS = ["ada", "Ada", "con", "grace hopper", "注意", "x" * 200, 'a/b\n"c"', "late"]


def submission(student: str, text: str = "x = 1\n") -> Submission:
    return Submission(student, {"attention": SourceFile("attention", text)})


def results(submission: Submission, status: Status = "passed", **environment: str) -> Results:
    points = 2.0 if status == "passed" else 0.0
    check = Check(id="attention.one", task="softmax", title="It holds.", status=status, points=points, possible=2)
    exercise = Exercise(
        name="attention",
        title="Attention",
        track="core",
        status=status,
        points=points,
        possible=2,
        checks=[check],
        key=f"c-{submission.fingerprint()}",
    )
    return Results(
        student=submission.student, points=points, possible=2, seconds=0, exercises=[exercise],
        isolation=Isolation(level=0, name="process"), problems=list(submission.problems),
        environment=replace(ENVIRONMENT, **{"submission": submission.fingerprint(), **environment}),
    )  # fmt: skip


PAGES = Pages(
    student=lambda results: f"<p>{results.student}: {results.points}</p>" * 500,
    overview=lambda title, rows, before: "\n".join([title, *map(line, rows)]),
    gradebook=lambda rows: "\n".join(map(line, rows)),
    changes=lambda title, changes, why: "\n".join(
        [*(f"{c.student!r}, {c.before} -> {c.after}" for c in changes), *([f"Accepted: {why}"] if why else [])]
    ),
)


def line(row: Row) -> str:
    return f"{row.student!r}, {row.results.points if row.results else row.problem}, {row.href}"


class Present:
    """A course of one exercise; `course` is what its key is made of besides the text, `points` are for its check."""

    exercises = ("attention",)
    environment = ENVIRONMENT

    def __init__(self, course: str = "c", points: float = 2) -> None:
        self.course, self.points = course, points

    def keys(self, submission: Submission) -> dict[str, str]:
        return {"attention": f"{self.course}-{submission.fingerprint()}"}

    def refreshed(self, row: Exercise) -> Exercise:
        worth = {check.id: self.points if check.status == "passed" else 0.0 for check in row.checks}
        checks = [replace(c, points=worth[c.id], possible=self.points) for c in row.checks]
        return replace(row, points=sum(worth.values()), possible=self.points * len(checks), checks=checks)

    def needs(self, exercise: str) -> frozenset[str]:
        return frozenset()

    def with_dependents(self, exercises: Collection[str]) -> Collection[str]:
        return exercises


def backend(grade: Callable[[Submission], Results], level: int = 0) -> Any:
    """One that asks `grade` for a whole submission."""

    @contextmanager
    def entered(exercises: Sequence[str]) -> Iterator[Backend]:
        yield Backend(lambda job: grade(job.submission), level)

    return entered


class Grader:
    """Grades, and remembers whom; `fails` says what happens to whom instead."""

    def __init__(self, fails: dict[str, BaseException] | None = None) -> None:
        self.fails, self.graded = fails or {}, list[str]()

    def __call__(self, submission: Submission) -> Results:
        self.graded.append(submission.student)
        if error := self.fails.get(submission.student):
            raise error
        return results(submission)


def tables(out: Path) -> tuple[list[str], list[str]]:
    index, book = (out / name for name in ("index.html", "gradebook.csv"))
    return index.read_text(encoding="utf-8").splitlines(), book.read_text(encoding="utf-8").splitlines()


def listed(out: Path) -> list[str]:
    """The students in the gradebook."""
    return [line.split(",")[0].strip("'") for line in tables(out)[1]]


def slow_grade(submission: Submission) -> Results:
    time.sleep(0.03)
    return results(submission)


def dies_at(n: int, function: Callable[..., Any], sent: signal.Signals = signal.SIGKILL) -> Callable[..., Any]:
    lock, calls = threading.Lock(), [0]

    def counted(*args: Any, **kwargs: Any) -> Any:
        with lock:
            calls[0] += 1
            if calls[0] == n:
                os.kill(os.getpid(), sent)
        return function(*args, **kwargs)

    return counted


def main(out: str, step: str = "", n: str = "0", sent: str = "SIGKILL") -> None:
    grade = dies_at(int(n), slow_grade, signal.Signals[sent]) if step == "grade" else slow_grade
    if step and step != "grade":
        setattr(os, step, dies_at(int(n), getattr(os, step)))
    submissions = [*map(submission, STUDENTS), Submission("nobody")]
    run_batch(submissions, backend(grade), Present(), Path(out), 2, title="Class", pages=PAGES)


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background job inherits that it is ignored
    main(*sys.argv[1:])
