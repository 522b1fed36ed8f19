"""From the bytes of a notebook to the text that is graded, with the cells its lines come from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from grader.submission.model import SourceFile
from grader.submission.notebook.definitions import Cell, Definitions, definitions
from grader.submission.notebook.read import Broken, cell, cells

LIMIT = 256 * 1024  # characters, as for a .py file
QUOTES = '"""'


def from_bytes(data: bytes, name: str) -> SourceFile:
    """The file NAME.py that a notebook NAME.ipynb amounts to, or the problem with it."""
    try:
        docstring, code = cells(data)
        return _file(name, _with_docstring(docstring, definitions(code)), f"{name}.ipynb, ")
    except Broken as reason:
        return SourceFile(name, None, str(reason), notebook=True)


def from_history(sources: list[tuple[int, str]], name: str, stub: str, tasks: Sequence[str]) -> SourceFile | None:
    """The file that the executed cells of a kernel amount to, on top of the stub; None if they define no task.

    In a kernel things are run again and in any order, so neither is worth a note.
    """
    found = [cell(f"In [{number}]", text) for number, text in sources]
    code = [cell for cell in found if cell is not None]
    if not definitions(code).names & set(tasks):
        return None
    return _file(name, replace(definitions([Cell("the stub", stub), *code]), notes=()))


def _file(name: str, found: Definitions, prefix: str = "") -> SourceFile:
    if len(found.text) > LIMIT:
        problem = f"its definitions are larger than {LIMIT // 1024} KiB; hand in the code without data"
        return SourceFile(name, None, problem, notebook=True)
    try:
        found.text.encode()
    except UnicodeEncodeError:
        problem = "its code holds half of a character (a lone surrogate); delete it"
        return SourceFile(name, None, problem, notebook=True)
    spans = tuple((span.first, prefix + span.label, span.line) for span in found.spans)
    return SourceFile(name, found.text, None, notebook=True, spans=spans, notes=found.notes)


def _with_docstring(docstring: str, found: Definitions) -> Definitions:
    """As the file began with, so that a notebook made from a file gives that file."""
    if not docstring or QUOTES in docstring:
        return found
    above = f"{QUOTES}{docstring}{QUOTES}\n\n"
    lines = above.count("\n")
    return replace(found, text=above + found.text, spans=tuple(replace(s, first=s.first + lines) for s in found.spans))
