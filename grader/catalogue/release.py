"""release.json: what makes a folder a release, a course as its students get it.

A release holds what grading needs and nothing that gives an answer away: stubs, suites, hints, and the right answers as
recorded numbers (run/recorded). References, stand-ins, edits of known bugs and hidden checks stay with the course.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec

from grader.catalogue.bugs import KnownBug
from grader.catalogue.home import RELEASE
from grader.catalogue.model import CheckSpec, Course, Exercise, OwnWork, Task
from grader.errors import CourseError, UsageError
from grader.subject.limits import Limits

FORMAT = 1


class Check(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    name: str
    points: float
    help: str = ""
    hidden: bool = False  # then it has another name here, and no help


class Rule(msgspec.Struct, frozen=True, kw_only=True):
    check: str
    forbids: list[str]
    required: bool


class Bug(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is said of a known bug; how it is made stays with the course."""

    name: str
    what: str
    why: str
    hint: str
    invariant: str = ""


class Part(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A task."""

    name: str
    needs: list[str]
    hints: list[str]
    checks: list[Check]
    own_work: Rule | None = None
    bugs: list[Bug] = []


class Sheet(msgspec.Struct, frozen=True, kw_only=True):
    """An exercise."""

    name: str
    title: str
    track: str
    order: int
    summary: str
    limits: dict[str, int | float]
    tasks: list[Part]


class Release(msgspec.Struct, frozen=True, kw_only=True):
    """`grader`: the version that made it."""

    format: int = FORMAT
    grader: str
    graded: list[str]
    exercises: list[Sheet]


def read_release(root: Path) -> Release:
    """Raises CourseError."""
    path = root / RELEASE
    try:
        release = msgspec.json.decode(path.read_bytes(), type=Release)
    except (OSError, msgspec.DecodeError) as error:
        raise CourseError(f"{path} cannot be read: {error}. Get the release once more.") from error
    if release.format != FORMAT:
        raise CourseError(
            f"{path} has format {release.format}, and this grade reads {FORMAT}: use grade {release.grader}."
        )
    return release


def released_course(root: Path) -> Course:
    """The course of a release. Its choice of exercises and points is made already. Raises CourseError."""
    release = read_release(root)
    exercises = tuple(_exercise(sheet) for sheet in release.exercises)
    return Course(root.resolve(), exercises, tuple(release.graded), configured=True, released=True)


def released_bugs(root: Path, exercise: str) -> tuple[KnownBug, ...]:
    """The known bugs of an exercise, as far as a release tells of them."""
    sheets = (sheet for sheet in read_release(root).exercises if sheet.name == exercise)
    return tuple(
        KnownBug(bug.name, exercise, part.name, bug.what, bug.why, bug.hint, "", "", bug.invariant)
        for sheet in sheets
        for part in sheet.tasks
        for bug in part.bugs
    )


def sheet_of(exercise: Exercise, bugs: Sequence[KnownBug]) -> Sheet:
    """An exercise as release.json has it: hidden checks are counted, and no more is said of them."""
    hidden = [check.name for task in exercise.tasks for check in task.checks if check.hidden]
    aliases = {name: f"hidden_{number}" for number, name in enumerate(hidden, 1)}
    return Sheet(
        name=exercise.name,
        title=exercise.title,
        track=exercise.track,
        order=exercise.order,
        summary=exercise.summary,
        limits=dataclasses.asdict(exercise.limits),
        tasks=[_part(task, [bug for bug in bugs if bug.task == task.name], aliases) for task in exercise.tasks],
    )


def whole_course_only(course: Course, command: str) -> None:
    """Refuse what a release cannot do. Raises UsageError."""
    if course.released:
        raise UsageError(
            f"`grade {command}` needs the whole course with its references, and {course.root} is a release of it."
        )


def _part(task: Task, bugs: Sequence[KnownBug], aliases: Mapping[str, str]) -> Part:
    rule = task.own_work
    return Part(
        name=task.name,
        needs=list(task.needs),
        hints=list(task.hints),
        checks=[
            Check(name=aliases[c.name], points=c.points, hidden=True)
            if c.hidden
            else Check(name=c.name, points=c.points, help=c.help)
            for c in task.checks
        ],
        own_work=Rule(check=aliases.get(rule.check, rule.check), forbids=list(rule.forbids), required=rule.required)
        if rule
        else None,
        bugs=[Bug(name=b.name, what=b.what, why=b.why, hint=b.hint, invariant=b.invariant) for b in bugs],
    )


def _exercise(sheet: Sheet) -> Exercise:
    return Exercise(
        name=sheet.name,
        title=sheet.title,
        track=sheet.track,
        order=sheet.order,
        summary=sheet.summary,
        limits=Limits(**sheet.limits),  # type: ignore[arg-type]
        tasks=tuple(_task(part) for part in sheet.tasks),
    )


def _task(part: Part) -> Task:
    rule = part.own_work
    return Task(
        name=part.name,
        needs=tuple(part.needs),
        hints=tuple(part.hints),
        checks=tuple(CheckSpec(c.name, c.points, c.help, c.hidden) for c in part.checks),
        own_work=OwnWork(rule.check, tuple(rule.forbids), rule.required) if rule else None,
    )
