"""`grade export FORMAT RESULTS`: what a batch or a run found, in the format of another system."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from urllib.parse import unquote

import click

from grader.batch.outcome import REPORT
from grader.batch.reread import reread
from grader.errors import UsageError
from grader.language import _
from grader.near import hint
from grader.report.exports import notes
from grader.report.exports.formats import FORMATS, Format
from grader.report.exports.model import Request
from grader.report.rows import Row
from grader.results import store


@click.command(
    "export",
    epilog="Example: `grade export csv reports`, `grade export canvas reports --sheet canvas.csv --out upload.csv`",
)
@click.argument("format_", metavar="[FORMAT]", required=False)
@click.argument("results", metavar="[RESULTS]", required=False)
@click.option(
    "--sheet", metavar="FILE", help="Canvas, Moodle: the CSV file that you exported there; it is not changed."
)
@click.option("--column", metavar="TITLE", help="The sheet's column for the points: its title, or Canvas's id of it.")
@click.option("--comments", metavar="TITLE", help="Moodle: the sheet's column for a short text to the student.")
@click.option("--no-scale", is_flag=True, help="Leave points alone, whatever the sheet's column takes.")
@click.option("--out", metavar="FILE", help="Where the file goes; by default to the terminal.")
def command(
    format_: str | None, results: str | None, sheet: str | None, column: str | None, comments: str | None,
    no_scale: bool, out: str | None,
) -> int:  # fmt: skip
    """Write RESULTS in another system's format.

    RESULTS is the OUT of `grade batch`, or one results.json. Without FORMAT: the formats there are.
    """
    if format_ is None:
        _list_formats()
        return 0
    chosen = _format(format_)
    if results is None:
        raise UsageError("What is exported? Name the OUT of `grade batch`, or a results.json.")
    _check_options(format_, chosen, sheet, column, comments, out)
    if no_scale and chosen.sheet != "needed":
        raise UsageError(f"{format_!r} is written unscaled anyway: leave out --no-scale.")
    rows, page, gone = _read(Path(results))
    if chosen.of_one:
        rows = _only(rows, format_)
    request = Request(rows, _bytes(sheet), column, comments, not no_scale, page)
    export = chosen.write(request)
    for note in (*notes.gone(gone), *export.notes):
        click.echo(note, err=True)
    if out is None:
        click.echo(export.data, nl=False)
    else:
        store.write_atomic(Path(out), export.data)
        click.echo(out)
    return 0


def _list_formats() -> None:
    for name, known in FORMATS.items():
        needs = _(" (with --sheet)") if known.sheet == "needed" else ""
        click.echo(f"{name:<17}{_(known.about)}{needs}")
    click.echo(_("Next: `grade export FORMAT RESULTS`."))


def _format(name: str) -> Format:
    if name not in FORMATS:
        near = hint(name, FORMATS)
        raise UsageError(f"No format {name!r}. {near}")
    return FORMATS[name]


def _check_options(
    name: str, chosen: Format, sheet: str | None, column: str | None, comments: str | None, out: str | None
) -> None:
    """Before anything is read: an option that would be ignored is a mistake."""
    if chosen.sheet == "needed" and sheet is None:
        raise UsageError(f"{name!r} fills in a sheet of yours: export it there, and give it with --sheet FILE.")
    if chosen.sheet == "no" and (sheet or column):
        raise UsageError(f"{name!r} has no sheet: leave out --sheet and --column.")
    if comments and name != "moodle":
        raise UsageError(f"{name!r} has no comments: leave out --comments.")
    if not chosen.is_text and out is None:
        raise UsageError(f"{name!r} is an archive: say with --out FILE.zip where it goes.")
    if out and sheet and Path(out).exists() and Path(out).samefile(sheet):
        raise UsageError(f"--out {out!r} is your sheet: choose another file, and keep the sheet.")


def _read(source: Path) -> tuple[list[Row], Callable[[Row], bytes | None], list[str]]:
    """Rows, how to get a row's page, and who is left out since only an earlier batch had them."""
    if source.is_dir():
        rows, gone = reread(source)
        return rows, lambda row: _page(source / unquote(row.href)) if row.href else None, gone
    results = store.load(source)
    return [Row(results.student, results, None, REPORT)], lambda row: _page(source.with_name(REPORT)), []


def _page(path: Path) -> bytes | None:
    return path.read_bytes() if path.is_file() else None


def _only(rows: list[Row], name: str) -> list[Row]:
    graded = [row for row in rows if row.results]
    if len(graded) != 1:
        raise UsageError(f"{name!r} is of one student, and there are {len(graded)}: name a results.json.")
    return graded


def _bytes(sheet: str | None) -> bytes | None:
    if sheet is None:
        return None
    try:
        return Path(sheet).read_bytes()
    except OSError as error:
        raise UsageError(f"The sheet {sheet!r} cannot be read ({error.strerror or error}): check the path.") from error
