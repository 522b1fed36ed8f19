"""`grade check`: the course proves itself."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from grader.audit.page import kill_table, page
from grader.audit.prove import prove
from grader.cli.place import Place
from grader.language import _, ngettext
from grader.report.words import count
from grader.results.store import write_atomic


@click.command("check", epilog="Example: `grade check attention -v`")
@click.argument("names", nargs=-1)
@click.option("-v", "--verbose", is_flag=True, help="Print which check fails which known bug, and the margins.")
@click.option("--write", metavar="FILE", help="Keep the proof as a page.")
@click.option(
    "--salts", type=click.IntRange(1), metavar="N",
    help="Grade right answers and known bugs on N sets of inputs; each takes some minutes.",
)  # fmt: skip
@click.pass_obj
def command(course: str | None, names: tuple[str, ...], verbose: bool, write: str | None, salts: int | None) -> int:
    """Prove the course, or NAMES: stubs, references, known bugs, right answers in other styles, checks and margins."""
    place = Place.of_whole_course(course, "check", configured=False)
    wanted = [place.course.exercise(n).name for n in names] or place.course.names
    console = Console(stderr=True, highlight=False)
    if not console.is_terminal:  # which shows what is being proved
        told = _("Proving {exercises}; a whole course takes some minutes.")
        click.echo(told.format(exercises=count(len(wanted), "exercise")), err=True)
    with console.status(_("Grading stubs and references …")) as status:
        proof = prove(
            place.course, wanted, lambda what: status.update(_("Proved {what}").format(what=what)), sets=salts or 0
        )
    if verbose:
        for name in wanted:
            click.echo(kill_table(place.course.exercise(name), proof) + "\n")
        for m in proof.margins:
            margin = _("{m.task}: worst right answer {m.worst:.2g} ({m.idiom}), nearest bug {m.nearest:.3g} ({m.bug})")
            click.echo(margin.format(m=m))
    for finding in proof.findings:
        click.echo(f"{finding.exercise}: {finding.problem}")
    if proof.findings:
        return 3
    if write:
        write_atomic(Path(write), page(place.course, wanted, proof).encode())
    points = sum(place.course.exercise(n).points for n in wanted)
    click.echo(
        _(
            "{exercises}: stubs not started, references {points:g} of {points:g} points, stubs in step, "
            "{bugs} caught and named, {idioms} in other styles accepted ({seconds:.0f} s)."
        ).format(
            exercises=ngettext("{n} exercise holds", "{n} exercises hold", len(wanted)).format(n=len(wanted)),
            points=points,
            bugs=ngettext("{n} known bug", "{n} known bugs", len(proof.kills)).format(n=len(proof.kills)),
            idioms=ngettext("{n} right answer", "{n} right answers", len(proof.idioms)).format(n=len(proof.idioms)),
            seconds=proof.seconds,
        )
    )
    return 0
