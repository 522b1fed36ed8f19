"""Where a line of the submission stands in what the student wrote: in a notebook, in a line of one of its cells."""

from __future__ import annotations

import bisect
from collections.abc import Sequence

PACKAGE_PREFIX = "exercises/"

_spans: dict[str, list[tuple[int, str, int]]] = {}


def remember(filename: str, spans: Sequence[Sequence[int | str]]) -> None:
    """Of a file made from a notebook. From line `first` on, lines come from a cell, beginning with its line `line`."""
    _spans[filename] = [(int(first), str(cell), int(line)) for first, cell, line in spans]


def place(filename: str, line: int) -> tuple[str, int]:
    """What the student calls it: `attention.py` and the line, or `attention.ipynb, cell 3` and the line in that."""
    spans = _spans.get(filename, [])
    at = bisect.bisect_right(spans, line, key=lambda span: span[0]) - 1
    if at < 0:
        return filename.removeprefix(PACKAGE_PREFIX), line
    first, cell, start = spans[at]
    return cell, line - first + start


def file_of(filename: str) -> str:
    """The file alone, without a cell. Cells of a kernel are of no file in particular: they are the notebook's."""
    own = filename.removeprefix(PACKAGE_PREFIX)
    spans = _spans.get(filename, [])
    if not spans:
        return own
    file, comma, _ = spans[0][1].partition(",")
    return file if comma else own.removesuffix(".py") + ".ipynb"
