"""Small pictures of arrays as plain shapes: cells in steps of colour, lines of text, outlines around what is wrong.

A drawing knows no colours: its classes are steps from `n6` over 0 to `p6`, and the page's style says how they look.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from grader.results.schema import Number

STEPS = 6  # of colour, on either side of 0
ODD = "odd"  # NaN and the infinities


@dataclass(frozen=True, slots=True)
class Path:
    """The d of an SVG path, and its class."""

    kind: str
    d: str


@dataclass(frozen=True, slots=True)
class Text:
    """Words at places of one line. `anchor`: "start" or "end" of what stands at a place; its middle if empty."""

    y: float
    places: tuple[tuple[float, str], ...]
    kind: str = ""
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """`title` and `description` are for those who do not see it."""

    title: str
    description: str
    width: float
    height: float
    paths: tuple[Path, ...]
    texts: tuple[Text, ...] = ()


@dataclass(frozen=True, slots=True)
class Box:
    """Where the cells of a table lie: the corner of the first one, and the size of each."""

    left: float
    top: float
    width: float
    height: float

    def centre(self, column: int) -> int:
        return round(self.left + (column + 0.5) * self.width)

    def baseline(self, row: int) -> int:
        return round(self.top + (row + 0.5) * self.height + 4)

    def cell(self, row: int, column: int, gap: int = 1) -> str:
        """A rectangle, `gap` smaller than the cell. Whole numbers keep a page small."""
        x, y = self.left + column * self.width + gap // 2, self.top + row * self.height + gap // 2
        w, h = self.width - gap, self.height - gap
        return f"M{x:g} {y:g}h{w:g}v{h:g}h{-w:g}z"


def step(value: Number, most: float) -> str:
    """The class of a value whose kind reaches `most`; empty for what is about 0."""
    if isinstance(value, str) or not math.isfinite(value):
        return ODD
    if most <= 0 or value == 0:
        return ""
    size = min(max(round(abs(value) / most * STEPS), 0), STEPS)
    return f"{'p' if value > 0 else 'n'}{size}" if size else ""


def cells(box: Box, rows: Sequence[Sequence[Number]], most: float, gap: int = 1) -> tuple[Path, ...]:
    """One path for each step of colour that occurs."""
    found: dict[str, list[str]] = {}
    for r, row in enumerate(rows):
        for c, value in enumerate(row):
            found.setdefault(step(value, most), []).append(box.cell(r, c, gap))
    return tuple(Path(kind or "nil", "".join(found[kind])) for kind in sorted(found))


def outline(kind: str, box: Box, places: Iterable[tuple[int, int]]) -> tuple[Path, ...]:
    """Nothing where there is none."""
    d = "".join(box.cell(row, column, 2) for row, column in places)
    return (Path(kind, d),) if d else ()


def lines(box: Box, rows: Sequence[Sequence[str]], kind: str = "") -> tuple[Text, ...]:
    """The words of each cell, in its middle."""
    return tuple(
        Text(box.baseline(r), tuple((box.centre(c), text) for c, text in enumerate(row)), kind)
        for r, row in enumerate(rows)
    )


def largest(rows: Iterable[Iterable[Number]]) -> float:
    """The largest size of a finite number."""
    return max((abs(v) for row in rows for v in row if not isinstance(v, str) and math.isfinite(v)), default=0.0)


def spoken(rows: Sequence[Sequence[str]], names: Callable[[int], str]) -> str:
    """The rows as sentences, each begun with its name."""
    return " ".join(f"{names(r).capitalize()}: {', '.join(row)}." for r, row in enumerate(rows))
