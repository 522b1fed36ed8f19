"""Whose row in the instructor's sheet belongs to which of our students."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from grader.errors import UsageError
from grader.report.exports import notes
from grader.report.rows import NUMBERED, Row

# The surest first. A sheet knows some of them.
KINDS = ("canvas", "moodle", "roster", "login", "email")
# Of Moodle's archives: the full name, the participant's number, the plugin. An underscore behind it is of older ones.
MOODLE_FOLDER = re.compile(r"(.*)_(\d+)_(assign[a-z]+_[a-z]+_?)", re.DOTALL)
LABELS = ("login", "roster", "email")  # what a folder of submissions may be called after


@dataclass(frozen=True, slots=True)
class Person:
    """Someone in the sheet: the number of the row, the name, and pairs of kind and id."""

    row: int
    name: str
    ids: frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Matches:
    pairs: list[tuple[Row, Person]] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)  # of ours: not in the sheet
    unclear: list[str] = field(default_factory=list)  # of ours: several rows, or one that another has too
    missing: list[str] = field(default_factory=list)  # of the sheet: no results

    def notes(self) -> Iterator[str]:
        yield from notes.strangers(self.strangers)
        yield from notes.unclear(self.unclear)
        yield from notes.missing(self.missing)


def match(rows: Sequence[Row], people: Sequence[Person]) -> Matches:
    """Each of ours with the one row that their surest id, or else their full name, names. Nothing is guessed.

    UsageError if nobody is in the sheet: it is another course's.
    """
    index = _index(people)
    found = {row.student: _people_of(row, index) for row in rows}
    taken = Counter(person.row for fitting in found.values() if len(fitting) == 1 for person in fitting)
    result = Matches()
    for row in rows:
        fitting = found[row.student]
        if not fitting:
            result.strangers.append(row.student)
        elif len(fitting) > 1 or taken[fitting[0].row] > 1:
            result.unclear.append(row.student)
        else:
            result.pairs.append((row, fitting[0]))
    known = {person.row for fitting in found.values() for person in fitting}
    result.missing.extend(person.name for person in people if person.row not in known)
    if rows and not known:
        names = notes.named([row.student for row in rows])
        if all(NUMBERED.fullmatch(row.student) for row in rows):
            raise UsageError(
                f"The results are anonymous ({names}), so the sheet tells nothing of whose they are: grade the class "
                "without --anonymous into another OUT, and export that."
            )
        raise UsageError(f"The sheet has nobody of this class ({names}): is it the sheet of this course?")
    return result


def _index(people: Iterable[Person]) -> dict[tuple[str, str], list[Person]]:
    index: dict[tuple[str, str], list[Person]] = defaultdict(list)
    for person in people:
        for kind, text in {(kind, plain(text)) for kind, text in person.ids} | {("name", plain_name(person.name))}:
            index[kind, text].append(person)
    return index


def _people_of(row: Row, index: dict[tuple[str, str], list[Person]]) -> list[Person]:
    """Those whom the first key that is in the sheet names."""
    origin = row.whose
    folder = MOODLE_FOLDER.fullmatch(origin.folder) if origin else None
    ids = ({"moodle": folder[2]} if folder else {}) | (origin.ids if origin else {})
    keys = [(kind, plain(ids[kind])) for kind in KINDS if ids.get(kind)]
    keys += [(kind, plain(row.student)) for kind in LABELS]
    keys += [("name", plain_name(name)) for name in (origin.name if origin else "", row.student) if name]
    return next((index[key] for key in keys if key[1] and index.get(key)), [])


def plain(text: str) -> str:
    """Ids and addresses are the same person's in any case."""
    return unicodedata.normalize("NFKC", text).strip().casefold()


def plain_name(name: str) -> str:
    """`Lovelace, Ada` is `ada lovelace`."""
    last, comma, first = plain(name).partition(",")
    return " ".join(f"{first} {last}".split() if comma else last.split())
