"""Cut the text of a cell into logical lines of tokens, in one pass, whatever the text is.

This is no parser: brackets, strings and line ends are all it knows. It never fails, needs no stack and takes time in
proportion to the text, so it may look at a stranger's code in the process that grades.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_TOKEN = re.compile(
    r"""
      (?P<comment>\#[^\n]*)
    | (?P<string>[rbuftRBUFT]{0,2}(?:
          \"\"\"[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*(?:\"\"\"|\Z|\\\Z)
        | '''[^'\\]*(?:(?:\\.|'(?!''))[^'\\]*)*(?:'''|\Z|\\\Z)
        | "[^"\\\n]*(?:\\.[^"\\\n]*)*"?
        | '[^'\\\n]*(?:\\.[^'\\\n]*)*'?))
    | (?P<name>[^\W\d]\w*)
    | (?P<number>\d[\w.]*)
    | (?P<newline>\n)
    | (?P<blank>[ \t\f]+|\\\n)
    | (?P<operator>\*\*=|//=|>>=|<<=|->|:=|[=!<>]=|[-+*/%@&|^]=|.|\\)
    """,
    re.VERBOSE | re.DOTALL,
)
_MAGIC = re.compile(r"[ \t]*[%!?](?:[^\n]*\\\n)*[^\n]*")  # no Python line begins with one of these
_OPEN, _CLOSE = "([{", ")]}"


class Token(NamedTuple):
    kind: str  # name, operator, string or number
    text: str
    depth: int  # of the brackets around it; those of a bracket itself do not count


class Line(NamedTuple):
    """One logical line: `first` to `end` are its lines in the cell, counted from 0, the last one not included."""

    first: int
    end: int
    indent: int
    tokens: tuple[Token, ...]
    magic: bool = False  # for IPython, not for Python

    @property
    def word(self) -> str:
        """What it begins with."""
        return self.tokens[0].text if self.tokens else ""


def logical_lines(text: str) -> list[Line]:
    """Those that hold more than blanks and comments, from top to bottom."""
    return list(_lines(text))


def _lines(text: str) -> Iterator[Line]:
    at, number = 0, 0
    while at < len(text):
        if found := _MAGIC.match(text, at):
            end = number + found[0].count("\n") + 1
            yield Line(number, end, _indent(found[0]), (), magic=True)
            at, number = found.end() + 1, end
            continue
        tokens, at, end, indent = _line(text, at, number)
        if tokens:
            yield Line(number, end, indent, tuple(tokens))
        number = end


def _line(text: str, at: int, number: int) -> tuple[list[Token], int, int, int]:
    """The tokens up to the line end outside all brackets, and where the next line begins."""
    tokens: list[Token] = []
    depth, indent = 0, _indent(text[at : text.find("\n", at) + 1 or len(text)])
    while at < len(text):
        found = _TOKEN.match(text, at)
        assert found is not None, "the pattern takes any character"
        kind, part = str(found.lastgroup), found[0]
        at = found.end()
        number += part.count("\n")
        if kind == "newline" and depth == 0:
            return tokens, at, number, indent
        if kind == "operator" and part in _CLOSE:
            depth = max(0, depth - 1)
        if kind not in ("comment", "blank", "newline"):
            tokens.append(Token(kind, part, depth))
        if kind == "operator" and part in _OPEN:
            depth += 1
    return tokens, at, number + 1, indent


def _indent(text: str) -> int:
    return len(text) - len(text.lstrip(" \t\f"))
