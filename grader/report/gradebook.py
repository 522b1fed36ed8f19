"""The gradebook: a CSV file that spreadsheets and learning platforms read, and that runs nothing when opened."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Sequence

from grader.report.rows import Row, exercises_of
from grader.report.text import clean_line
from grader.results.schema import Results

_WIDE = "\uff1d\uff0b\uff0d\uff20"  # the wide forms of = + - @ are formulas too, in some locales
_FORMULA = re.compile(rf"""[\s"']*[=+\-@\t\r{_WIDE}]""")
LONG = 500


def render(rows: Sequence[Row]) -> str:
    """One line per student, to be written as UTF-8. Without results the numbers stay empty: unknown is not zero."""
    names = list(exercises_of(rows))
    out = io.StringIO()
    writer = csv.writer(out, quoting=csv.QUOTE_NONNUMERIC, lineterminator="\n")
    writer.writerow([safe(cell) for cell in ("student", "points", "possible", *names, "status", "problem")])
    for row in rows:
        writer.writerow([safe(row.student), *_numbers(row.results, names), _status(row), safe(row.problem or "")])
    return out.getvalue()


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


def _status(row: Row) -> str:
    if row.results is None:
        return "no results"
    unjudged = sum(check.status == "error" for exercise in row.results.exercises for check in exercise.checks)
    return f"graded, {unjudged} not judged" if unjudged else "graded"
