"""`grade release OUT`: a course as its students get it, without a line that answers it."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import click
from rich.console import Console

from grader.catalogue.folder import given_files
from grader.cli.leaks_command import told
from grader.cli.place import Place
from grader.errors import UsageError
from grader.language import _
from grader.release.build import build, part_of
from grader.release.leaks import search
from grader.release.secrets import secrets_of
from grader.report.words import count
from grader.results.store import refused


@click.command("release", epilog="Example: `grade release handout`")
@click.argument("out", metavar="OUT")
@click.argument("names", nargs=-1)
@click.pass_obj
def command(course: str | None, out: str, names: tuple[str, ...]) -> int:
    """Make the students' folder OUT, of all exercises or of NAMES, without references, hidden checks and known bugs.

    What the references answer is recorded, so `grade` says the same there. It takes half an hour: every known
    bug is run, and every two of a task. The folder is searched for what must not be in it, and is there only if nothing
    was found. See docs/release.md.
    """
    place = Place.of_whole_course(course, "release")
    target = Path(out)
    if target.exists():
        raise UsageError(f"{out!r} is there already: choose a name that is not, or delete it first.")
    chosen = part_of(place.course, names)
    secrets = secrets_of(place.course)
    console = Console(stderr=True, highlight=False)
    with refused(target):
        target.parent.mkdir(parents=True, exist_ok=True)
        work = tempfile.TemporaryDirectory(dir=target.parent, prefix=".release-")
    with work as kept, console.status(_("Loading {names} …").format(names=", ".join(chosen.names))) as status:
        folder = Path(kept) / target.name
        size = build(
            chosen,
            folder,
            given_files(place.course),
            lambda what: status.update(_("Recorded {what}").format(what=what)),
        )
        status.update(_("Searching for leaks …"))
        found = search(folder, secrets.kept)
        if found.leaks:
            click.echo(told(found, secrets, folder), err=True)
            return 3
        os.replace(folder, target)
    click.echo(
        _("{out}: {exercises}, {files}, {size:.1f} MB.").format(
            out=out,
            exercises=count(len(chosen.names), "exercise"),
            files=count(size.files, "file"),
            size=size.bytes / 1e6,
        )
    )
    click.echo(told(found, secrets, folder))
    return 0
