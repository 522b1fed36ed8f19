"""Points that may leave for a gradebook: of whom, scaled to what, written how."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal

from grader.language import _, ngettext, said
from grader.report.rows import Row
from grader.results.schema import Results

_CENT = Decimal("0.01")
_NUMBER = re.compile(r"-?[0-9][0-9.,]*")


def unjudged(results: Results) -> int:
    """How many checks the grader itself failed to judge."""
    return sum(check.status == "error" for exercise in results.exercises for check in exercise.checks)


def why_none(row: Row) -> str | None:
    """Why this student has no points to hand on; None if there are some. Unknown is not zero."""
    if row.results is None:
        return said(row.problem) if row.problem else _("no results")
    if n := unjudged(row.results):
        return ngettext("{n} check not judged", "{n} checks not judged", n).format(n=n)
    if any(exercise.status == "error" for exercise in row.results.exercises):
        return _("not judged")
    return None


def scaled(results: Results, maximum: Decimal | None) -> Decimal:
    """The final points, or the same share of `maximum`; to two decimals, halves up, as a person would round."""
    points = Decimal(str(results.final))
    if maximum is not None and results.possible > 0:
        points = points * maximum / Decimal(str(results.possible))
    return points.quantize(_CENT, ROUND_HALF_UP)


def written(points: Decimal, mark: str = ".") -> str:
    """Two decimals behind `mark`, and never a mark between thousands: importers would take it for this one."""
    return f"{points:.2f}".replace(".", mark)


def read(cell: str) -> Decimal | None:
    """The number in a cell; its last point or comma is the decimal mark. None if it is no number."""
    text = cell.strip()
    if not _NUMBER.fullmatch(text):
        return None
    *whole, last = re.split(r"[.,]", text)
    return Decimal(f"{''.join(whole)}.{last or 0}" if whole else last)
