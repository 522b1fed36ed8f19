"""A readable part of an array: a few rows and columns around what matters, all numbers written alike."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from grader.language import _, said
from grader.report.text import clean_line
from grader.results.schema import Array, Evidence, Number

MINUS = "\u2212"
_WORDS = {"nan": "NaN", "inf": "∞", "-inf": f"{MINUS}∞"}


@dataclass(frozen=True, slots=True)
class Cell:
    text: str
    worst: bool = False  # the largest error
    differs: bool = False  # visibly not what the other array has here
    zero: bool = False


@dataclass(frozen=True, slots=True)
class Grid:
    label: str
    shape: tuple[int, ...]
    lead: tuple[int, ...]  # the index on all axes but the last two
    rows: tuple[int, ...]  # the indices that are shown; empty for a vector
    columns: tuple[int, ...]
    cells: tuple[tuple[Cell, ...], ...]
    more_rows: bool  # there are others below
    more_columns: bool
    values: tuple[tuple[Number, ...], ...] = ()  # of the cells
    mine: bool = False  # the student's, so what differs is wrong here

    @property
    def place(self) -> str:
        """Which part this is, when the array has more than two axes."""
        return f"[{', '.join([*map(str, self.lead), ':', ':'])}]" if self.lead else ""


def pair(evidence: Evidence, side: int) -> tuple[Grid | None, Grid | None]:
    """What was expected and what came, at most `side` x `side` of each, the worst cell inside where it was kept."""
    expected, got = _block(evidence.expected, evidence.worst), _block(evidence.got, evidence.worst)
    write = writer(_numbers(expected, got))
    return (
        _grid(_label(evidence.expected, _("expected")), expected, got, side, write) if expected else None,
        replace(_grid(_label(evidence.got, _("yours")), got, expected, side, write), mine=True) if got else None,
    )


def single(array: Array, side: int) -> Grid | None:
    """An array of its own, such as an input."""
    block = _block(array, None)
    return _grid(said(array.label), block, None, side, writer(_numbers(block))) if block else None


@dataclass(frozen=True, slots=True)
class _Block:
    """The kept part of one slice over the last two axes; a vector is one row."""

    shape: tuple[int, ...]
    lead: tuple[int, ...]
    values: tuple[tuple[Number, ...], ...]
    worst: tuple[int, int] | None


def _label(array: Array | None, usual: str) -> str:
    return clean_line(said(array.label), 40) if array is not None and array.label else usual


def _block(array: Array | None, worst: list[int] | None) -> _Block | None:
    if array is None or not _sound(array):
        return None
    outer = array.corner[:-2]
    rows, columns = [1, 1, *array.corner][-2:]
    inside = worst is not None and _within(worst, array.corner)
    at = worst if worst is not None and inside else [0] * len(array.corner)
    first = 0
    for index, size in zip(at, outer, strict=False):
        first = first * size + index
    starts = range(first * rows * columns, (first + 1) * rows * columns, columns)
    values = tuple(tuple(array.values[start : start + columns]) for start in starts)
    row, column = [0, 0, *at][-2:]
    return _Block(tuple(array.shape), tuple(at[: len(outer)]), values, (row, column) if inside else None)


def _sound(array: Array) -> bool:
    """A file from elsewhere may say anything."""
    fits = len(array.corner) == len(array.shape) and math.prod(array.corner) == len(array.values)
    return fits and all(0 < kept <= size for kept, size in zip(array.corner, array.shape, strict=True))


def _within(index: list[int], corner: list[int]) -> bool:
    return len(index) == len(corner) and all(0 <= i < n for i, n in zip(index, corner, strict=True))


def _grid(label: str, block: _Block, other: _Block | None, side: int, write: Callable[[Number], str]) -> Grid:
    row, column = block.worst or (0, 0)
    rows, columns = _window(len(block.values), side, row), _window(len(block.values[0]), side, column)
    theirs = other.values if other and other.lead == block.lead and len(other.shape) == len(block.shape) else ()

    def cell(r: int, c: int) -> Cell:
        value = block.values[r][c]
        differs = r < len(theirs) and c < len(theirs[r]) and _differ(value, theirs[r][c])
        return Cell(write(value), worst=(r, c) == block.worst, differs=differs, zero=value == 0)

    return Grid(
        label=label,
        shape=block.shape,
        lead=block.lead,
        rows=tuple(rows) if len(block.shape) > 1 else (),
        columns=tuple(columns) if block.shape else (),
        cells=tuple(tuple(cell(r, c) for c in columns) for r in rows),
        more_rows=len(block.shape) > 1 and rows[-1] + 1 < block.shape[-2],
        more_columns=bool(block.shape) and columns[-1] + 1 < block.shape[-1],
        values=tuple(tuple(block.values[r][c] for c in columns) for r in rows),
    )


def _window(size: int, side: int, at: int) -> range:
    """At most `side` indices: the leading ones, or those around `at` if it is not among them."""
    start = 0 if at < side else min(at - side // 2, size - side)
    return range(start, min(start + side, size))


def _differ(a: Number, b: Number) -> bool:
    """More apart than rounding to four digits can explain."""
    if isinstance(a, str) or isinstance(b, str):
        return a != b
    return abs(a - b) > 1e-5 + 1e-3 * max(abs(a), abs(b))


def _numbers(*blocks: _Block | None) -> list[Number]:
    return [v for block in blocks if block for row in block.values for v in row]


def writer(values: Sequence[Number]) -> Callable[[Number], str]:
    """One way to write all numbers of a picture: whole ones bare, others with the decimals that the largest allows."""
    numbers = [v for v in values if not isinstance(v, str) and math.isfinite(v)]
    largest = max((abs(v) for v in numbers), default=0.0)
    whole = all(v == int(v) for v in numbers)
    decimals = 0 if whole else 4 if largest < 10 else 3 if largest < 100 else 2

    def write(value: Number) -> str:
        if isinstance(value, str) or not math.isfinite(value):
            return _WORDS.get(str(value), clean_line(str(value), 12))
        tiny = value != 0 and not whole and abs(value) < 0.5 * 10**-decimals
        text = f"{value:.1e}" if tiny or abs(value) >= 1e5 else f"{value:.{decimals}f}"
        return text.replace("-", MINUS)

    return write
