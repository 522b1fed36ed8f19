"""Moodle's grading worksheet of an assignment: which column is which, in any language.

Moodle translates every header, so columns are found by what stands in them: the identifier is a word and a number
(`Participant 12`, `Teilnehmer/in12`), and the grade stands left of the maximum, the same number in every row.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from grader.errors import UsageError
from grader.report.exports.column import choose
from grader.report.exports.people import Person
from grader.report.exports.sheet import Sheet
from grader.report.grades import read

_PARTICIPANT = re.compile(r"(\D+?)\s*(\d+)")
_ADDRESS = re.compile(r"[^@\s]+@[^@\s]+")
# Where the shape fits more than one pair of columns; in lower case, as Moodle's language packs have them.
_MAXIMUM = ("maximum grade", "bestwertung", "最高分", "nota máxima", "calificación máxima", "note maximale")
_NO = ("no", "nein", "否", "non", "não", "nee")


@dataclass(frozen=True, slots=True)
class Layout:
    participant: int
    grade: int
    maximum: Decimal
    mark: str  # the decimal mark of the sheet
    students: list[int]


def layout(sheet: Sheet, wanted: str | None) -> Layout:
    """UsageError where it is no such worksheet, or where several columns could be the grade's."""
    students = [row for row in range(1, len(sheet.rows)) if any(cell.strip() for cell in sheet.rows[row])]
    participant = next((n for n in range(len(sheet.header)) if _is_participant(sheet.column(n))), None)
    if participant is None:
        raise UsageError(
            "The sheet is no grading worksheet of Moodle (no column holds `Participant 12` or the like): "
            "switch on the offline grading worksheet, and download it from the assignment."
        )
    pairs = [n for n in range(participant + 1, len(sheet.header) - 1) if _takes_points(sheet, n)]
    called = [n for n in pairs if sheet.header[n + 1].strip().casefold() in _MAXIMUM]
    if not pairs:
        raise UsageError(
            "The sheet has no grade beside a maximum grade: set the assignment's grade type to points, not to a scale."
        )
    grade = choose(sheet.header, called if len(called) == 1 and wanted is None else pairs, wanted)
    texts = sheet.column(grade + 1)
    mark = "," if any("," in text for text in texts) else "."
    return Layout(participant, grade, read(texts[0]) or Decimal(0), mark, students)


def people(sheet: Sheet, found: Layout) -> Iterator[Person]:
    """By participant, and by whatever stands between the name and the grade: address, ID number, username."""
    for row in found.students:
        values = sheet.values(row)
        number = participant(values[found.participant])
        between = [text for text in values[found.participant + 2 : found.grade] if text.strip()]
        kinds = {(kind, text) for text in between for kind in _kinds(text)}
        name = values[found.participant + 1]
        yield Person(row, name, frozenset(kinds | {("moodle", number), ("moodle", values[found.participant])}))


def participant(identifier: str) -> str:
    """`12` of `Participant 12`."""
    fits = _PARTICIPANT.fullmatch(identifier.strip())
    return fits[2] if fits else ""


def locked(values: list[str], found: Layout) -> bool:
    """`Grade can be changed` is No: it stands behind the maximum, or behind the state of the marking workflow."""
    return any(text.strip().casefold() in _NO for text in values[found.grade + 2 : found.grade + 4])


def _kinds(text: str) -> tuple[str, ...]:
    return ("email", "login") if _ADDRESS.fullmatch(text.strip()) else ("roster", "login")


def _is_participant(texts: list[str]) -> bool:
    """The same word, and a number of one's own, in every row."""
    fits = [_PARTICIPANT.fullmatch(text.strip()) for text in texts]
    words = {found[1] for found in fits if found}
    return bool(texts) and all(fits) and len(words) == 1 and len({text.strip() for text in texts}) == len(texts)


def _takes_points(sheet: Sheet, at: int) -> bool:
    """A column of numbers or nothing, left of one that holds the same number above 0 in every row."""
    maxima = {read(text) for text in sheet.column(at + 1)}
    most = next(iter(maxima), None)
    grades = [text.strip() for text in sheet.column(at)]
    return (
        len(maxima) == 1
        and most is not None
        and most > 0
        and all(g in ("", "-") or read(g) is not None for g in grades)
    )
