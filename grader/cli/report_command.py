"""`grade report`: the page of the last run."""

from __future__ import annotations

import webbrowser

import click

from grader.cli.place import Place
from grader.errors import UsageError
from grader.report import student_page
from grader.results.store import write_atomic


@click.command("report", epilog="Example: `grade report --open`")
@click.option("--open", "show", is_flag=True, help="Open it in the browser.")
@click.pass_obj
def command(course: str | None, show: bool) -> int:
    """Write the page of your last run."""
    place = Place.find(course)
    last = place.last()
    if last is None:
        raise UsageError("There is no run to report yet. Run `grade` first.")
    path = place.state / "report.html"
    write_atomic(path, student_page.render(last).encode("utf-8", "backslashreplace"))
    click.echo(place.shown(path))
    if show:
        webbrowser.open(path.as_uri())
    return 0
