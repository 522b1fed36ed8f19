"""What LayerNorm does to a few tokens: their features on a line, with mean and standard deviation, before and after."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from grader.language import _
from grader.report.drawing import Drawing, Path, Text
from grader.results.schema import Number

WIDTH, LEFT, TOP, ROW, FOOT = 300.0, 54.0, 20.0, 24.0, 24.0
TICKS = ((0.0,), (-1.0, 0.0, 1.0))  # what means, and afterwards deviations, are held against
DOT, HALF = 2.6, 6.0  # the radius of a dot, half the height of a bar


@dataclass(frozen=True, slots=True)
class Axis:
    """A panel's numbers from `low` to `high`, below `top`."""

    top: float
    low: float
    high: float
    ticks: tuple[float, ...]

    def x(self, value: float) -> float:
        share = (value - self.low) / (self.high - self.low)
        return round(LEFT + 6 + min(max(share, 0.0), 1.0) * (WIDTH - 12), 1)


def draw(before: Sequence[Sequence[Number]], after: Sequence[Sequence[Number]], title: str) -> Drawing:
    """One panel above the other, a token a line."""
    sides = [[_finite(row) for row in rows] for rows in (before, after)]
    tall = TOP + len(before) * ROW + FOOT
    axes = [_axis(n * tall, rows, TICKS[n]) for n, rows in enumerate(sides)]
    panels = list(zip(axes, sides, (_("before"), _("after")), strict=True))
    return Drawing(
        title=title,
        description=" ".join(
            _("Token {n}: {first} before, {second} after.").format(n=r, first=_said(a), second=_said(b))
            for r, (a, b) in enumerate(zip(*sides, strict=True))
        ),
        width=round(LEFT + WIDTH),
        height=round(2 * tall),
        paths=tuple(path for axis, rows, name in panels for path in _panel(axis, rows)),
        texts=tuple(text for axis, rows, name in panels for text in _words(axis, len(rows), name)),
    )


def _words(axis: Axis, tokens: int, name: str) -> list[Text]:
    """Its heading, the tokens' numbers, and the scale below."""
    scale = tuple((axis.x(v), f"{v:g}".replace("-", "\u2212")) for v in (axis.low, *axis.ticks, axis.high))
    named = (
        Text(_middle(axis, r) + 4, ((LEFT - 8, _("token {n}").format(n=r)),), "index", "end") for r in range(tokens)
    )
    return [
        Text(axis.top + 13, ((LEFT + WIDTH / 2, name),), "word"),
        *named,
        Text(_below(axis, tokens) + 14, scale, "index"),
    ]


def _finite(row: Sequence[Number]) -> list[float]:
    return [v for v in row if not isinstance(v, str) and math.isfinite(v) and abs(v) < 1e6]


def _axis(top: float, rows: Sequence[Sequence[float]], ticks: tuple[float, ...]) -> Axis:
    """Symmetric, so that 0 is in the middle; wide enough for everything, and for 3."""
    reach = math.ceil(max((abs(v) for row in rows for v in row), default=0.0) + 0.2)
    return Axis(top, -max(3.0, reach), max(3.0, reach), ticks)


def _middle(axis: Axis, row: int) -> float:
    return axis.top + TOP + (row + 0.5) * ROW


def _below(axis: Axis, rows: int) -> float:
    return axis.top + TOP + rows * ROW


def _panel(axis: Axis, rows: Sequence[Sequence[float]]) -> list[Path]:
    below = _below(axis, len(rows))
    ticks = "".join(f"M{axis.x(v):g} {axis.top + TOP:g}V{below:g}" for v in axis.ticks)
    frame = Path("hair", f"M{LEFT:g} {below:g}h{WIDTH:g}{ticks}")
    spreads, means, dots = [], [], []
    for r, row in enumerate(rows):
        if not row:
            continue
        y, mean, spread = _middle(axis, r), statistics.fmean(row), statistics.pstdev(row)
        low, high = axis.x(mean - spread), axis.x(mean + spread)
        spreads.append(f"M{low:g} {y - HALF:g}H{high:g}V{y + HALF:g}H{low:g}z")
        means.append(f"M{axis.x(mean):g} {y - HALF - 2:g}v{2 * HALF + 4:g}")
        dots += [
            f"M{axis.x(v) - DOT:g} {y:g}a{DOT} {DOT} 0 1 0 {2 * DOT:g} 0a{DOT} {DOT} 0 1 0 {-2 * DOT:g} 0" for v in row
        ]
    return [frame, Path("spread", "".join(spreads)), Path("dot", "".join(dots)), Path("mean", "".join(means))]


def _said(row: Sequence[float]) -> str:
    if not row:
        return _("no finite number")
    told = _("mean {mean:.2f}, deviation {deviation:.2f}")
    return told.format(mean=statistics.fmean(row), deviation=statistics.pstdev(row))
