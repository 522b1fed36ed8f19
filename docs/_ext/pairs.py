"""Where a known bug and the reference differ: the lines of both, side by side."""

from __future__ import annotations

import difflib
import textwrap
from dataclasses import dataclass

MARKS = ("# BEGIN SOLUTION", "# END SOLUTION")


@dataclass(frozen=True, slots=True)
class Pair:
    """Lines without their common indentation."""

    wrong: tuple[str, ...]
    right: tuple[str, ...]


def pairs_of(reference: str, mistaken: str) -> list[Pair]:
    """Every place that differs, with the line before it where one side has nothing to show."""
    right, wrong = lines_of(reference), lines_of(mistaken)
    pairs = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, right, wrong, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        before = int(a == b or c == d) and int(a > 0 and c > 0)
        pairs.append(dedented(wrong[c - before : d], right[a - before : b]))
    return pairs


def lines_of(text: str) -> list[str]:
    return [line.rstrip() for line in text.splitlines() if line.strip() not in MARKS]


def dedented(wrong: list[str], right: list[str]) -> Pair:
    both = textwrap.dedent("\n".join([*wrong, *right])).split("\n")
    return Pair(tuple(both[: len(wrong)]), tuple(both[len(wrong) :]))
