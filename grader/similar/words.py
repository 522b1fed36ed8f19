"""A file that is no Python, as streams of symbols: its tokens, less names, comments, imports and lone texts.

Coarser than the tree, and only compared with the tokens of other files.
"""

from __future__ import annotations

import builtins
import keyword
from collections.abc import Collection, Iterator, Sequence

from grader.similar.symbols import OWN, TEXT, Symbol, Unit
from grader.submission.notebook.tokens import Line, Token, logical_lines

KNOWN = frozenset(keyword.kwlist) | frozenset(dir(builtins))
IMPORTS, HEADINGS = ("import", "from"), ("def", "class", "async")


def units(text: str) -> list[Unit]:
    """Takes any text, in time proportional to it."""
    lines = [line for line in logical_lines(text) if line.tokens]
    known = KNOWN | {t.text for line in lines if line.word in IMPORTS for t in line.tokens}
    found: list[Unit] = [[]]
    for line in lines:
        if line.word in IMPORTS or all(token.kind == "string" for token in line.tokens):
            continue
        if line.word in HEADINGS:  # what the stub has given
            found.append([Symbol(line.word, line.first + 1)])
        else:
            found[-1] += _symbols(line, known)
    return [unit for unit in found if unit]


def _symbols(line: Line, known: Collection[str]) -> Iterator[Symbol]:
    """A logical line of several lines counts as standing in its first."""
    for at, token in enumerate(line.tokens):
        yield Symbol(_text(token, line.tokens[max(0, at - 2) : at], known), line.first + 1)


def _text(token: Token, before: Sequence[Token], known: Collection[str]) -> str:
    if token.kind == "string":
        return TEXT
    if token.kind != "name" or token.text in known:
        return token.text
    of_another = bool(before) and before[-1].text == "." and before[0].text != "self"
    return token.text if of_another else OWN
