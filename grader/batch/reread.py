"""The class as the last batch left it: who was in it, with results or with the reason why there are none."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

from grader.batch.outcome import REPORT, RESULTS, STUDENTS
from grader.batch.tables import CLASS, Member, read_class, row_of
from grader.errors import ResultsError, UsageError
from grader.language import N_
from grader.report.rows import Row
from grader.results.store import load

GONE = N_("The batch's folder has no results of this student: run the batch again.")


def reread(out: Path) -> tuple[list[Row], list[str]]:
    """The rows of a batch's folder, in the order of its tables; and students that only an earlier batch had.

    Results stay in the folder when their student is in no later batch, or could not be graded again: class.json says
    whose they are not any more. Without it, all there are count.
    """
    found = {path.parent.name: _row(path) for path in sorted((out / STUDENTS).glob(f"*/{RESULTS}"))}
    if not found and not (out / CLASS).is_file():
        raise UsageError(f"{str(out)!r} is no folder of a batch: give the OUT of `grade batch`, or a results.json.")
    members = _members(out)
    if members is None:
        return list(found.values()), []
    rows = [_of_member(member, found.pop(member.folder, None)) for member in members]
    return rows, [row.student for row in found.values()]


def _members(out: Path) -> list[Member] | None:
    """None if class.json cannot be read."""
    with suppress(UsageError, ResultsError):
        return read_class(out).members
    return None


def _row(path: Path) -> Row:
    """Results that cannot be read are a row with its reason, under the folder's name."""
    href = f"{STUDENTS}/{quote(path.parent.name)}/{REPORT}"
    try:
        results = load(path)
    except ResultsError as error:
        return Row(path.parent.name, None, str(error), None)
    return Row(results.student, results, None, href)


def _of_member(member: Member, row: Row | None) -> Row:
    if row is None or (member.problem and not member.by_hand):
        return Row(member.student, None, member.problem or GONE, None, member.origin)
    if row.results is None:
        return Row(member.student, None, row.problem, None, member.origin)
    return row_of(member.student, member.folder, row.results, member.problem)
