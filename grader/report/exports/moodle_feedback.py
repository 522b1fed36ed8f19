"""Moodle's feedback zip: each student's page, in a folder from whose name Moodle reads whose it is.

`Fullname_PARTICIPANT_PLUGINTYPE_PLUGIN`, split at `_`: the second piece must be the number, so a name has no `_` here.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections import Counter
from collections.abc import Iterator

from grader.errors import UsageError
from grader.report.exports import notes, worksheet
from grader.report.exports.model import Export, Request
from grader.report.exports.people import MOODLE_FOLDER, Matches, Person, match
from grader.report.exports.sheet import parse
from grader.report.grades import why_none
from grader.report.rows import Row

PAGE = "report.html"
PLUGIN = "assignfeedback_file"
_UNSAFE = re.compile(r'[\x00-\x1f\x7f/\\:*?"<>|_]+')
_EPOCH = (1980, 1, 1, 0, 0, 0)  # equal pages are an equal file
_REGULAR = 0o100644 << 16


def render(request: Request) -> Export:
    matches = _matches(request)
    folders = {row.student: folder for row, person in matches.pairs if (folder := _folder(row, person))}
    taken = Counter(folders.values())
    without, twice, paths = list[str](), list[str](), list[tuple[str, Row]]()
    for row in request.rows:
        folder = folders.get(row.student)
        if (row.results is not None or row.href is None) and why_none(row):
            continue  # told by others; a comment to somebody without results has a page
        if row.student in (*matches.strangers, *matches.unclear):
            continue  # told by others
        if folder is None:
            without.append(row.student)
        elif taken[folder] > 1:
            twice.append(row.student)
        else:
            paths.append((f"{folder}/{PAGE}", row))
    data, unread = _zip(request, paths)
    if len(unread) == len(paths):
        raise UsageError("No page has a folder of Moodle's: give the assignment's worksheet with --sheet.")
    told = (*matches.notes(), *notes.left_out(request.rows), *_notes(without, twice, unread))
    return Export(data, told)


def _notes(without: list[str], twice: list[str], unread: list[str]) -> Iterator[str]:
    yield from notes.no_participant(without)
    yield from notes.unclear(twice)
    yield from notes.no_page(unread)


def _matches(request: Request) -> Matches:
    """With the people of the worksheet, if there is one; else everyone alone."""
    if request.sheet is None:
        return Matches([(row, Person(0, "", frozenset())) for row in request.rows])
    sheet = parse(request.sheet)
    return match(request.rows, list(worksheet.people(sheet, worksheet.layout(sheet, request.column))))


def _folder(row: Row, person: Person) -> str | None:
    """As Moodle called it in its archive, or made of the worksheet's line, or of the platform's id."""
    origin = row.whose
    given = MOODLE_FOLDER.fullmatch(origin.folder) if origin else None
    if given:
        return f"{_name(given[1])}_{given[2]}_{given[3]}"
    numbers = [text for kind, text in person.ids if kind == "moodle" and text.isdigit()]
    own = worksheet.participant(f"p{origin.ids.get('moodle', '')}") if origin else ""
    number = numbers[0] if numbers else own
    name = person.name or (origin.name if origin else "") or row.student
    return f"{_name(name)}_{number}_{PLUGIN}" if number else None


def _name(name: str) -> str:
    """A folder's name that every system takes. Moodle reads the number alone."""
    return _UNSAFE.sub("-", name).strip(" .~-") or "student"


def _zip(request: Request, paths: list[tuple[str, Row]]) -> tuple[bytes, list[str]]:
    buffer, unread = io.BytesIO(), list[str]()
    with zipfile.ZipFile(buffer, "w") as archive:
        for path, row in sorted(paths, key=lambda pair: pair[0]):
            page = request.page(row)
            if page is None:
                unread.append(row.student)
                continue
            entry = zipfile.ZipInfo(path, _EPOCH)
            entry.create_system, entry.external_attr = 3, _REGULAR
            archive.writestr(entry, page, zipfile.ZIP_DEFLATED)
    return buffer.getvalue(), unread
