"""`grade stubs`: make exercises/NAME.py from solutions/NAME.py. Other content is never overwritten unasked."""

from __future__ import annotations

import click

from grader.cli.place import Place
from grader.results.store import write_atomic


@click.command("stubs", epilog="Example: `grade stubs --check`")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; fail if a stub is missing or out of step.")
@click.option("--force", is_flag=True, help="Replace files that differ, after a backup.")
@click.argument("names", nargs=-1)
@click.pass_obj
def command(course: str | None, only_check: bool, force: bool, names: tuple[str, ...]) -> int:
    """Make the stubs of the course, or of NAMES."""
    place = Place.find(course)
    differing = 0
    for name in names or place.course.names:
        path, text = place.file(name), place.stub(place.course.exercise(name)).encode()
        if path.is_file() and path.read_bytes() == text:
            continue
        if only_check or (path.is_file() and not force):
            differing += 1
            what = "differs from the stub of its reference" if path.is_file() else "is missing"
            click.echo(
                f"{place.shown(path)} {what}. `grade stubs {name}{' --force' if path.is_file() else ''}` writes it."
            )
            continue
        backup = place.back_up(path)
        write_atomic(path, text)
        click.echo(f"{place.shown(path)} written." + (f" The old one is {place.shown(backup)}." if backup else ""))
    if not differing:
        click.echo("All stubs are in step with their references.")
    return 1 if differing else 0
