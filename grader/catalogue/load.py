"""Read a course from its folder: the metadata of every exercise, checked word by word."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from grader.catalogue.model import CheckSpec, Course, Exercise, OwnWork, Task
from grader.errors import CourseError, UsageError
from grader.subject.limits import Limits

# The families that worker/watch.py knows; a test holds the two together, since that file imports torch.
OWN_WORK_FAMILIES = ("softmax", "attention", "layer_norm", "embedding", "gelu", "transformer", "clipping")


def find_course(start: Path) -> Course:
    """The course that `start` lies in: the nearest folder above it with solutions/ and exercises/."""
    for folder in (start, *start.parents):
        if (folder / "solutions").is_dir() and (folder / "exercises").is_dir():
            return load_course(folder)
    raise UsageError(
        f"No course (exercises/ and solutions/) in {start} or above it. Go to one, or name it with --course."
    )


def load_course(root: Path) -> Course:
    """Every exercise with a NAME.toml in solutions/, in their order. Raises CourseError."""
    if not (root / "solutions").is_dir():
        raise UsageError(f"{root} is not a course: it has no folder solutions/.")
    files = sorted(p for p in (root / "solutions").glob("*.toml") if not p.name.endswith(".bugs.toml"))
    exercises = sorted((load_exercise(p) for p in files), key=lambda e: (e.order, e.name))
    course = Course(root.resolve(), tuple(exercises))
    _check_needs(course)
    return course


def load_exercise(path: Path) -> Exercise:
    """One solutions/NAME.toml. Raises CourseError that names the entry and what it should be."""
    try:
        table = _Table(tomllib.loads(path.read_text("utf-8")), path.name)
    except (OSError, ValueError) as error:
        raise CourseError(f"{path} cannot be read: {error}") from error
    limits = table.sub("limits")
    exercise = Exercise(
        name=path.stem,
        title=table.text("title"),
        track=table.text("track"),
        order=int(table.number("order")),
        summary=table.text("summary"),
        limits=Limits(**{key: limits.number(key) for key in limits.entries}),  # type: ignore[arg-type]
        tasks=tuple(_task(t) for t in table.tables("tasks")),
    )
    table.nothing_else({"title", "track", "order", "summary", "limits", "tasks"})
    return exercise


def _task(table: _Table) -> Task:
    checks = table.sub("checks")
    task = Task(
        name=table.text("name"),
        needs=tuple(table.texts("needs")),
        hints=tuple(table.texts("hints")),
        checks=tuple(_check(name, checks.sub(name)) for name in checks.entries),
        own_work=_own_work(table.sub("own_work")) if "own_work" in table.entries else None,
    )
    if len(task.hints) != 3 or not all(hint.strip() for hint in task.hints):
        raise CourseError(
            f"{table.where}: task {task.name} needs three hints that are not empty, it has {len(task.hints)}"
        )
    if not task.checks:
        raise CourseError(f"{table.where}: task {task.name} has no checks")
    if task.own_work and not any(c.name == task.own_work.check and c.points == 0 for c in task.checks):
        raise CourseError(f"{table.where}: own_work.check must be a check of {task.name} that is worth 0 points")
    table.nothing_else({"name", "needs", "hints", "checks", "own_work"})
    return task


def _own_work(table: _Table) -> OwnWork:
    forbids, rule = tuple(table.texts("forbids")), table.entries.get("rule", "required")
    unknown = [name for name in forbids if name not in OWN_WORK_FAMILIES]
    if unknown or not forbids:
        raise CourseError(f"{table.where}: forbids must name some of {', '.join(OWN_WORK_FAMILIES)}, got {forbids}")
    if rule not in ("required", "note"):
        raise CourseError(f"{table.where}: rule must be 'required' or 'note', got {rule!r}")
    table.nothing_else({"check", "forbids", "rule"})
    return OwnWork(table.text("check"), forbids, rule == "required")


def _check(name: str, table: _Table) -> CheckSpec:
    table.nothing_else({"points", "help", "hidden"})
    return CheckSpec(name, table.number("points"), table.text("help"), bool(table.entries.get("hidden", False)))


def _check_needs(course: Course) -> None:
    seen: dict[str, str] = {}
    for exercise in course.exercises:
        for task in exercise.tasks:
            if task.name in seen:
                raise CourseError(
                    f"task {task.name} stands in {seen[task.name]}.toml and in {exercise.name}.toml; names are unique"
                )
            seen[task.name] = exercise.name
    for exercise in course.exercises:
        for task in exercise.tasks:
            for need in task.needs:
                if need not in seen or need == task.name:
                    raise CourseError(
                        f"{exercise.name}.toml: task {task.name} needs {need!r}, which is no other task of the course"
                    )


class _Table:
    """A TOML table that knows where it stands, for messages."""

    def __init__(self, entries: dict[str, Any], where: str) -> None:
        self.entries = entries
        self.where = where

    def _get(self, key: str, kinds: tuple[type, ...], wanted: str, default: Any = None) -> Any:
        value = self.entries.get(key, default)
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise CourseError(f"{self.where}: {key} must be {wanted}, got {key}={value!r} ({type(value).__name__})")
        return value

    def text(self, key: str) -> str:
        return str(self._get(key, (str,), "a text"))

    def number(self, key: str) -> float:
        value = self._get(key, (int, float), "a number")
        if value < 0:
            raise CourseError(f"{self.where}: {key} must not be negative, got {value}")
        return int(value) if float(value).is_integer() else float(value)

    def texts(self, key: str) -> list[str]:
        values = self._get(key, (list,), "a list of texts")
        if not all(isinstance(v, str) for v in values):
            raise CourseError(f"{self.where}: {key} must be a list of texts, got {values!r}")
        return list(values)

    def sub(self, key: str) -> _Table:
        return _Table(self._get(key, (dict,), "a table", {}), f"{self.where} [{key}]")

    def tables(self, key: str) -> list[_Table]:
        return [
            _Table(t, f"{self.where} [[{key}]] {t.get('name', '?')}")
            for t in self._get(key, (list,), "a list of tables")
        ]

    def nothing_else(self, known: set[str]) -> None:
        for key in self.entries:
            if key not in known:
                raise CourseError(f"{self.where}: unknown entry {key!r}; known are {', '.join(sorted(known))}")
