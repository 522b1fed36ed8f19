"""The points of those who are in the sheet, and what becomes of the cells they go into."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from decimal import Decimal

from grader.report.exports.people import Person
from grader.report.grades import read, scaled, why_none, written
from grader.report.rows import Row
from grader.results.schema import Results


@dataclass(frozen=True, slots=True)
class Filled:
    """By the number of the row in the sheet: only what goes into it."""

    points: dict[int, Decimal] = field(default_factory=dict)
    students: dict[int, Row] = field(default_factory=dict)
    results: list[Results] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)  # another number stood there
    kept: list[str] = field(default_factory=list)  # words stand there: excused, not assigned
    too_many: list[str] = field(default_factory=list)  # outside of what the column takes


def fill(
    pairs: Iterable[tuple[Row, Person]], scale_to: Decimal | None, before: Callable[[Person], str],
    limit: Decimal | None = None,
) -> Filled:  # fmt: skip
    """`before`: what the cell held. With a `limit`, points below 0 or above it are not filled in."""
    done = Filled()
    for row, person in pairs:
        if row.results is None or why_none(row):
            continue
        points, held = scaled(row.results, scale_to), before(person).strip()
        old = read(held)
        if held not in ("", "-") and old is None:
            done.kept.append(f"{row.student} ({held})")
        elif limit is not None and not 0 <= points <= limit:
            done.too_many.append(f"{row.student} ({written(points)})")
        else:
            done.points[person.row] = points
            done.students[person.row] = row
            done.results.append(row.results)
            if old is not None and old != points:
                done.changed.append(f"{row.student} ({held} → {written(points)})")
    return done
