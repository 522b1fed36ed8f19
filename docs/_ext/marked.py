"""Python in colours, beside other Python, with what only one of the two has marked."""

from __future__ import annotations

import difflib
import html
from collections.abc import Iterator

from pygments.lexers import PythonLexer
from pygments.token import STANDARD_TYPES, _TokenType

LEXER = PythonLexer(stripnl=False, ensurenl=False)
Token = tuple[_TokenType, str]


def both(wrong: str, right: str) -> tuple[str, str]:
    """The HTML of each."""
    a, b = list(LEXER.get_tokens(wrong)), list(LEXER.get_tokens(right))
    matched = difflib.SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks()
    in_a = {i for block in matched for i in range(block.a, block.a + block.size)}
    in_b = {i for block in matched for i in range(block.b, block.b + block.size)}
    return "".join(coloured(a, in_a)), "".join(coloured(b, in_b))


def coloured(tokens: list[Token], common: set[int]) -> Iterator[str]:
    """Blanks are not marked. Nothing is, where nothing is common: then all of it differs, and one sees that."""
    for at, (kind, text) in enumerate(tokens):
        name = STANDARD_TYPES.get(kind, "")
        piece = f'<span class="{name}">{html.escape(text)}</span>' if name else html.escape(text)
        differs = common and at not in common and text.strip()
        yield f"<mark>{piece}</mark>" if differs else piece
