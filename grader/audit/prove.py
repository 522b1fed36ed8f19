"""What must hold of a course before a student sees it, each finding a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from grader.catalogue.model import Course, Exercise
from grader.catalogue.stubs import as_submission, make_stub
from grader.results.schema import Check, Results
from grader.run.engine import Engine
from grader.submission.model import SourceFile, Submission


@dataclass(frozen=True, slots=True)
class Finding:
    exercise: str
    problem: str


def prove(course: Course, names: list[str]) -> list[Finding]:
    """Everything that does not hold for these exercises; empty when all does. Raises CourseError if nothing can run."""
    references = {n: course.reference_path(n).read_text("utf-8") for n in course.names}
    # A comment at the end, or the engine would know the stub without running it: it must also not start when run.
    stubs = {n: make_stub(text, n) + "# \n" for n, text in references.items()}
    with Engine(course, names) as engine:
        engine.ready()
        stub = engine.grade(_submission("stub", stubs))
        reference = engine.grade(_submission("reference", {n: as_submission(t) for n, t in references.items()}))
    return [
        finding
        for name in names
        for finding in (*_stub(name, stub), *_reference(name, reference), *_in_step(course, course.exercise(name)))
    ]


def _stub(name: str, results: Results) -> Iterator[Finding]:
    for check in _checks(name, results):
        if check.status != "not_started":
            yield Finding(name, f"the stub should be not started, but {check.id} {_says(check)}")


def _reference(name: str, results: Results) -> Iterator[Finding]:
    for check in _checks(name, results):
        if check.status != "passed":
            yield Finding(name, f"the reference should pass, but {check.id} {_says(check)}")


def _in_step(course: Course, exercise: Exercise) -> Iterator[Finding]:
    path = course.stub_path(exercise.name)
    stub = make_stub(course.reference_path(exercise.name).read_text("utf-8"), exercise.name)
    if not path.is_file() or path.read_text("utf-8") != stub:
        yield Finding(
            exercise.name,
            f"exercises/{exercise.name}.py is not the stub of its reference; run `grade stubs {exercise.name}`",
        )


def _checks(name: str, results: Results) -> list[Check]:
    return next(e.checks for e in results.exercises if e.name == name)


def _says(check: Check) -> str:
    return f"says {check.status}: {check.message}\n{check.detail}".strip()


def _submission(student: str, texts: dict[str, str]) -> Submission:
    return Submission(student, {name: SourceFile(name, text) for name, text in texts.items()})
