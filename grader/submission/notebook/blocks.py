"""The statements of a cell: each with its lines, the names it binds and those it needs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from grader.submission.notebook.names import COMPOUND, Names, defined, names_of
from grader.submission.notebook.tokens import Line, logical_lines

Kind = Literal["definition", "import", "assignment", "branch", "other"]
_GO_ON = ("elif", "else", "except", "finally")
_TOOLS = ("grader", "IPython")  # what a notebook itself works with is no part of an answer


@dataclass(frozen=True, slots=True)
class Block:
    """`lines`: its text, with the comments above it. `first`: the line in the cell that these begin at, from 1."""

    kind: Kind
    cell: int  # index of its cell
    first: int
    lines: tuple[str, ...]
    names: Names
    name: str = ""  # of a definition
    always: bool = False  # taken whatever is needed: star imports, and those from __future__
    opens: bool = False  # from __future__: Python takes it at the beginning of a file only
    decorated: bool = False

    @property
    def heading(self) -> int:
        """The line of the cell in which the statement itself begins."""
        above = next((i for i, line in enumerate(self.lines) if line.strip() and line.lstrip()[0] != "#"), 0)
        return self.first + above


def blocks(text: str, cell: int) -> list[Block]:
    """All statements of a cell in order; lines for IPython are in none of them."""
    return list(_blocks(text, cell))


def _blocks(text: str, cell: int) -> Iterator[Block]:
    source = text.split("\n")
    start = 0
    for group in groups(logical_lines(text)):
        end = group[-1].end
        if not group[0].magic:
            lines = source[start:end]
            for line in group:
                if line.magic:  # inside a definition: something must stand there
                    put = [" " * line.indent + "pass", *[""] * (line.end - line.first - 1)]
                    lines[line.first - start : line.end - start] = put
            yield _block(group, cell, start + 1, tuple(lines))
        start = end


def groups(lines: Sequence[Line]) -> Iterator[list[Line]]:
    """The logical lines of each statement at the left margin."""
    group: list[Line] = []
    for line in lines:
        decorated = bool(group) and not group[-1].magic and group[-1].word == "@" and group[-1].indent == line.indent
        if group and (line.indent > 0 or decorated or line.word in _GO_ON):
            group.append(line)
        else:
            if group:
                yield group
            group = [line]
    if group:
        yield group


def _block(group: list[Line], cell: int, first: int, lines: tuple[str, ...]) -> Block:
    code = [line for line in group if not line.magic]
    names = names_of(code)
    heads = [line for line in code if line.indent == 0 and line.word != "@"]
    head = heads[0] if heads else code[0]
    words = [token.text for token in head.tokens]
    if name := defined(head):
        return Block("definition", cell, first, lines, names, name, decorated=code[0].word == "@")
    if words[0] in ("import", "from"):
        kind: Kind = "other" if words[1:2] and words[1] in _TOOLS else "import"
        opens = words[1:2] == ["__future__"]
        return Block(kind, cell, first, lines, names, always="*" in words or opens, opens=opens)
    if words[0] in ("if", "try"):
        return Block("other" if "__name__" in words else "branch", cell, first, lines, names)
    if words[0] in COMPOUND or not names.bound:
        return Block("assignment" if _extends(words) else "other", cell, first, lines, names)
    return Block("other" if _asks_ipython(words) else "assignment", cell, first, lines, names)


def _extends(words: list[str]) -> bool:
    """`Head.forward = forward`: a method that is put into a class from outside."""
    left, equals, right = words[:3], words[3:4], words[4:]
    plain = all(word == "." or word.isidentifier() for word in right)
    return len(left) == 3 and left[1] == "." and equals == ["="] and bool(right) and plain


def _asks_ipython(words: list[str]) -> bool:
    """`files = !ls`, `took = %timeit -o f()`."""
    at = words.index("=") if "=" in words else len(words)
    return words[at + 1 : at + 2] in (["!"], ["%"])
