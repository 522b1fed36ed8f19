"""`grade list`: the exercises, their points, and how far you are. Loads no torch."""

from __future__ import annotations

import click
from rich.console import Console
from rich.table import Table

from grader.cli.place import Place

WORDS = {
    "passed": "done",
    "failed": "in work",
    "not_started": "not started",
    "error": "not judged",
    "blocked": "blocked",
}


@click.command("list", epilog="Example: `grade list`")
@click.pass_obj
def command(course: str | None) -> int:
    """List the exercises, their points and how far you are."""
    place = Place.find(course)
    last = place.last()
    known = {e.name: e for e in last.exercises} if last else {}
    table = Table("Exercise", "Topic", "Tasks", "Points", "State", box=None, pad_edge=False, header_style="bold")
    for exercise in place.course.exercises:
        row = known.get(exercise.name)
        earned = f"{row.points:g} of {exercise.points:g}" if row else f"{exercise.points:g}"
        tasks = ", ".join(t.name for t in exercise.tasks)
        table.add_row(exercise.name, exercise.title, tasks, earned, WORDS[row.status] if row else "not graded yet")
    Console(highlight=False).print(table)
    return 0
