"""A sheet of the instructor's as it stands: CSV whose cells keep their spelling, quotes and all.

Python's csv module gives a cell's value and forgets how it was written. What goes back to the platform must not change
in any cell but ours.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from grader.errors import UsageError

BOM = b"\xef\xbb\xbf"
DELIMITERS = ",;\t"


@dataclass(frozen=True)
class Sheet:
    """Cells are raw; `value` and `values` give what they mean. The first row is the header."""

    rows: tuple[tuple[str, ...], ...]
    delimiter: str
    newline: str
    bom: bool

    @cached_property
    def header(self) -> list[str]:
        return [value(cell) for cell in self.rows[0]]

    def values(self, row: int) -> list[str]:
        """As long as the header, whatever the row's length."""
        cells = [value(cell) for cell in self.rows[row]]
        return cells + [""] * (len(self.header) - len(cells))

    def column(self, at: int) -> list[str]:
        """The values under a header, without those of empty lines."""
        return [self.values(row)[at] for row in range(1, len(self.rows)) if any(self.rows[row])]

    def raw(self, row: int, columns: Iterable[int]) -> list[str]:
        cells = self.rows[row]
        return [cells[at] if at < len(cells) else "" for at in columns]

    def cell(self, text: str) -> str:
        """`text` as a cell of this sheet, in quotes where it needs them."""
        quotes = any(c in text for c in (self.delimiter, '"', "\n", "\r"))
        return '"' + text.replace('"', '""') + '"' if quotes else text

    def dump(self, rows: Iterable[Sequence[str]]) -> bytes:
        """Raw rows in the spelling of this sheet."""
        text = "".join(self.delimiter.join(row) + self.newline for row in rows)
        return BOM * self.bom + text.encode()


def value(cell: str) -> str:
    return cell[1:-1].replace('""', '"') if cell.startswith('"') else cell


def parse(data: bytes) -> Sheet:
    """The sheet in a file's bytes. What is no CSV in UTF-8 is a UsageError that says what to do."""
    text = _decoded(data)
    delimiter = max(DELIMITERS, key=lambda d: len(_records(text, d, 1)[0]))  # of equals the first: the comma
    newline = _line_end(text, delimiter)
    rows = _records(text, delimiter)
    return Sheet(tuple(rows), delimiter, newline, data.startswith(BOM))


def _decoded(data: bytes) -> str:
    if data.startswith(b"PK"):
        raise UsageError("The sheet is a workbook or an archive, not CSV: give the CSV file that the platform exports.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UsageError("The sheet is not text in UTF-8: export it again, or save it as CSV UTF-8.") from None
    if not text.strip():
        raise UsageError("The sheet is empty: export it again.")
    return text


def _cell(delimiter: str) -> re.Pattern[str]:
    """A raw cell, and what ends it."""
    return re.compile(r'("(?:[^"]|"")*"|[^D"\r\n][^D\r\n]*)?(D|\r\n|\n|\r|\Z)'.replace("D", re.escape(delimiter)))


def _line_end(text: str, delimiter: str) -> str:
    """What ends the header; a line may end within a cell of it, too, and in another way."""
    ends = (found[2] for found in _cell(delimiter).finditer(text) if found[2] != delimiter)
    return next(ends, "") or "\n"


def _records(text: str, delimiter: str, most: int = 0) -> list[tuple[str, ...]]:
    """Rows of raw cells; the first `most` of them if it is not 0."""
    cell = _cell(delimiter)
    rows, row, at = list[tuple[str, ...]](), list[str](), 0
    while (at < len(text) or row) and not (most and len(rows) == most):
        found = cell.match(text, at)
        if not found and most:
            return [()]  # not this delimiter
        if not found:
            line = text.count("\n", 0, at) + 1
            raise UsageError(f"The sheet is not CSV at line {line}: a quote is open, or closed too early.")
        row.append(found[1] or "")
        at = found.end()
        if found[2] != delimiter:
            rows.append(tuple(row))
            row = []
    return rows
