"""`grade list`: the exercises, their points, and how far you are. Loads no torch."""

from __future__ import annotations

from itertools import groupby

import click
from rich.console import Console
from rich.table import Table

from grader.catalogue.model import Exercise
from grader.cli.place import Place
from grader.language import N_, _
from grader.report.words import of
from grader.results import schema

WORDS = {
    "passed": N_("done"),
    "failed": N_("in work"),
    "not_started": N_("not started"),
    "error": N_("not judged"),
    "blocked": N_("blocked"),
}
WIDTHS = (19, 8, 14)  # of the first columns, the same in every track


@click.command("list", epilog="Example: `grade list`")
@click.pass_obj
def command(course: str | None) -> int:
    """List the exercises, their points and how far you are."""
    place = Place.find(course, installed=True)
    last = place.last()
    known = {e.name: e for e in last.exercises} if last else {}
    console = Console(highlight=False)
    for track, exercises in groupby(place.course.exercises, lambda e: e.track):
        console.print(_track(track, list(exercises), known), "")
    return 0


def _track(track: str, exercises: list[Exercise], known: dict[str, schema.Exercise]) -> Table:
    """The exercises of one track; what is worth no points is there for practice."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for header, width in zip((_(track).capitalize(), _("Points"), _("State")), WIDTHS, strict=True):
        table.add_column(header, no_wrap=True, overflow="fold", min_width=width)
    table.add_column(_("Tasks"), overflow="fold")
    for exercise in exercises:
        row = known.get(exercise.name)
        graded = of(row.points, exercise.points) if row else f"{exercise.points:g}"
        points = graded if exercise.points else _("practice")
        tasks = ", ".join(t.name for t in exercise.tasks)
        table.add_row(exercise.name, points, _(WORDS[row.status]) if row else _("not graded yet"), tasks)
    return table
