"""Canvas: one assignment's column of the instructor's own gradebook export, filled.

Written are the identity cells as they stand and that one column, for graded students alone: to Canvas an empty cell
clears a grade, and a column it does not know becomes a new assignment.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from grader.errors import UsageError
from grader.report.exports import notes
from grader.report.exports.column import choose
from grader.report.exports.fill import Filled, fill
from grader.report.exports.model import Export, Request
from grader.report.exports.people import Person, match
from grader.report.exports.sheet import Sheet, parse
from grader.report.grades import read, written

_ASSIGNMENT = re.compile(r".*\S\s*\(\d+\)\s*", re.DOTALL)
_TOTALS = re.compile(r"(Current|Final) (Score|Points|Grade)|Override (Score|Grade|Status)")
_HIDDEN = re.compile(r"\s*(Muted|Manual Posting.*)?\s*", re.IGNORECASE)
_IDS = {"ID": ("canvas",), "SIS User ID": ("roster",), "SIS Login ID": ("login", "email")}


@dataclass(frozen=True, slots=True)
class Layout:
    """Where what stands. Rows above the students say something of the assignments."""

    identity: range
    column: int
    maximum: Decimal | None
    above: list[int]
    students: list[int]


def render(request: Request) -> Export:
    sheet = parse(request.sheet or b"")
    layout = _layout(sheet, request.column)
    matches = match(request.rows, list(_people(sheet, layout)))
    done = fill(matches.pairs, layout.maximum if request.scale else None, lambda p: sheet.values(p.row)[layout.column])
    lines = [sheet.raw(row, [*layout.identity, layout.column]) for row in (0, *layout.above)]
    for row in layout.students:
        if row in done.points:
            lines.append([*sheet.raw(row, layout.identity), written(done.points[row])])
    return Export(sheet.dump(lines), (*matches.notes(), *_notes(request, layout, done)))


def _notes(request: Request, layout: Layout, done: Filled) -> Iterator[str]:
    yield from notes.left_out(request.rows)
    yield from notes.kept(done.kept)
    yield from notes.changed(done.changed)
    yield from notes.scale(done.results, layout.maximum, request.scale)


def _layout(sheet: Sheet, wanted: str | None) -> Layout:
    header = sheet.header
    section = next((n for n, title in enumerate(header) if n > 1 and "Section" in title), None)
    two_names = header[:2] == ["LastName", "FirstName"]
    if section is None or "ID" not in header[1 + two_names] or not (two_names or "Student" in header[0]):
        first = ", ".join(header[:4])
        raise UsageError(
            f"The sheet is no gradebook export of Canvas (it begins with {first}): use Export in Canvas's gradebook."
        )
    above, students = _rows(sheet)
    points = next((sheet.values(row) for row in above if "Points Possible" in sheet.values(row)[0]), [""] * len(header))
    ours = [n for n in range(section + 1, len(header)) if _is_assignment(header[n], points[n])]
    column = choose(header, ours, wanted)
    maximum = read(points[column])
    return Layout(range(section + 1), column, maximum if maximum and maximum > 0 else None, above, students)


def _rows(sheet: Sheet) -> tuple[list[int], list[int]]:
    """Those that Canvas takes for no student, and the others. Empty lines are neither."""
    above, students = list[int](), list[int]()
    for row in range(1, len(sheet.rows)):
        values = sheet.values(row)
        if "Points Possible" in values[0] or all(_HIDDEN.fullmatch(text) for text in values):
            above.extend([row] if any(text.strip() for text in values) else [])
        else:
            students.append(row)
    return above, students


def _is_assignment(title: str, points: str) -> bool:
    """`Title (1234)`; not `Final Score (2020)`, nor what Canvas marks (read only)."""
    return bool(_ASSIGNMENT.fullmatch(title)) and not _TOTALS.search(title) and "read only" not in points


def _people(sheet: Sheet, layout: Layout) -> Iterator[Person]:
    places = [(at, kind) for at in layout.identity for kind in _IDS.get(sheet.header[at], ())]
    two_names = sheet.header[0] == "LastName"
    for row in layout.students:
        values = sheet.values(row)
        name = f"{values[1]} {values[0]}" if two_names else values[0]
        yield Person(row, name, frozenset((kind, values[at]) for at, kind in places))
