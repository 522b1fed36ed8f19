"""`grade reset NAME`: back to the stub; the student's file is kept."""

from __future__ import annotations

import click

from grader.cli.place import Place
from grader.language import _
from grader.results.store import write_atomic


@click.command("reset", epilog="Example: `grade reset attention`")
@click.argument("name")
@click.pass_obj
def command(course: str | None, name: str) -> int:
    """Put NAME back to its stub; your file is kept as a backup."""
    place = Place.find(course)
    exercise = place.course.exercise(name)
    path = place.file(name)
    stub = place.stub(exercise).encode()
    if path.is_file() and path.read_bytes() == stub:
        click.echo(_("{path} is the stub already; nothing to do.").format(path=place.shown(path)))
        return 0
    backup = place.back_up(path)
    write_atomic(path, stub)
    kept = _(" Your file is kept as {path}.").format(path=place.shown(backup)) if backup else ""
    click.echo(_("{path} is the stub again.").format(path=place.shown(path)) + kept)
    return 0
