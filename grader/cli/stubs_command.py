"""`grade stubs`: make exercises/NAME.py from solutions/NAME.py. Other content is never overwritten unasked."""

from __future__ import annotations

import click

from grader.cli.place import Place
from grader.language import _
from grader.results.store import write_atomic


@click.command("stubs", epilog="Example: `grade stubs --check`")
@click.option("--check", "only_check", is_flag=True, help="Write nothing; fail if a stub is missing or out of step.")
@click.option("--force", is_flag=True, help="Replace files that differ, after a backup.")
@click.argument("names", nargs=-1)
@click.pass_obj
def command(course: str | None, only_check: bool, force: bool, names: tuple[str, ...]) -> int:
    """Make the stubs of the course, or of NAMES."""
    place = Place.of_whole_course(course, "stubs")
    differing = 0
    for name in names or place.course.names:
        path, text = place.file(name), place.stub(place.course.exercise(name)).encode()
        if path.is_file() and path.read_bytes() == text:
            continue
        if only_check or (path.is_file() and not force):
            differing += 1
            differs = _("{path} differs from the stub of its reference. `grade stubs {name} --force` writes it.")
            missing = _("{path} is missing. `grade stubs {name}` writes it.")
            click.echo((differs if path.is_file() else missing).format(path=place.shown(path), name=name))
            continue
        backup = place.back_up(path)
        write_atomic(path, text)
        kept = _(" The old one is {path}.").format(path=place.shown(backup)) if backup else ""
        click.echo(_("{path} written.").format(path=place.shown(path)) + kept)
    if not differing:
        click.echo(_("All stubs are in step with their references."))
    return 1 if differing else 0
