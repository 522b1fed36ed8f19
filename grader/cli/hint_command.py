"""`grade hint NAME [N]`: three steps a task, from a direction to nearly the line."""

from __future__ import annotations

import click

from grader.catalogue.model import Exercise, Task
from grader.cli.place import Place
from grader.errors import UsageError
from grader.language import _

STEPS = 3


@click.command("hint", epilog="Example: `grade hint attention`, `grade hint MultiHeadAttention 2`")
@click.argument("name")
@click.argument("step", type=click.IntRange(1, STEPS), required=False)
@click.pass_obj
def command(course: str | None, name: str, step: int | None) -> int:
    """Show a hint: of NAME's first task that does not pass yet, or of the task NAME."""
    place = Place.find(course)
    exercise, task = _find(place, name)
    click.echo(_told(place, exercise, task, step))
    return 0


def next_hint(place: Place, name: str) -> str:
    """Of an exercise's first task that does not pass yet, one step further each time; for `grade watch`."""
    return _told(place, *_find(place, name), None, watched=True)


def _told(place: Place, exercise: Exercise, task: Task, step: int | None, watched: bool = False) -> str:
    shown = place.hints_shown().get(task.name, 0)
    step = step or min(shown + 1, STEPS)
    place.remember_hint(task.name, max(step, shown))
    head = _("{task}, hint {step} of {steps}:").format(task=task.name, step=step, steps=STEPS)
    head = f"{head}\n\n{_(task.hints[step - 1].strip())}\n\n"
    if step == STEPS and watched:
        return head + _("That was the last hint. Save the file, and the verdict says what is still wrong.")
    if watched:
        return head + _("More: h again.")
    if step == STEPS:
        last = _("That was the last hint. `grade {name}` shows what is still wrong.")
        return head + last.format(name=exercise.name)
    name = task.name if task.name != exercise.name else f"{exercise.name}.{task.name}"
    return head + _("More: `grade hint {name} {step}`.").format(name=name, step=step + 1)


def _find(place: Place, name: str) -> tuple[Exercise, Task]:
    """NAME is an exercise, a task, or EXERCISE.TASK."""
    head, __, tail = name.partition(".")
    for exercise in place.course.exercises:
        for task in exercise.tasks:
            if (tail and (exercise.name, task.name) == (head, tail)) or (
                not tail and task.name == name != exercise.name
            ):
                return exercise, task
    if tail:
        raise UsageError(f"No task {tail!r} in exercise {head!r}. `grade list` shows all.")
    exercise = place.course.exercise(name)
    return exercise, _first_open(place, exercise)


def _first_open(place: Place, exercise: Exercise) -> Task:
    """The first task whose checks do not all pass in the last run; the first one when nothing is known."""
    last = place.last()
    rows = next((e.checks for e in last.exercises if e.name == exercise.name), []) if last else []
    passed = {
        t.name
        for t in exercise.tasks
        if (mine := [c for c in rows if c.task == t.name]) and all(c.status == "passed" for c in mine)
    }
    return next((t for t in exercise.tasks if t.name not in passed), exercise.tasks[0])
