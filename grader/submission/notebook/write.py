"""A file of an exercise as a notebook: its docstring as text, its code in cells, and a cell that asks for a verdict.

Every cell remembers a digest of what it was made as. As long as all code cells are unchanged, reading the notebook
gives the file back to the last character.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from grader.language import _
from grader.submission.notebook.blocks import groups
from grader.submission.notebook.extract import QUOTES
from grader.submission.notebook.names import defined
from grader.submission.notebook.read import OURS, digest
from grader.submission.notebook.tokens import logical_lines

KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def notebook(text: str, name: str, introduction: str, headings: Mapping[str, str]) -> str:
    """The .ipynb file of exercise `name`. `headings`: Markdown above the cells that define these names."""
    import nbformat  # takes a third of a second

    docstring, code = _docstring(text)
    cells: list[Any] = [_text(introduction, "introduction")]
    if docstring:
        cells.append(_text(docstring, "docstring"))
    for names, part, newlines in _parts(code):
        cells += [_text(headings[task], "heading") for task in names if task in headings]
        cells.append(_code(part, {"newlines": newlines}))
    cells.append(
        _text(_("Run the next cell for a verdict on what the cells above define, as often as you like."), "heading")
    )
    cells.append(_code(f'import grader\n\ngrader.check("{name}")', {"part": "check"}))
    for number, cell in enumerate(cells, 1):
        cell["id"] = f"{name.replace('_', '-')}-{number}"[-64:]  # the same file every time
    made = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": KERNEL})  # type: ignore[no-untyped-call]
    nbformat.validate(made)
    return str(nbformat.writes(made, version=4)) + "\n"  # type: ignore[no-untyped-call]


def _text(source: str, part: str) -> Any:
    from nbformat import v4

    ours = {"part": part, "digest": digest(source)}
    return v4.new_markdown_cell(source, metadata={OURS: ours})  # type: ignore[no-untyped-call]


def _code(source: str, more: dict[str, Any]) -> Any:
    from nbformat import v4

    return v4.new_code_cell(source, metadata={OURS: {**more, "digest": digest(source)}})  # type: ignore[no-untyped-call]


def _docstring(text: str) -> tuple[str, str]:
    """The inside of a plain docstring at the top, and what comes below it; or nothing, and everything."""
    if not text.startswith(QUOTES):
        return "", text
    inside, __, below = text[len(QUOTES) :].partition(QUOTES)
    plain = inside.strip() and not set('\\"\r') & set(inside) and below.startswith("\n\n")
    return (inside, below[2:]) if plain else ("", text)


def _parts(text: str) -> Iterator[tuple[list[str], str, int]]:
    """Each cell: the names it defines, its text, and the line ends behind it. Together they are the text."""
    lines = text.split("\n")
    cuts: list[tuple[list[str], int, int]] = []  # names, first line, end
    start = 0
    for group in groups(logical_lines(text)):
        names = [name for line in group if line.indent == 0 and not line.magic and (name := defined(line))]
        if cuts and not names and not cuts[-1][0]:
            cuts[-1] = ([], cuts[-1][1], group[-1].end)
        else:
            cuts.append((names, start, group[-1].end))
        start = group[-1].end
    if not cuts:
        cuts = [([], 0, len(lines))]
    cuts[-1] = (cuts[-1][0], cuts[-1][1], len(lines))
    parts = [(names, "\n".join(lines[first:end])) for names, first, end in cuts]
    for i, (names, part) in enumerate(parts):
        body = part.lstrip("\n") if i else part
        after = parts[i + 1][1] if i + 1 < len(parts) else ""
        blank = len(after) - len(after.lstrip("\n"))
        last = i + 1 == len(parts)
        kept = body.rstrip("\n")
        yield names, kept, (len(body) - len(kept)) + (0 if last else 1 + blank)
