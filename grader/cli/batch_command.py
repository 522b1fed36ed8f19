"""`grade batch DIR --out OUT`: a whole class."""

from __future__ import annotations

import difflib
import os
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console

from grader.batch import overrides
from grader.batch.local import engine_backend
from grader.batch.run import Choice, Class, run_batch
from grader.batch.tables import CHANGES, INDEX
from grader.cli.batch_screen import Screen
from grader.cli.place import Place
from grader.cli.run_command import ISOLATION
from grader.errors import UsageError
from grader.language import N_, _, said
from grader.report import terminal
from grader.report.rows import Row
from grader.results.schema import Isolation
from grader.run.present import Present
from grader.submission.discover import discover

SAFE = 2  # the lowest isolation level for the code of other people
MOST = 60  # lines of the table at the end; the class page has all


@click.command("batch", epilog="Example: `grade batch examples/class --out reports --only attention --student ada`")
@click.argument("folder", metavar="DIR")
@click.option("--out", required=True, metavar="OUT", help="Where pages, results and the gradebook go.")
@click.option(
    "-j",
    "--jobs",
    default=os.cpu_count() or 1,
    show_default="one a core",
    type=click.IntRange(1, 64),
    help="Submissions at a time.",
)
@click.option("--force", is_flag=True, help="Grade again what was graded before and has not changed.")
@click.option("--only", multiple=True, metavar="EXERCISE", help="Grade this exercise; others stay. May be repeated.")
@click.option("--student", "students", multiple=True, metavar="NAME", help="Grade this student. May be repeated.")
@click.option(
    "--overrides", "overrides_file", metavar="FILE",
    help="Points and comments by hand, due time and extensions; by default OUT/overrides.toml, if there is one.",
)  # fmt: skip
@ISOLATION
@click.option("--title", help="Heading of the class page; by default the folder's name.")
@click.pass_obj
def command(
    course: str | None, folder: str, out: str, jobs: int, force: bool, only: tuple[str, ...],
    students: tuple[str, ...], overrides_file: str | None, title: str | None, isolation: str,
) -> int:  # fmt: skip
    """Grade every submission in DIR: one folder a student, or one STUDENT_EXERCISE.py or .ipynb a file.

    What has not changed since the last run is kept. Where the course has changed, new results wait for `grade accept`.
    """
    place, target = Place.find(course), Path(out)
    _check_out(Path(folder), target)
    submissions = discover(Path(folder), place.course.names, [target], place.is_stub)
    names = [submission.student for submission in submissions]
    choice = Choice(
        only=_known(only, place.course.graded, "exercise") or None,
        students=_known(students, names, "student") or None, force=force, isolation=isolation,
    )  # fmt: skip
    path = Path(overrides_file) if overrides_file else target / overrides.FILE
    decided = overrides.read(path, names, place.course.graded, must_exist=overrides_file is not None)
    console = Console(highlight=False)
    present = Present(place.course, place.course.graded)

    def started(proven: Isolation) -> None:
        if proven.level < SAFE:
            console.print(_warning(proven), soft_wrap=True)

    backend = engine_backend(place.course, present.environment.course, isolation, started)
    with Screen(console, len(submissions)) as screen:
        ended = run_batch(
            submissions, backend, present, target, jobs,
            title=title or Path(folder).resolve().name, choice=choice, overrides=decided, progress=screen.done,
        )  # fmt: skip
    _report(console, ended, screen, target)
    return 0


def _report(console: Console, ended: Class, screen: Screen, out: Path) -> None:
    console.print()
    shown = ended.rows if len(ended.rows) <= MOST else _noteworthy(ended.rows)
    if shown:
        console.print(terminal.class_table(shown))
    if ended.changes:
        console.print()
        console.print(terminal.changes_table(ended.changes))
        told = _("The course has changed: {page} shows the difference, `grade accept {out}` puts it in place.")
        console.print(told.format(page=out / CHANGES, out=out), soft_wrap=True)
    console.print(f"{screen.closing()} {_('Open {page}.').format(page=out / INDEX)}", soft_wrap=True)


def _noteworthy(rows: Sequence[Row]) -> list[Row]:
    """Of a large class: those without results, a few."""
    return [row for row in rows if row.results is None][:MOST]


def _known(names: Sequence[str], known: Sequence[str], what: str) -> tuple[str, ...]:
    """The names, all of which are known; else UsageError with the nearest."""
    for name in names:
        if name not in known:
            near = difflib.get_close_matches(name, known, 1)
            there = ", ".join(known[:10]) + (", …" if len(known) > 10 else "")
            hint = N_(f"Did you mean {near[0]!r}?") if near else N_(f"There are: {there}.")
            raise UsageError(f"No {what} {name!r} is graded here. {hint}")
    return tuple(names)


def _check_out(folder: Path, out: Path) -> None:
    """Before anything is loaded: OUT can be a folder of its own."""
    if out.exists() and not out.is_dir():
        raise UsageError(f"OUT {str(out)!r} is a file, not a folder: choose another place.")
    if folder.exists() and (out.resolve() == folder.resolve() or out.resolve() in folder.resolve().parents):
        raise UsageError(f"OUT {str(out)!r} is the folder of the submissions, or holds it: choose another place.")


def _warning(isolation: Isolation) -> str:
    why = "".join(f" ({said(reason)})" for reason in isolation.downgrades)
    return _(
        "Warning: isolation level {level}{why}: other people's code can read and write what you can, "
        "the course's references too; `grade doctor` says what a better level needs."
    ).format(level=isolation.level, why=why)
