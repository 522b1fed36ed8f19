"""`grade batch DIR --out OUT`: a whole class."""

from __future__ import annotations

import os
import time
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from grader.batch.outcome import environment_key
from grader.batch.run import INDEX, run_batch
from grader.cli.place import Place
from grader.cli.run_command import ISOLATION
from grader.errors import UsageError
from grader.language import _, said
from grader.report import terminal
from grader.report.rows import Row
from grader.report.words import count
from grader.results.schema import Isolation
from grader.run.engine import Engine
from grader.submission.discover import discover

SAFE = 2  # the lowest isolation level for the code of other people


@click.command("batch", epilog="Example: `grade batch examples/class --out reports`")
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
@ISOLATION
@click.option("--title", help="Heading of the class page; by default the folder's name.")
@click.pass_obj
def command(
    course: str | None, folder: str, out: str, jobs: int, force: bool, title: str | None, isolation: str
) -> int:
    """Grade every submission in DIR: one folder a student, or one STUDENT_EXERCISE.py or .ipynb a file."""
    place = Place.find(course)
    _check_out(Path(folder), Path(out))
    submissions = discover(Path(folder), place.course.names, [Path(out)], place.is_stub, place.tasks)
    console = Console(highlight=False)
    began = time.monotonic()
    running = Engine(place.course, list(place.course.graded), isolation=isolation, others=True)
    with running as engine, _bar() as bar:
        line = bar.add_task(_("loading the course"), total=len(submissions))
        environment = engine.ready()
        assert engine.isolation is not None, "known once the engine is ready"
        if engine.isolation.level < SAFE:
            bar.console.print(_warning(engine.isolation), soft_wrap=True)
        key = environment_key(environment, engine.isolation.level)
        bar.update(line, description=_("grading"))

        def show(row: Row, kept: bool) -> None:
            bar.update(line, advance=1, description=f"{row.student[:40]} {_('kept') if kept else _('graded')}")

        rows = run_batch(
            submissions, engine.grade, Path(out), jobs,
            title=title or Path(folder).resolve().name, environment_key=key,
            force=force, progress=show,
        )  # fmt: skip
    console.print()
    console.print(terminal.class_table(rows))
    told = _("{submissions} in {seconds:.1f} s. Open {page}.")
    graded, page = count(len(rows), "submission"), Path(out) / INDEX
    console.print(told.format(submissions=graded, seconds=time.monotonic() - began, page=page), soft_wrap=True)
    return 0


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


def _bar() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(highlight=False), transient=True)
