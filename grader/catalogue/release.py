"""release.json: what makes a folder a release, a course as its students get it.

A release holds what grading needs and nothing that gives an answer away: stubs, suites, hints, and the right answers as
recorded numbers (run/recorded). References, stand-ins, edits of known bugs and hidden checks stay with the course.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import msgspec

from grader.catalogue.bugs import KnownBug
from grader.catalogue.home import RELEASE
from grader.catalogue.model import CheckSpec, Course, Exercise, Task
from grader.errors import CourseError

FORMAT = 1


class Release(msgspec.Struct, frozen=True, kw_only=True):
    """`grader`: the version that made it. Exercises and bugs are as `told_exercise` and `told_bug` leave them."""

    format: int = FORMAT
    grader: str
    graded: list[str]
    exercises: list[Exercise]
    bugs: list[KnownBug]


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
    return Course(root.resolve(), tuple(release.exercises), tuple(release.graded), configured=True, released=True)


def released_bugs(root: Path, exercise: str) -> tuple[KnownBug, ...]:
    """The known bugs of an exercise, as far as a release tells of them."""
    return tuple(bug for bug in read_release(root).bugs if bug.exercise == exercise)


def told_exercise(exercise: Exercise) -> Exercise:
    """As a release has it: hidden checks are counted, under another name, and no more is said of them."""
    hidden = [check.name for task in exercise.tasks for check in task.checks if check.hidden]
    aliases = {name: f"hidden_{number}" for number, name in enumerate(hidden, 1)}
    return replace(exercise, tasks=tuple(_told(task, aliases) for task in exercise.tasks))


def told_bug(bug: KnownBug) -> KnownBug:
    """What is said of a known bug; how it is made stays with the course."""
    return replace(bug, source="", text="", edit=None)


def _told(task: Task, aliases: Mapping[str, str]) -> Task:
    checks = tuple(CheckSpec(aliases[c.name], c.points, "", True) if c.hidden else c for c in task.checks)
    rule = task.own_work
    return replace(
        task, checks=checks, own_work=replace(rule, check=aliases.get(rule.check, rule.check)) if rule else None
    )
