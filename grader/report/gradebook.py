"""The gradebook: a CSV file that spreadsheets and learning platforms read, and that runs nothing when opened."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from grader.report.grades import unjudged, why_none
from grader.report.rows import Row, exercises_of
from grader.report.text import clean_line
from grader.results.schema import Results

_WIDE = "\uff1d\uff0b\uff0d\uff20"  # the wide forms of = + - @ are formulas too, in some locales
_FORMULA = re.compile(rf"""[\s"']*[=+\-@\t\r{_WIDE}]""")
LONG = 500
IDS = {"roster": "id", "email": "email"}  # of the roster, and the titles of their columns
NO_RESULTS, BY_HAND = "no results", "by hand"


def render(rows: Sequence[Row]) -> str:
    """One line per student, to be written as UTF-8. Without results the numbers stay empty: unknown is not zero.

    Student ids and addresses have a column where anybody's is known, so never in an anonymous class. `final` is what
    goes into a gradebook: the points of the checks and what was given or taken beside them.
    """
    names = list(exercises_of(rows))
    ids = {kind: title for kind, title in IDS.items() if any(_id(row, kind) for row in rows)}
    adjusted = any(row.results and row.results.adjustments for row in rows)
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    last = ("final", "adjustments") if adjusted else ("final",)
    writer.writerow(
        [safe(cell) for cell in ("student", *ids.values(), "points", "possible", *names, "status", "problem", *last)]
    )
    for row in rows:
        first = [safe(row.student), *(safe(_id(row, kind)) for kind in ids), *_numbers(row.results, names)]
        writer.writerow(
            [*first, status_of(row), safe(row.problem or ""), _final(row), *([_reasons(row)] if adjusted else [])]
        )
    return out.getvalue()


def _id(row: Row, kind: str) -> str:
    return row.whose.ids.get(kind, "") if row.whose else ""


def safe(text: str) -> str:
    """`text` on one line, and with a leading ' where a spreadsheet would take it for a formula."""
    marked = "'" if _FORMULA.match(text) else ""
    return marked + clean_line(text, LONG)


def _numbers(results: Results | None, names: list[str]) -> list[float | str]:
    if results is None:
        return [""] * (len(names) + 2)
    mine = {exercise.name: exercise.points for exercise in results.exercises}
    return [_plain(results.points), _plain(results.possible), *(_plain(mine[n]) if n in mine else "" for n in names)]


def _plain(value: float) -> float:
    """12 for 12.0: some importers take the point for a thousands separator."""
    return int(value) if value == int(value) else round(value, 4)


def _final(row: Row) -> float | str:
    return _plain(row.results.final) if row.results and not why_none(row) else ""


def _reasons(row: Row) -> str:
    made = row.results.adjustments if row.results else []
    return safe("; ".join(a.reason for a in made if a.reason))


def status_of(row: Row) -> str:
    """In English: programs read it."""
    if row.results is None:
        return NO_RESULTS
    if n := unjudged(row.results):
        return f"graded, {n} not judged"
    return BY_HAND if row.problem else "graded"
