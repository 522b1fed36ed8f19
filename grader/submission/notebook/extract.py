"""From the bytes of a notebook to the text that is graded, with the cells its lines come from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from grader.language import N_
from grader.submission.model import SourceFile
from grader.submission.notebook.definitions import Cell, Definitions, definitions
from grader.submission.notebook.read import Broken, cell, cells
from grader.submission.notebook.several import answered_elsewhere, defined_in, defines

Tasks = Mapping[str, Sequence[str]]  # of each exercise
LIMIT = 256 * 1024  # characters, as for a .py file
QUOTES = '"""'


def from_bytes(data: bytes, name: str, elsewhere: Mapping[str, str] | None = None, called: str = "") -> SourceFile:
    """The file NAME.py that a notebook NAME.ipynb, or `called`, amounts to, or the problem with it.

    `elsewhere`: names in it that answer another exercise (definitions.definitions).
    """
    file = called or f"{name}.ipynb"
    try:
        docstring, code = cells(data)
        found = _file(name, _with_docstring(docstring, definitions(code, elsewhere)), file)
        return replace(found, called=called)
    except Broken as reason:
        return SourceFile(name, None, str(reason), notebook=True, called=called)


def of_several(data: bytes, name: str, tasks: Tasks, called: str) -> SourceFile:
    """Exercise `name` out of a notebook that is called otherwise and may answer more than one."""
    try:
        answered = defines(data, tasks)
    except Broken as reason:
        return SourceFile(name, None, str(reason), notebook=True, called=called)
    return from_bytes(data, name, answered_elsewhere(name, answered, tasks), called)


def from_history(sources: list[tuple[int, str]], name: str, stub: str, tasks: Tasks) -> SourceFile | None:
    """The file that the executed cells of a kernel amount to, on top of the stub; None if they define no task of it.

    `tasks`: of every exercise. One whose tasks are all defined is answered in this kernel too; of fewer they may be
    helpers. In a kernel things are run again and in any order, so neither is worth a note.
    """
    code = _executed(sources)
    if not defined_in(code, {name: tasks[name]}):
        return None
    elsewhere = answered_elsewhere(name, answered_in(sources, tasks), tasks)
    return _file(name, replace(definitions([Cell("the stub", stub), *code], elsewhere), notes=()))


def answered_in(sources: list[tuple[int, str]], tasks: Tasks) -> list[str]:
    """The exercises that a kernel has defined all tasks of."""
    names = definitions(_executed(sources)).names
    return [name for name, theirs in tasks.items() if names.issuperset(theirs)]


def _executed(sources: list[tuple[int, str]]) -> list[Cell]:
    found = [cell(f"In [{number}]", text) for number, text in sources]
    return [cell for cell in found if cell is not None]


def _place(file: str, label: str) -> str:
    """A cell of a file; those of a kernel are of none."""
    number = label.removeprefix("cell ")
    return N_(f"{file}, cell {number}") if file else label


def _file(name: str, found: Definitions, file: str = "") -> SourceFile:
    if len(found.text) > LIMIT:
        problem = f"its definitions are larger than {LIMIT >> 10} KiB; hand in the code without data"
        return SourceFile(name, None, problem, notebook=True)
    try:
        found.text.encode()
    except UnicodeEncodeError:
        problem = "its code holds half of a character (a lone surrogate); delete it"
        return SourceFile(name, None, problem, notebook=True)
    spans = tuple((span.first, _place(file, span.label), span.line) for span in found.spans)
    return SourceFile(name, found.text, None, notebook=True, spans=spans, notes=found.notes)


def _with_docstring(docstring: str, found: Definitions) -> Definitions:
    """As the file began with, so that a notebook made from a file gives that file."""
    if not docstring or QUOTES in docstring:
        return found
    above = f"{QUOTES}{docstring}{QUOTES}\n\n"
    lines = above.count("\n")
    return replace(found, text=above + found.text, spans=tuple(replace(s, first=s.first + lines) for s in found.spans))
