"""Checks x students as lines of letters: one letter per check, coloured in runs, so 1,000 students stay small.

`.` passed, `x` failed, `-` not written, `~` waiting, `?` not judged. In a small class every cell carries its own title;
in a large one the page's script says it, and without script the list of columns does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup, escape

from grader.language import _
from grader.report.class_numbers import share
from grader.report.rows import Row
from grader.report.text import clean_line
from grader.report.words import WORDS
from grader.results.schema import Results, Status

TITLED_CELLS = 12_000  # a title takes some 60 bytes
_TAGS: dict[Status | None, str] = {"failed": "b", "not_started": "i", "blocked": "s", "error": "u"}


@dataclass(frozen=True, slots=True)
class Column:
    exercise: str
    checks: tuple[str, ...]  # ids without the exercise

    @property
    def size(self) -> int:
        return len(self.checks)


@dataclass(frozen=True, slots=True)
class Line:
    student: str
    cells: Markup


@dataclass(frozen=True, slots=True)
class HeatMap:
    columns: list[Column]
    lines: list[Line]  # best first
    titled: bool


def heat_map(rows: Sequence[Row]) -> HeatMap:
    """All checks that occur in any row; a check that a student's results do not have stays blank."""
    known = [(row.student, row.results) for row in rows if row.results is not None]
    columns = _columns(results for _, results in known)
    titled = len(known) * sum(c.size for c in columns) <= TITLED_CELLS
    known.sort(key=lambda pair: (-share(pair[1]), pair[0]))
    return HeatMap(columns, [Line(student, _line(results, columns, titled)) for student, results in known], titled)


def _columns(everyone: Iterable[Results]) -> list[Column]:
    found: dict[str, dict[str, None]] = {}
    for results in everyone:
        for exercise in results.exercises:
            names = (_short(check.id, exercise.name) for check in exercise.checks)
            found.setdefault(exercise.name, {}).update(dict.fromkeys(names))
    return [Column(name, tuple(checks)) for name, checks in found.items()]


def _short(check: str, exercise: str) -> str:
    return check.removeprefix(f"{exercise}.")


def _line(results: Results, columns: list[Column], titled: bool) -> Markup:
    found: dict[tuple[str, str], Status] = {
        (e.name, _short(c.id, e.name)): c.status for e in results.exercises for c in e.checks
    }  # fmt: skip
    groups = []
    for column in columns:
        statuses = [(check, found.get((column.exercise, check))) for check in column.checks]
        groups.append(f"<span>{_titled(statuses) if titled else _runs([status for _, status in statuses])}</span>")
    return Markup("".join(groups))


def _titled(statuses: list[tuple[str, Status | None]]) -> str:
    return "".join(_cell(check, status) for check, status in statuses)


def _cell(check: str, status: Status | None) -> str:
    tag = _TAGS.get(status, "a")
    label = WORDS[status].label if status else _("not in these results")
    return f'<{tag} title="{escape(clean_line(check, 60))}: {label}">{_letter(status)}</{tag}>'


def _runs(statuses: list[Status | None]) -> str:
    parts = []
    for status, run in groupby(statuses):
        letters = _letter(status) * len(list(run))
        parts.append(f"<{_TAGS[status]}>{letters}</{_TAGS[status]}>" if status in _TAGS else letters)
    return "".join(parts)


def _letter(status: Status | None) -> str:
    return WORDS[status].letter if status else " "
