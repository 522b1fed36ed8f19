"""Read a course from its folder: the metadata of every exercise, checked word by word."""

from __future__ import annotations

import tomllib
from pathlib import Path

from grader.catalogue.config import chosen, read_config
from grader.catalogue.home import RELEASE
from grader.catalogue.model import CheckSpec, Course, Exercise, OwnWork, Task
from grader.catalogue.release import released_course
from grader.catalogue.table import Key, Table
from grader.errors import CourseError, UsageError
from grader.subject.limits import Limits

# The families that worker/watch.py knows; a test holds the two together, since that file imports torch.
OWN_WORK_FAMILIES = ("softmax", "attention", "layer_norm", "embedding", "gelu", "transformer", "clipping")
EXERCISE_KEYS = {
    "title": Key("text", "heading of the exercise, on pages and in the terminal"),
    "track": Key("text", "the group it belongs to: a course chooses what counts by tracks"),
    "order": Key("number", "its place in the course; equal ones go by name"),
    "summary": Key("text", "one sentence: what is written here"),
    "limits": Key("table", "how much a submission may use, see below", "those below"),
    "tasks": Key("list of tables", "what is to be written, see below"),
}
LIMIT_KEYS = {
    "call": Key("number", "seconds of computing time for one call; three times as long for the import", "2"),
    "exercise": Key("number", "seconds of computing time for all checks of the exercise", "40"),
    "memory_mb": Key("number", "memory of one process", "1024"),
    "output_mb": Key("number", "what may be printed or returned", "16"),
    "file_mb": Key("number", "size of one file, where the isolation level lets any be written", "16"),
}
TASK_KEYS = {
    "name": Key("text", "of the function or class; no other task of the course has it"),
    "needs": Key("list of texts", "tasks, of any exercise, that are replaced by right ones while this one is graded"),
    "hints": Key("list of texts", "three: direction, formula or shape, nearly the line"),
    "own_work": Key("table", "what must not be taken from PyTorch, see below", "nothing is watched"),
    "checks": Key("table", "one table for each check, named like its test function without `test_`, see below"),
}
CHECK_KEYS = {
    "points": Key("number", "for `passed` alone"),
    "help": Key("text", "what to try, as a question or one sentence"),
    "hidden": Key("true or false", "students see its verdict and help only", "false"),
}
OWN_WORK_KEYS = {
    "check": Key("text", "the check that watches: one of the task's, worth 0 points"),
    "forbids": Key("list of texts", f"families of operators: {', '.join(f'`{name}`' for name in OWN_WORK_FAMILIES)}"),
    "rule": Key("text", "`required`: who calls one earns nothing for the task; `note`: it is only said", "required"),
}


def load_course(root: Path, *, configured: bool = True, empty: bool = False) -> Course:
    """Every exercise with a NAME.toml in solutions/, in their order. Raises CourseError.

    `configured`: with the choice of exercises and points that grade.toml or pyproject.toml make; else with all of them.
    `empty`: it may have none yet.
    """
    if (root / RELEASE).is_file():
        return released_course(root)
    if not (root / "solutions").is_dir():
        raise UsageError(f"{root} is not a course: it has no folder solutions/.")
    files = sorted(p for p in (root / "solutions").glob("*.toml") if not p.name.endswith(".bugs.toml"))
    exercises = sorted((load_exercise(p) for p in files), key=lambda e: (e.order, e.name))
    if not exercises and not empty:
        raise UsageError(f"The course in {str(root)!r} has no exercises yet: `grade new NAME` lays one down there.")
    everything = Course(root.resolve(), tuple(exercises), tuple(e.name for e in exercises))
    _check_needs(everything)
    return chosen(everything, read_config(root)) if configured else everything


def load_exercise(path: Path) -> Exercise:
    """One solutions/NAME.toml. Raises CourseError that names the entry and what it should be."""
    try:
        table = Table(tomllib.loads(path.read_text("utf-8")), path.name)
    except (OSError, ValueError) as error:
        raise CourseError(f"{path} cannot be read: {error}") from error
    limits = table.sub("limits")
    limits.nothing_else(LIMIT_KEYS)
    exercise = Exercise(
        name=path.stem,
        title=table.text("title"),
        track=table.text("track"),
        order=int(table.number("order")),
        summary=table.text("summary"),
        limits=Limits(**{key: limits.number(key) for key in limits.entries}),  # type: ignore[arg-type]
        tasks=tuple(_task(t) for t in table.tables("tasks")),
    )
    table.nothing_else(EXERCISE_KEYS)
    return exercise


def _task(table: Table) -> Task:
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
    table.nothing_else(TASK_KEYS)
    return task


def _own_work(table: Table) -> OwnWork:
    forbids, rule = tuple(table.texts("forbids")), table.entries.get("rule", "required")
    unknown = [name for name in forbids if name not in OWN_WORK_FAMILIES]
    if unknown or not forbids:
        raise CourseError(f"{table.where}: forbids must name some of {', '.join(OWN_WORK_FAMILIES)}, got {forbids}")
    if rule not in ("required", "note"):
        raise CourseError(f"{table.where}: rule must be 'required' or 'note', got {rule!r}")
    table.nothing_else(OWN_WORK_KEYS)
    return OwnWork(table.text("check"), forbids, rule == "required")


def _check(name: str, table: Table) -> CheckSpec:
    table.nothing_else(CHECK_KEYS)
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
