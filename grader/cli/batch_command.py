"""`grade batch PATH --out OUT`: a whole class."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console

from grader.batch import overrides
from grader.batch.anonymous import named, names_beside, numbered
from grader.batch.cluster.client import cluster_backend
from grader.batch.local import engine_backend
from grader.batch.outcome import STUDENTS
from grader.batch.remembered import gone, kept_as, last_overrides, last_roster, last_run, overrides_kept_as
from grader.batch.run import Choice, Ended, run_batch
from grader.batch.tables import CHANGES, INDEX, Class
from grader.catalogue.salt import read_salt
from grader.cli.batch_screen import Screen
from grader.cli.intake_lines import show_intake
from grader.cli.late_lines import few_names, without_time
from grader.cli.place import Place, nowhere
from grader.cli.run_command import ISOLATION
from grader.errors import UsageError
from grader.language import _, said
from grader.near import hint
from grader.report import terminal
from grader.report.rows import Row
from grader.results.schema import Isolation
from grader.run.present import Present
from grader.submission.intake.roster import read_roster
from grader.submission.intake.take import AUTO, PLATFORMS, take_in

MOST = 60  # lines of the table at the end; the class page has all


@click.command("batch", epilog="Example: `grade batch examples/class --out reports --only attention --student ada`")
@click.argument("folder", metavar="PATH")
@click.option("--out", required=True, metavar="OUT", help="Where pages, results and the gradebook go.")
@click.option(
    "--roster",
    metavar="FILE",
    help="CSV of the class: gives ids, and shows who handed in nothing; by default the last run's.",
)
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
@click.option("--only", multiple=True, metavar="EXERCISE", help="Grade this exercise; others stay. May be repeated.")
@click.option("--student", "students", multiple=True, metavar="NAME", help="Grade this student. May be repeated.")
@click.option(
    "--overrides", "overrides_file", metavar="FILE",
    help="Points and comments by hand, due time, extensions; by default the last run's, or OUT/overrides.toml.",
)  # fmt: skip
@click.option(
    "--scheduler", metavar="ADDRESS",
    help="Grade on the workers of this dask scheduler, not on this machine (docs/cluster.md).",
)  # fmt: skip
@ISOLATION
@click.option(
    "--anonymous",
    is_flag=True,
    help="Students are numbers in all that is written to OUT; OUT-names.csv beside it says who is who.",
)
@click.option("--title", help="Heading of the class page; by default the last run's, or the folder's name.")
@click.pass_obj
def command(
    course: str | None, folder: str, out: str, roster: str | None, shape: str, jobs: int, force: bool,
    only: tuple[str, ...], students: tuple[str, ...], overrides_file: str | None, scheduler: str | None,
    isolation: str, anonymous: bool, title: str | None,
) -> int:  # fmt: skip
    """Grade every submission in PATH: a folder or a .zip, as Canvas, Moodle, Gradescope or GitHub Classroom hand it
    out; or one folder or archive a student, or one STUDENT_EXERCISE.py or .ipynb a file.

    What has not changed since the last run is kept. Where the course has changed, new results wait for `grade accept`.
    """
    place, target = Place.of_whole_course(course, "batch", installed=True), Path(out)
    salt = read_salt(place.course)
    _check_out(Path(folder), target)
    last = last_run(target)
    class_list = last_roster(last, target) if roster is None else Path(roster) if roster else None
    entries = read_roster(class_list) if class_list else None
    intake = take_in(Path(folder), place.wanted(), shape, entries, [target])
    submissions = (numbered if anonymous else named)(list(intake.submissions), target)
    names = [submission.student for submission in submissions]
    choice = Choice(
        only=_known(only, place.course.graded, "exercise") or None,
        students=_known(students, names, "student") or None, force=force, isolation=isolation,
    )  # fmt: skip
    decided, remembered = _decided(overrides_file, last, target, names, place.course.graded)
    console = Console(highlight=False)
    if course is None and nowhere():
        console.print(_("No course is here: graded by the one that comes with grade."), soft_wrap=True)
    show_intake(intake, console)
    for line in _as_last_time(class_list if roster is None else None, remembered, last, target, names):
        console.print(line, markup=False, soft_wrap=True)
    if salt:
        told = _("Inputs are drawn with the salt in {file}.").format(file=place.course.salt)
        console.print(told, markup=False, soft_wrap=True)
    present = Present(place.course, place.course.graded, salt=salt)

    def started(proven: Isolation) -> None:
        if not proven.is_safe:
            console.print(_warning(proven), soft_wrap=True)

    if scheduler:
        backend = cluster_backend(place.course, present.environment, scheduler, isolation, started, salt=salt)
    else:
        backend = engine_backend(place.course, present.environment.course, isolation, started, salt=salt)
    with Screen(console, len(submissions)) as screen:
        ended = run_batch(
            submissions, backend, present, target, jobs,
            title=title or (last and last.title) or Path(folder).resolve().name.removesuffix(".zip"), choice=choice,
            overrides=decided, roster=kept_as(class_list, target) if class_list else None, progress=screen.done,
        )  # fmt: skip
    _report(console, ended, decided, screen, target)
    if anonymous:
        back = _("Which number is whose: {file}. Keep it apart from the results.")
        console.print(back.format(file=names_beside(target)), soft_wrap=True)
    return 0


def _decided(
    file: str | None, last: Class | None, out: Path, names: Sequence[str], exercises: Sequence[str]
) -> tuple[overrides.Overrides, Path | None]:
    """The overrides, and where they are from if that is remembered only."""
    remembered = None if file else last_overrides(last, out)
    named = Path(file) if file else remembered
    path = named or out / overrides.FILE
    decided = overrides.read(path, names, exercises, must_exist=named is not None)
    return replace(decided, file=overrides_kept_as(path, out)), remembered


def _as_last_time(
    roster: Path | None, decided: Path | None, last: Class | None, out: Path, names: Sequence[str]
) -> Iterator[str]:
    """What is remembered only; and a word if this looks like another class than the last run's."""
    if roster:
        yield _("Roster as last time: {file}").format(file=roster)
    if decided:
        yield _("Overrides as last time: {file}").format(file=decided)
    missing, before = gone(last, names)
    if missing:
        told = _(
            "! {n} of the {before} students of the last run are not here any more ({names}): their results stay in "
            "{out}, but count no more. Is it the same class, with the same --roster?"
        )
        yield told.format(n=len(missing), before=before, names=few_names(missing), out=out / STUDENTS)


def _report(console: Console, ended: Ended, decided: overrides.Overrides, screen: Screen, out: Path) -> None:
    console.print()
    shown = ended.rows if len(ended.rows) <= MOST else _noteworthy(ended.rows)
    if shown:
        console.print(terminal.class_table(shown))
    for line in without_time(ended.rows, decided):
        console.print(line, markup=False, soft_wrap=True)
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
            near = hint(name, known)
            raise UsageError(f"No {what} {name!r} is graded here. {near}")
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
