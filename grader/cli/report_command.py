"""`grade report`: the page of the last run, or of any results.json."""

from __future__ import annotations

import webbrowser
from pathlib import Path

import click

from grader.batch.outcome import REPORT, RESULTS, STUDENTS
from grader.batch.tables import INDEX
from grader.cli.place import Place
from grader.errors import UsageError
from grader.report import student_page
from grader.results import store
from grader.results.schema import Training


@click.command("report", epilog="Example: `grade report --open`, `grade report results.json --out page.html`")
@click.argument("results", required=False, metavar="[RESULTS.JSON]")
@click.option("--out", metavar="PAGE", help="Where the page goes; by default beside the results.")
@click.option("--open", "show", is_flag=True, help="Open it in the browser.")
@click.pass_obj
def command(course: str | None, results: str | None, out: str | None, show: bool) -> int:
    """Write the page of your last run, or of RESULTS.JSON."""
    source, training = _named(Path(results)) if results else _last_run(Place.find(course))
    page = Path(out) if out else source.with_name(REPORT)
    text = student_page.render(store.load(source), training)
    store.write_atomic(page, store.encoded(text))
    click.echo(str(page))
    if show:
        webbrowser.open(page.resolve().as_uri())
    return 0


def _last_run(place: Place) -> tuple[Path, Training | None]:
    if not place.results.exists():
        raise UsageError("Nothing is graded yet: `grade` does it, then `grade report` has something to show.")
    return Path(place.shown(place.results)), place.training()


def _named(source: Path) -> tuple[Path, None]:
    """The file itself, unless it is plain that something else was meant."""
    if (source / INDEX).is_file():
        raise UsageError(
            f"{str(source)!r} is the folder of a batch, whose pages are there: open {str(source / INDEX)!r}, "
            f"or name one student's {str(source / STUDENTS / 'NAME' / RESULTS)!r}."
        )
    if not source.exists() and not source.suffix:
        raise UsageError(
            f"There is no file {str(source)!r}, and `grade report` takes no exercise: leave it out for the page of "
            "your last run, or name a results.json."
        )
    return source, None
