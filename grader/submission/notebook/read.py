"""The code cells in the bytes of an .ipynb file, of any age and state, or a sentence on why there are none.

Of the JSON only cell types and sources become Python objects; outputs are skipped where they stand, however large or
deep. So what a stranger's file costs is bounded by its size, and ids, metadata and versions may be missing or wrong.
"""

from __future__ import annotations

import codecs
import hashlib
import re
from typing import Any

import msgspec

from grader.language import N_
from grader.submission.notebook.definitions import Cell

LIMIT = 96 << 20  # bytes of a file: outputs of 50 MB are set aside, not refused
CODE_LIMIT = 256 << 10  # characters of all its code cells, as of a .py file
LINES = 20_000
OURS = "grader"  # our part of a cell's metadata
_CONFLICT = re.compile(rb"^(<{7}|>{7}|\|{7})( |$)", re.MULTILINE)
_BLANK = msgspec.Raw(b"null")
_SOUND = N_("open it in Jupyter, save it, and hand it in again")
_TIMED = ("%%time", "%%timeit", "%%capture", "%%prun")  # what stands below these is Python


class Broken(Exception):
    """Completes "attention.ipynb cannot be read: …"."""


class _Cell(msgspec.Struct):
    cell_type: str  # required: a list of a million empty objects is refused at the first
    source: msgspec.Raw = _BLANK
    input: msgspec.Raw = _BLANK  # its name before nbformat 4
    metadata: msgspec.Raw = _BLANK


class _Worksheet(msgspec.Struct):
    cells: list[_Cell] = []


class _Notebook(msgspec.Struct):
    cells: list[_Cell] | None = None
    worksheets: list[_Worksheet] | None = None  # before nbformat 4


def cells(data: bytes) -> tuple[str, list[Cell]]:
    """A docstring that `grade notebook` took out of the file, if it is there as it was, and the code cells."""
    notebook = _parsed(data)
    rows = notebook.cells if notebook.cells is not None else [c for w in notebook.worksheets or () for c in w.cells]
    if notebook.cells is None and not notebook.worksheets:
        raise Broken(f"it is JSON, but no notebook: it has no cells; {_SOUND}")
    code = [row for row in rows if row.cell_type == "code"]
    if sum(len(bytes(row.source)) + len(bytes(row.input)) for row in code) > 8 * CODE_LIMIT:  # before it is decoded
        raise _too_long()
    docstring = ""
    found: list[Cell | None] = []
    for number, row in enumerate(rows, 1):
        if row.cell_type != "code" and (found or docstring):
            continue
        text = _source(row, number)
        part = _part(row, text)
        if part == "docstring" and not found:
            docstring = text
        elif row.cell_type == "code" and part != "check":
            found.append(_cell(row, number, text))
    chosen = [cell for cell in found if cell is not None]
    if sum(len(cell.text) for cell in chosen) > CODE_LIMIT or sum(cell.text.count("\n") for cell in chosen) > LINES:
        raise _too_long()
    return docstring, chosen


def _too_long() -> Broken:
    return Broken(
        f"its code cells hold more than {CODE_LIMIT >> 10} KiB or {LINES:,} lines; hand in the code without data"
    )


def digest(text: str) -> str:
    """By which a cell is known to be as it was made."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _parsed(data: bytes) -> _Notebook:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise Broken(f"it is written in UTF-16, and notebooks are UTF-8; {_SOUND}")
    data = data.removeprefix(codecs.BOM_UTF8).strip()
    if not data:
        raise Broken("it is empty; open it in Jupyter, write your code into it, and save it")
    try:
        return msgspec.json.decode(data, type=_Notebook)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError, MemoryError) as error:
        if mark := _CONFLICT.search(data):
            line = data.count(b"\n", 0, mark.start()) + 1
            raise Broken(
                f"line {line} holds the mark {mark[1].decode()} of a merge conflict; keep one of the two sides"
            ) from None
        raise Broken(f"it is no notebook ({_reason(error)}); {_SOUND}") from None


def _reason(error: Exception) -> str:
    if isinstance(error, UnicodeDecodeError):
        return N_(f"byte {error.start} is not UTF-8")
    said = str(error) or type(error).__name__
    return said.replace("JSON is malformed: ", "")[:120]


def _source(row: _Cell, number: int) -> str:
    """The text of a cell: a string, or a list of lines."""
    raw = row.source if bytes(row.source) not in (b"", b"null") else row.input
    try:
        source = msgspec.json.decode(raw, type=str | list[str] | None)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        raise Broken(f"the source of cell {number} is no text; {_SOUND}") from None
    text = source if isinstance(source, str) else "".join(source or ())
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _cell(row: _Cell, number: int, text: str) -> Cell | None:
    label = N_(f"cell {number}")
    if "\0" in text:
        raise Broken(f"{label} holds a NUL character, so it is not text; delete it")
    if mark := _CONFLICT.search(text.encode("utf-8", "surrogatepass")):
        raise Broken(f"{label} holds the mark {mark[1].decode()} of a merge conflict; keep one of the two sides")
    ours = _ours(row)
    if ours.get("digest") == digest(text):
        newlines = ours.get("newlines")
        return Cell(label, text, True, newlines if type(newlines) is int and 0 <= newlines <= CODE_LIMIT else 3)
    return cell(label, text)


def cell(label: str, text: str) -> Cell | None:
    """A cell as it was written; None where its first line says that it is not for Python."""
    magic, _, rest = text.lstrip("\n ").partition("\n")
    if not magic.startswith("%%"):
        return Cell(label, text)
    above = text[: len(text) - len(rest)].count("\n")
    return Cell(label, "\n" * above + rest) if magic.split()[0] in _TIMED else None


def _part(row: _Cell, text: str) -> str:
    """Which part of ours a cell is, if nobody has changed it."""
    ours = _ours(row)
    part = ours.get("part")
    return part if isinstance(part, str) and ours.get("digest") == digest(text) else ""


def _ours(row: _Cell) -> dict[str, Any]:
    try:
        ours = msgspec.json.decode(row.metadata, type=dict[str, msgspec.Raw] | None) or {}
        found = msgspec.json.decode(ours.get(OURS, _BLANK), type=dict[str, str | int] | None)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return {}
    return dict(found or {})
