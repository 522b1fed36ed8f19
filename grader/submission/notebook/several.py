"""A notebook that is not named after one exercise: which exercises its cells define, and what is another one's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from grader.submission.notebook.blocks import blocks
from grader.submission.notebook.definitions import Cell
from grader.submission.notebook.read import cells


def defines(nb: bytes, tasks_by_exercise: Mapping[str, Sequence[str]]) -> list[str]:
    """The exercises of which it defines a task, in the order they are given in. Raises Broken."""
    return defined_in(cells(nb)[1], tasks_by_exercise)


def defined_in(code: Sequence[Cell], tasks_by_exercise: Mapping[str, Sequence[str]]) -> list[str]:
    """The same of code cells."""
    names = {block.name for number, cell in enumerate(code) for block in blocks(cell.text, number)}
    return [exercise for exercise, tasks in tasks_by_exercise.items() if names & set(tasks)]


def answered_elsewhere(name: str, answered: Sequence[str], tasks: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """The tasks of those of the `answered` exercises that are not `name`, and to which of them each belongs."""
    return {task: other for other in answered if other != name for task in tasks[other]}
