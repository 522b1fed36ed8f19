"""Checks x students as lines of letters: one letter per check, coloured, with its title.

`.` passed, `x` failed, `-` not written, `~` waiting, `?` not judged. A large class comes in groups of students with
about the same total; a digit then says how many tenths of a group passed the check, and `.` that all did.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from grader.language import _
from grader.report.rows import Row, share
from grader.report.text import clean_line
from grader.report.words import WORDS, of
from grader.results.schema import Results, Status

CELLS = 24_000  # a cell with its title takes some 60 bytes
GROUPS = 40  # lines of a class that is too large for one line a student
_TAGS: dict[Status | None, str] = {"failed": "b", "not_started": "i", "blocked": "s", "error": "u"}

Found = dict[tuple[str, str], Status]  # by exercise and check


@dataclass(frozen=True, slots=True)
class Column:
    exercise: str
    checks: tuple[str, ...]  # ids without the exercise

    @property
    def size(self) -> int:
        return len(self.checks)


@dataclass(frozen=True, slots=True)
class Line:
    name: str  # a student, or the places of a group: 26–50
    cells: Markup


@dataclass(frozen=True, slots=True)
class HeatMap:
    columns: list[Column]
    lines: list[Line]  # best first
    students: int
    group: int  # students a line, but for the last


def heat_map(rows: Sequence[Row]) -> HeatMap:
    """All checks that occur in any row; a check that a student's results do not have stays blank."""
    known = [(row.student, row.results) for row in rows if row.results is not None]
    columns = _columns(results for _, results in known)
    known.sort(key=lambda pair: (-share(pair[1]), pair[0]))
    large = len(known) * sum(column.size for column in columns) > CELLS
    group = math.ceil(len(known) / GROUPS) if large else 1
    if group == 1:
        lines = [Line(student, _line(results, columns)) for student, results in known]
    else:
        lines = list(_groups([results for _, results in known], columns, group))
    return HeatMap(columns, lines, len(known), group)


def _columns(everyone: Iterable[Results]) -> list[Column]:
    found: dict[str, dict[str, None]] = {}
    for results in everyone:
        for exercise in results.exercises:
            names = (_short(check.id, exercise.name) for check in exercise.checks)
            found.setdefault(exercise.name, {}).update(dict.fromkeys(names))
    return [Column(name, tuple(checks)) for name, checks in found.items()]


def _short(check: str, exercise: str) -> str:
    return check.removeprefix(f"{exercise}.")


def _found(results: Results) -> Found:
    return {(e.name, _short(c.id, e.name)): c.status for e in results.exercises for c in e.checks}


def _line(results: Results, columns: list[Column]) -> Markup:
    found = _found(results)
    return _spans([[_cell(check, found.get((c.exercise, check))) for check in c.checks] for c in columns])


def _cell(check: str, status: Status | None) -> str:
    label = WORDS[status].label if status else _("not in these results")
    return _tile(_TAGS.get(status, "a"), f"{clean_line(check, 60)}: {label}", WORDS[status].letter if status else " ")


def _groups(everyone: Sequence[Results], columns: list[Column], size: int) -> Iterator[Line]:
    for first in range(0, len(everyone), size):
        members = [_found(results) for results in everyone[first : first + size]]
        cells = [[_many(check, (m.get((c.exercise, check)) for m in members)) for check in c.checks] for c in columns]
        yield Line(f"{first + 1}–{first + len(members)}", _spans(cells))


def _many(check: str, statuses: Iterable[Status | None]) -> str:
    counts = Counter(status for status in statuses if status)
    if not (students := counts.total()):
        return _tile("a", f"{clean_line(check, 60)}: {_('not in these results')}", " ")
    passed = counts["passed"]
    if counts["not_started"] + counts["blocked"] > students / 2:
        tag = "i"
    else:
        tag = "a" if passed * 3 >= students * 2 else "s" if passed * 3 >= students else "b"
    told = _("{check}: passed by {students}").format(check=clean_line(check, 60), students=of(passed, students))
    return _tile(tag, told, WORDS["passed"].letter if passed == students else str(passed * 10 // students))


def _tile(tag: str, title: str, letter: str) -> str:
    return f'<{tag} title="{escape(title)}">{letter}</{tag}>'


def _spans(groups: Iterable[Iterable[str]]) -> Markup:
    return Markup("".join(f"<span>{''.join(cells)}</span>" for cells in groups))
