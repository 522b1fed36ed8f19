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
    table = Table(box=None, pad_edge=False, header_style="bold")
    for header, whole in (("Exercise", True), ("Points", True), ("State", True), ("Tasks", False)):
        table.add_column(header, no_wrap=whole, overflow="fold")
    for exercise in place.course.exercises:
        row = known.get(exercise.name)
        earned = f"{row.points:g} of {exercise.points:g}" if row else f"{exercise.points:g}"
        tasks = ", ".join(t.name for t in exercise.tasks)
        table.add_row(exercise.name, earned, WORDS[row.status] if row else "not graded yet", tasks)
    Console(highlight=False).print(table)
    return 0
