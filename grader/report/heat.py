"""Expected, yours and their difference: three small heat maps of a failed check, with the wrong cells outlined."""

from __future__ import annotations

import math
from collections.abc import Sequence

from grader.language import _
from grader.report import grid
from grader.report.drawing import Box, Drawing, Path, Text, cells, largest, lines, outline, spoken
from grader.report.grid import Grid
from grader.results.schema import Evidence, Number

SIDE = 5  # rows and columns
LETTER = 6.7  # the width of a digit
HEIGHT = 23  # of a cell


def heat_maps(evidence: Evidence) -> list[Drawing]:
    """What was kept of expected, yours and the difference, as far as there is something."""
    expected, yours = grid.pair(evidence, SIDE)
    most = largest(expected.values if expected else ()) or largest(yours.values if yours else ())
    drawings = [_one(part, most) for part in (expected, yours) if part]
    if expected and yours and _comparable(expected, yours):
        drawings.append(_difference(expected, yours))
    return drawings


def _comparable(expected: Grid, yours: Grid) -> bool:
    """The same window of the same shape."""
    same = (expected.shape, expected.lead, expected.rows, expected.columns)
    return same == (yours.shape, yours.lead, yours.rows, yours.columns)


def _one(part: Grid, most: float) -> Drawing:
    texts = [[cell.text for cell in row] for row in part.cells]
    box = _box(part, texts)
    wrong = [(r, c) for r, row in enumerate(part.cells) for c, cell in enumerate(row) if cell.differs and part.mine]
    worst = [(r, c) for r, row in enumerate(part.cells) for c, cell in enumerate(row) if cell.worst]
    said = _("The largest error is at {place}.").format(place=_place(part, worst[0])) if worst and part.mine else ""
    paths = (
        *cells(box, part.values, most),
        *outline("wrong", box, wrong),
        *outline("worst" if part.mine else "wanted", box, worst),
    )
    return _drawing(part, part.label, box, texts, paths, said)


def _difference(expected: Grid, yours: Grid) -> Drawing:
    values = [
        [_minus(a, b) for a, b in zip(mine, theirs, strict=True)]
        for mine, theirs in zip(yours.values, expected.values, strict=True)
    ]
    marked = [(r, c) for r, row in enumerate(yours.cells) for c, cell in enumerate(row) if cell.differs or cell.worst]
    write = grid.writer([v for row in values for v in row])
    texts = [
        ["0" if (r, c) not in marked and not isinstance(v, str) else write(v) for c, v in enumerate(row)]
        for r, row in enumerate(values)
    ]
    box = _box(yours, texts)
    away: list[list[Number]] = [[v if isinstance(v, str) else abs(v) for v in row] for row in values]
    shades = tuple(Path(path.kind.replace("p", "d", 1), path.d) for path in cells(box, away, largest(away)))
    paths = (*shades, *outline("wrong", box, marked))
    return _drawing(yours, _("difference"), box, texts, paths, _("Yours minus expected."))


def _minus(a: Number, b: Number) -> Number:
    if a == b:
        return 0.0
    if isinstance(a, str) or isinstance(b, str):
        return "nan"
    return a - b if math.isfinite(a - b) else "nan"


def _box(part: Grid, texts: Sequence[Sequence[str]]) -> Box:
    longest = max((len(text) for row in texts for text in row), default=1)
    left = max((len(str(row)) for row in part.rows), default=0) * LETTER
    return Box(round(left + 5) if left else 1, 16 if part.columns else 1, max(26, round(longest * LETTER + 9)), HEIGHT)


def _drawing(part: Grid, label: str, box: Box, texts: list[list[str]], paths: tuple[Path, ...], said: str) -> Drawing:
    across, down = len(texts[0]), len(texts)
    rest = {
        (True, True): _("There are more columns and rows."),
        (True, False): _("There are more columns."),
        (False, True): _("There are more rows."),
    }.get((bool(part.more_columns), bool(part.more_rows)), "")
    right, below = box.left + across * box.width, box.top + down * box.height
    indices = (
        *(
            [Text(11, tuple((box.centre(c), str(n)) for c, n in enumerate(part.columns)), "index")]
            if part.columns
            else []
        ),
        *(Text(box.baseline(r), ((box.left - 4, str(n)),), "index", "end") for r, n in enumerate(part.rows)),
        *(
            [Text(box.top + down * box.height / 2 + 4, ((right + 3, "⋯"),), "index", "start")]
            if part.more_columns
            else []
        ),
        *([Text(below + 9, ((box.left + across * box.width / 2, "⋮"),), "index")] if part.more_rows else []),
    )
    return Drawing(
        title=f"{label} ({_shape(part)})",
        description=" ".join(filter(None, (said, spoken(texts, lambda r: _row(part, r)), rest))),
        width=round(right + (16 if part.more_columns else 1)),
        height=round(below + (14 if part.more_rows else 1)),
        paths=paths,
        texts=(*lines(box, texts), *indices),
    )


def _shape(part: Grid) -> str:
    return " × ".join(map(str, part.shape)) or _("a number")


def _row(part: Grid, row: int) -> str:
    return _("row {n}").format(n=part.rows[row]) if part.rows else _("values")


def _place(part: Grid, at: tuple[int, int]) -> str:
    row, column = at
    inner = [*(part.rows[row : row + 1]), *(part.columns[column : column + 1])]
    return f"[{', '.join(map(str, [*part.lead, *inner]))}]"
