"""`grade similar PATH`: pairs of submissions to look at together. A list for a person to read; it runs no code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table
from rich.text import Text

from grader.cli.place import Place
from grader.errors import UsageError
from grader.language import _, ngettext, said
from grader.report.terminal_page import foreign
from grader.results.store import encoded, write_atomic
from grader.similar.course import Pair, pairs
from grader.submission.intake.people import NOT_HANDED_IN
from grader.submission.intake.roster import read_roster
from grader.submission.intake.take import take_in
from grader.submission.model import Submission

UNREAD = 10  # sentences on files that cannot be read


@click.command("similar", epilog="Example: `grade similar submissions --out similar.html`")
@click.argument("folder", metavar="PATH")
@click.option("--exercise", "names", multiple=True, metavar="NAME", help="Only this one; may be given again.")
@click.option("--top", default=20, show_default=True, type=click.IntRange(1), metavar="N", help="Pairs to list.")
@click.option("--roster", metavar="FILE", help="CSV of the class: pairs are shown with the names that stand in it.")
@click.option("--out", metavar="PAGE", help="Write the pairs with their code side by side, as one HTML page.")
@click.pass_obj
def command(
    course: str | None, folder: str, names: tuple[str, ...], top: int, roster: str | None, out: str | None
) -> int:
    """Find pairs of submissions in PATH that have more in common than right answers do, to be looked at together.

    Compared is the shape of the code, less the stub, the reference and what many have. This is a list to read, never a
    finding: small exercises have answers that look alike. docs/similarity.md says what it can tell.
    """
    place = Place.find(course, installed=True)
    wanted = [place.course.exercise(name).name for name in dict.fromkeys(names)] or place.course.names
    if out and Path(out).is_dir():
        raise UsageError(f"--out {out!r} is a folder: name the page, as in {str(Path(out) / 'similar.html')!r}.")
    entries = read_roster(Path(roster)) if roster else None
    intake = take_in(Path(folder), place.wanted(), roster=entries, ignore=[Path(out)] if out else [])
    submissions = [_with_name(s) for s in intake.submissions if s.files or NOT_HANDED_IN not in s.problems]
    with _bar() as bar:
        line = bar.add_task(_("comparing"), total=len(wanted))
        found = pairs(place.course, wanted, submissions, lambda name: bar.update(line, advance=1, description=name))
    console = Console(highlight=False)
    _say_what_is_not_compared(submissions, wanted)
    if not found:
        click.echo(_("No two of {n} submissions share more than right answers do.").format(n=len(submissions)))
    else:
        console.print(_table(found[:top]))
        click.echo(_summary(len(submissions), len(found), min(top, len(found))))
    if out:
        _write(Path(out), Path(folder).resolve().name, found, top, len(submissions))
    return 0


def _with_name(submission: Submission) -> Submission:
    """Called as people call the student, with the name that files and folders have behind it."""
    name = submission.origin.name if submission.origin else ""
    if name in ("", submission.student):
        return submission
    return replace(submission, student=f"{name} ({submission.student})")


def _say_what_is_not_compared(submissions: Sequence[Submission], wanted: Sequence[str]) -> None:
    """Files that cannot be read, and folders without any."""
    unread = [(s.student, f) for s in submissions for f in s.files.values() if f.name in wanted and f.text is None]
    told = [
        _("{student}: {file} is not compared: {problem}.").format(
            student=foreign(student), file=file.handed_in_as, problem=foreign(said(file.problem or ""))
        )
        for student, file in unread
    ]
    told += [f"{foreign(s.student)}: {foreign(said(s.problems[0]))}" for s in submissions if s.problems and not s.files]
    for sentence in told[:UNREAD]:
        click.echo(sentence)
    if len(told) > UNREAD:
        click.echo(_("… and {n} more that cannot be read.").format(n=len(told) - UNREAD))


def _table(shown: Sequence[Pair]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column(_("score"), justify="right", no_wrap=True)
    table.add_column(_("students"), overflow="fold")
    table.add_column(_("passages in common"), overflow="fold")
    for pair in shown:
        parts = (
            _("{exercise} {n} of {own}").format(exercise=part.exercise, n=len(part.passages), own=part.own)
            for part in pair.parts
        )
        table.add_row(f"{pair.score:.1f}", Text(foreign(" · ".join(pair.students))), Text(", ".join(parts)))
    return table


def _summary(students: int, found: int, shown: int) -> str:
    told = ngettext(
        "Look at these together: {shown} pair of {found}, of {n} submissions.",
        "Look at these together: {shown} pairs of {found}, of {n} submissions.",
        shown,
    ).format(shown=shown, found=found, n=students)
    return told + " " + _("Right answers to small exercises look alike; nothing here says that anybody copied.")


def _write(path: Path, name: str, found: Sequence[Pair], top: int, students: int) -> None:
    from grader.similar.page import render  # pygments

    title = _("What submissions have in common: {folder}").format(folder=name)
    page = render(title, found[:top], students, len(found[top:]))
    write_atomic(path, encoded(page))
    told = _("{page} shows them side by side.") if found else _("{page} says how they were compared.")
    click.echo(told.format(page=path))


def _bar() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    return Progress(*columns, console=Console(highlight=False, stderr=True), transient=True)
