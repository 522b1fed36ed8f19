"""`grade gradescope OUT.zip`: an autograder to upload there."""

from __future__ import annotations

from pathlib import Path

import click

from grader.catalogue.home import named_course
from grader.catalogue.load import load_course
from grader.ci.bundle import bundle
from grader.ci.settings import in_range
from grader.errors import UsageError
from grader.language import _
from grader.report.words import number
from grader.results import store
from grader.results.schema import total


@click.command("gradescope", epilog="Example: `grade gradescope autograder.zip`")
@click.argument("out", metavar="OUT.ZIP")
@click.option(
    "--seconds", default=540.0, show_default=True, type=click.FloatRange(min=1), metavar="N",
    help="When a run ends by itself: less than the time-out that you set on Gradescope.",
)  # fmt: skip
@click.pass_obj
def command(course: str | None, out: str, seconds: float) -> int:
    """Write OUT.ZIP for Gradescope: set-up script, run script, this grader and the course.

    The course is that of --course, else the one that comes with grade.
    """
    path = Path(out)
    if path.suffix.lower() != ".zip":
        raise UsageError(f"{out!r} should end in .zip: Gradescope takes nothing else.")
    root = named_course(course)
    loaded = load_course(root)
    store.write_atomic(path, bundle(loaded, in_range(seconds)))
    points = total(loaded.exercise(name).points for name in loaded.graded)
    click.echo(out)
    told = _(
        "Give the assignment {points} points, a time-out above {seconds} s and a container of 1.5 GB or more, "
        "then upload the zip as its autograder."
    )
    click.echo(told.format(points=number(points), seconds=number(seconds)))
    return 0
