"""`grade report`: the page of the last run, or of any results.json."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click

from grader.cli.place import Place
from grader.errors import UsageError
from grader.report import student_page
from grader.results import store


@click.command("report", epilog="Example: `grade report --open`, `grade report results.json --out page.html`")
@click.argument("results", required=False, metavar="[RESULTS.JSON]")
@click.option("--out", metavar="PAGE", help="Where the page goes; by default beside the results.")
@click.option("--open", "show", is_flag=True, help="Open it in the browser.")
@click.pass_obj
def command(course: str | None, results: str | None, out: str | None, show: bool) -> int:
    """Write the page of your last run, or of RESULTS.JSON."""
    place = None if results else Place.find(course)
    source = Path(place.shown(place.results)) if place else Path(results or "")
    if place and not place.results.exists():
        raise UsageError("Nothing is graded yet: `grade` does it, then `grade report` has something to show.")
    page = Path(out) if out else source.with_name("report.html")
    text = student_page.render(store.load(source), place.training() if place else None)
    store.write_atomic(page, text.encode("utf-8", "backslashreplace"))
    click.echo(str(page))
    if show:
        webbrowser.open(page.resolve().as_uri())
    return 0
