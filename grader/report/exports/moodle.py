"""Moodle: the grading worksheet of the assignment as it was downloaded, with the grades of graded students filled in.

Everything else stays as it is, to the letter: the translated headers, and above all `Last modified (grade)`, by which
Moodle sees that nobody has graded in between. Moodle skips what it does not take without a word, so we say it.
"""

from __future__ import annotations

import html
from collections.abc import Iterator

from grader.errors import UsageError
from grader.language import _, said
from grader.report import words
from grader.report.exports import notes, worksheet
from grader.report.exports.fill import Filled, fill
from grader.report.exports.model import Export, Request
from grader.report.exports.people import match
from grader.report.exports.sheet import Sheet, parse
from grader.report.gradebook import safe
from grader.report.grades import written
from grader.results.schema import Results


def render(request: Request) -> Export:
    sheet = parse(request.sheet or b"")
    found = worksheet.layout(sheet, request.column)
    matches = match(request.rows, list(worksheet.people(sheet, found)))
    limit = found.maximum
    open_pairs = [(row, p) for row, p in matches.pairs if not worksheet.locked(sheet.values(p.row), found)]
    done = fill(open_pairs, limit if request.scale else None, lambda p: sheet.values(p.row)[found.grade], limit)
    comments = _comments(sheet, request.comments)
    lines = [_line(sheet, row, done, found, comments) for row in range(len(sheet.rows))]
    closed = [row.student for row, p in matches.pairs if worksheet.locked(sheet.values(p.row), found)]
    told = (*matches.notes(), *_notes(request, found, done, closed))
    return Export(sheet.dump(lines), told)


def _notes(request: Request, found: worksheet.Layout, done: Filled, closed: list[str]) -> Iterator[str]:
    yield from notes.left_out(request.rows)
    yield from notes.locked(closed)
    yield from notes.too_many(done.too_many, written(found.maximum))
    yield from notes.changed(done.changed)
    yield from notes.scale(done.results, found.maximum, request.scale)


def _comments(sheet: Sheet, header: str | None) -> int | None:
    """The column for a text; None if none is wanted."""
    if header is None:
        return None
    if header not in sheet.header:
        raise UsageError(f"The sheet has no column {header!r} for comments: its last one is {sheet.header[-1]!r}.")
    return sheet.header.index(header)


def _line(sheet: Sheet, row: int, done: Filled, found: worksheet.Layout, comments: int | None) -> list[str]:
    cells = list(sheet.rows[row])
    if row not in done.points:
        return cells
    cells += [""] * (len(sheet.header) - len(cells))
    cells[found.grade] = sheet.cell(written(done.points[row], found.mark))
    results = done.students[row].results
    if comments is not None and results is not None:
        cells[comments] = sheet.cell(comment(results))
    return cells


def comment(results: Results) -> str:
    """The whole result in a line of HTML, which is what Moodle takes comments for."""
    told = [_("{points} in all.").format(points=words.points(results.final, results.possible)), words.summary(results)]
    told += [said(a.comment or a.reason) for a in results.adjustments if a.comment or a.reason]
    return html.escape(safe(" ".join(told)), quote=False)
