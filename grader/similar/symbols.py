"""What is compared: symbols that stand for a node of a syntax tree, or for a token, with the line they stand in."""

from __future__ import annotations

from typing import NamedTuple

OWN = "_"  # any name that the file itself gives
TEXT = "text"  # any string


class Symbol(NamedTuple):
    text: str
    line: int  # counted from 1


Unit = list[Symbol]  # of a function, or of what stands in a class or a file outside its functions
