"""In a release parts run with the student's own parts: where one of those has failed, that comes first."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from grader.catalogue.model import Exercise
from grader.results.codes import render
from grader.results.schema import Check, Note


def failed_tasks(checks: Iterable[Check]) -> set[str]:
    return {check.task for check in checks if check.status == "failed"}


def behind(exercise: Exercise, checks: list[Check], failed: Collection[str]) -> tuple[list[Check], list[Note]]:
    """The checks that can be explained by their own task, and a note on each task whose parts are among `failed`.

    What such a task answers says nothing about itself: a known bug that it looks like may be the part's.
    """
    broken = {task.name: [need for need in task.needs if need in failed] for task in exercise.tasks}
    notes = [_note(name, broken[name]) for name in sorted(failed_tasks(checks)) if broken[name]]
    return [check for check in checks if not broken[check.task]], notes


def _note(task: str, parts: list[str]) -> Note:
    values = {"task": task, "parts": " and ".join(parts)}
    return Note(task=task, code="part_first", values=values, message=render("part_first", values))
