"""The class as the last batch left it: who was in it, with results or with the reason why there are none."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from urllib.parse import quote

from grader.batch.outcome import REPORT, RESULTS, STUDENTS
from grader.batch.tables import GRADEBOOK
from grader.errors import ResultsError, UsageError
from grader.language import N_
from grader.report.gradebook import NO_RESULTS, safe
from grader.report.rows import Row
from grader.results.store import load

GONE = N_("The batch's folder has no results of this student: run the batch again.")


def reread(out: Path) -> tuple[list[Row], list[str]]:
    """The rows of a batch's folder, in the order of its gradebook; and students that only an earlier batch had.

    Results stay in the folder when their student is in no later batch, or could not be graded again: the gradebook
    says whose they are not any more. Without it, all there are count.
    """
    found = {row.student: row for row in map(_row, sorted((out / STUDENTS).glob(f"*/{RESULTS}")))}
    if not found and not (out / GRADEBOOK).is_file():
        raise UsageError(f"{str(out)!r} is no folder of a batch: give the OUT of `grade batch`, or a results.json.")
    listed = _listed(out / GRADEBOOK)
    if listed is None:
        return list(found.values()), []
    named = {safe(student): row for student, row in found.items()}
    rows = [_of_line(line, named.get(line["student"])) for line in listed]
    names = {line["student"] for line in listed}
    return rows, [row.student for name, row in named.items() if name not in names]


def _row(path: Path) -> Row:
    """Results that cannot be read are a row with its reason, under the folder's name."""
    href = f"{STUDENTS}/{quote(path.parent.name)}/{REPORT}"
    try:
        results = load(path)
    except ResultsError as error:
        return Row(path.parent.name, None, str(error), None)
    return Row(results.student, results, None, href)


def _listed(path: Path) -> list[dict[str, str]] | None:
    """The lines of the gradebook; None if there is none that can be read."""
    try:
        reader = csv.DictReader(io.StringIO(path.read_text("utf-8"), newline=""), restval="")
    except (OSError, ValueError):
        return None
    if not {"student", "status", "problem"} <= set(reader.fieldnames or ()):
        return None
    return list(reader)


def _of_line(line: dict[str, str], row: Row | None) -> Row:
    if line["status"] == NO_RESULTS:
        return Row(row.student if row else line["student"], None, line["problem"] or None, None)
    return row or Row(line["student"], None, GONE, None)
