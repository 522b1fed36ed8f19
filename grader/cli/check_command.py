"""`grade check`: the course proves itself."""

from __future__ import annotations

import click
from rich.console import Console

from grader.audit.prove import prove
from grader.cli.place import Place


@click.command("check", epilog="Example: `grade check attention`")
@click.argument("names", nargs=-1)
@click.pass_obj
def command(course: str | None, names: tuple[str, ...]) -> int:
    """Prove the course, or NAMES: the stub is not started, the reference earns everything, the files are in step."""
    place = Place.find(course)
    wanted = [place.course.exercise(n).name for n in names] or place.course.names
    console = Console(stderr=True, highlight=False)
    with console.status("Grading stubs and references …") as status:
        proof = prove(place.course, wanted, progress=lambda what: status.update(f"Proved {what}"))
    for finding in proof.findings:
        click.echo(f"{finding.exercise}: {finding.problem}")
    if proof.findings:
        return 3
    points = sum(place.course.exercise(n).points for n in wanted)
    click.echo(
        f"{len(wanted)} exercises hold: stubs not started, references {points:g} of {points:g} points, stubs in step, "
        f"{len(proof.kills)} known bugs caught and named, {len(proof.idioms)} right answers in other styles accepted."
    )
    return 0
