"""Which exercises count and what they are worth: grade.toml, or [tool.grade] in pyproject.toml, beside solutions/.

    [tool.grade]
    tracks = ["core"]              # all exercises of these tracks count
    exercises = ["gpt"]            # and these; without `tracks`, only these
    points = { attention = 30 }    # instead of what their checks add up to
    salt = "official.salt"         # official runs ask with other inputs (salt.py)

Without a configuration every exercise counts. What does not count is there for practice: it is graded when it is named,
and worth no points.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from grader.catalogue.model import CheckSpec, Course, Exercise
from grader.catalogue.table import Key, Table
from grader.errors import CourseError

OWN_FILE, SHARED_FILE = "grade.toml", "pyproject.toml"
KEYS = {
    "tracks": Key("list of texts", "all exercises of these tracks count", "none; all, without `exercises`"),
    "exercises": Key("list of texts", "these count, besides those of `tracks`", "none besides those of `tracks`"),
    "points": Key("table", "what an exercise is worth: shared out among its checks", "the sum of its checks"),
    "salt": Key("text", "a secret file of the course: `grade batch` and `grade ci` draw other inputs with it", "none"),
}


@dataclass(frozen=True, slots=True)
class Config:
    """`where`: the file, for messages."""

    where: str
    tracks: tuple[str, ...]
    exercises: tuple[str, ...]
    points: dict[str, float]
    salt: str = ""


def read_config(root: Path) -> Config | None:
    """The course's own choice, if it makes one. Raises CourseError."""
    own = _parsed(root / OWN_FILE)
    shared = _parsed(root / SHARED_FILE).get("tool", {}).get("grade")
    if own and shared is not None:
        raise CourseError(f"{root} has a {OWN_FILE} and [tool.grade] in {SHARED_FILE}; keep one of them")
    if not own and shared is None:
        return None
    table = Table(own or shared, OWN_FILE if own else f"{SHARED_FILE} [tool.grade]")
    table.nothing_else(KEYS)
    points = table.sub("points")
    tracks, exercises = (tuple(table.texts(key)) if key in table.entries else () for key in ("tracks", "exercises"))
    salt = table.text("salt") if "salt" in table.entries else ""
    return Config(table.where, tracks, exercises, {name: points.number(name) for name in points.entries}, salt)


def chosen(course: Course, config: Config | None) -> Course:
    """The course with this configuration. Raises CourseError where it names what is not there."""
    if config is None:
        return replace(course, configured=True)
    known = {"tracks": {e.track for e in course.exercises}, "exercises": set(course.names), "points": set(course.names)}
    for entry, names in (("tracks", config.tracks), ("exercises", config.exercises), ("points", config.points)):
        for name in names:
            if name not in known[entry]:
                there = ", ".join(sorted(known[entry]))
                raise CourseError(f"{config.where}: {entry} names {name!r}; there are {there}")
    everything = not config.tracks and not config.exercises
    graded = [e.name for e in course.exercises if everything or e.track in config.tracks or e.name in config.exercises]
    worth = {e.name: config.points.get(e.name, e.points) if e.name in graded else 0.0 for e in course.exercises}
    exercises = tuple(_worth(e, worth[e.name]) for e in course.exercises)
    return replace(course, exercises=exercises, graded=tuple(graded), configured=True, salt=config.salt)


def _worth(exercise: Exercise, points: float) -> Exercise:
    """Every check in proportion, to a hundredth; the largest takes what rounding leaves."""
    if points == exercise.points or not exercise.points:
        return exercise
    checks = [check for task in exercise.tasks for check in task.checks]
    shares = {check.name: round(check.points * points / exercise.points, 2) for check in checks}
    largest = max(shares, key=lambda name: shares[name])
    shares[largest] = round(shares[largest] + points - sum(shares.values()), 2)
    tasks = (replace(task, checks=tuple(_at(check, shares) for check in task.checks)) for task in exercise.tasks)
    return replace(exercise, tasks=tuple(tasks))


def _at(check: CheckSpec, shares: dict[str, float]) -> CheckSpec:
    points = shares[check.name]
    return replace(check, points=int(points) if float(points).is_integer() else points)


def _parsed(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8")) if path.is_file() else {}
    except (OSError, ValueError) as error:
        raise CourseError(f"{path} cannot be read: {error}") from error
