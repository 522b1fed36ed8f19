"""`grade batch PATH --out OUT`: a whole class."""

from __future__ import annotations

import os
import time
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from grader.batch.anonymous import named, names_beside, numbered
from grader.batch.outcome import environment_key
from grader.batch.run import INDEX, run_batch
from grader.cli.intake_lines import show_intake
from grader.cli.place import Place
from grader.cli.run_command import ISOLATION
from grader.errors import UsageError
from grader.language import _, said
from grader.report import terminal
from grader.report.rows import Row
from grader.report.words import count
from grader.results.schema import Isolation
from grader.run.engine import Engine
from grader.submission.intake.roster import read_roster
from grader.submission.intake.take import AUTO, PLATFORMS, take_in

SAFE = 2  # the lowest isolation level for the code of other people


@click.command("batch", epilog="Example: `grade batch examples/class --out reports`")
@click.argument("folder", metavar="PATH")
@click.option("--out", required=True, metavar="OUT", help="Where pages, results and the gradebook go.")
@click.option("--roster", metavar="FILE", help="CSV of the class: gives ids, and shows who handed in nothing.")
@click.option(
    "--from",
    "shape",
    default=AUTO,
    show_default=True,
    type=click.Choice([AUTO, *PLATFORMS]),
    help="Which platform made PATH, if it is not found out by itself.",
)
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
@click.option(
    "--anonymous",
    is_flag=True,
    help="Students are numbers in all that is written to OUT; OUT-names.csv beside it says who is who.",
)
@click.option("--title", help="Heading of the class page; by default the folder's name.")
@click.pass_obj
def command(
    course: str | None, folder: str, out: str, roster: str | None, shape: str, jobs: int, force: bool,
    anonymous: bool, title: str | None, isolation: str,
) -> int:  # fmt: skip
    """Grade every submission in PATH: a folder or a .zip, as Canvas, Moodle, Gradescope or GitHub Classroom hand it
    out; or one folder or archive a student, or one STUDENT_EXERCISE.py or .ipynb a file."""
    place = Place.find(course)
    _check_out(Path(folder), Path(out))
    entries = read_roster(Path(roster)) if roster else None
    intake = take_in(Path(folder), place.wanted(), shape, entries, [Path(out)])
    submissions = (numbered if anonymous else named)(list(intake.submissions), Path(out))
    console = Console(highlight=False)
    show_intake(intake, console)
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
            title=title or Path(folder).resolve().name.removesuffix(".zip"), environment_key=key,
            force=force, progress=show,
        )  # fmt: skip
    console.print()
    console.print(terminal.class_table(rows))
    told = _("{submissions} in {seconds:.1f} s. Open {page}.")
    graded, page = count(len(rows), "submission"), Path(out) / INDEX
    console.print(told.format(submissions=graded, seconds=time.monotonic() - began, page=page), soft_wrap=True)
    if anonymous:
        back = _("Which number is whose: {file}. Keep it apart from the results.")
        console.print(back.format(file=names_beside(Path(out))), soft_wrap=True)
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
