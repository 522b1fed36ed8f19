"""`grade init DIR`: a folder of a student's own. What is there already stays as it is."""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from grader.catalogue.folder import students_folder
from grader.catalogue.home import home_at, home_of, installed_course, nearest
from grader.catalogue.load import load_course
from grader.catalogue.model import Course
from grader.errors import UsageError
from grader.language import _
from grader.report.words import count, number
from grader.results.schema import total
from grader.results.store import write_with_folder


@click.command("init", epilog="Example: `grade init my-transformer`")
@click.argument("folder", metavar="DIR")
@click.pass_obj
def command(course: str | None, folder: str) -> int:
    """Lay down a folder of your own: the stubs, and what `grade` needs there. Your files are never overwritten.

    The course is that of --course, the one you stand in, or the one that comes with grade. Called again, it brings what
    is missing.
    """
    place = Path(folder)
    if place.exists() and not place.is_dir():
        raise UsageError(f"{folder!r} is a file, not a folder: choose another name.")
    chosen = load_course(_course(place, course))
    written, kept = _lay_down(place, students_folder(chosen))
    counted = count(len(chosen.names), "exercise")
    what = _("{folder}: {exercises}, {n} of them for {points} points.")
    said = what.format(folder=folder, exercises=counted, n=len(chosen.graded), points=number(_points(chosen)))
    click.echo(f"{said} {_written(written)}")
    if kept:
        click.echo(_("Kept as you have them: {names}.").format(names=", ".join(kept)))
    here = place.resolve() == Path.cwd()
    there = _("Next: `cd {folder}`, then `grade`, which says where to start.").format(folder=shlex.quote(folder))
    click.echo(_("Next: `grade`, which says where to start.") if here else there)
    return 0


def _course(place: Path, named: str | None) -> Path:
    here = home_at(place)
    if here is not None and here.course == here.folder:
        raise UsageError(f"{str(place)!r} is a course itself: work in its exercises/, or choose another folder.")
    if named is not None:
        return home_of(Path(named)).course
    home = here or nearest(Path.cwd())
    return home.course if home is not None else installed_course()


def _written(files: int) -> str:
    return _("{files} written.").format(files=count(files, "file")) if files else _("Nothing was missing.")


def _points(course: Course) -> float:
    return total(e.points for e in course.exercises)


def _lay_down(place: Path, texts: dict[str, bytes]) -> tuple[int, list[str]]:
    """Write what is not there yet: how much that was, and the names of what is there and differs."""
    written, kept = 0, []
    for name, data in texts.items():
        path = place / name
        if path.exists() or path.is_symlink():
            kept += [name] if not path.is_file() or path.read_bytes() != data else []
            continue
        write_with_folder(path, data)
        written += 1
    return written, kept
