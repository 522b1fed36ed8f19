"""What a misspelt name may have meant, as the end of a sentence that refuses it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from grader.language import N_

MOST = 8  # names that a sentence lists


def hint(name: str, known: Iterable[str], rest: str = "") -> str:
    """The nearest of the known names; else all of them, or the first few. `rest`: what lists them all."""
    names = list(known)
    near = difflib.get_close_matches(name, names, 1)
    if near:
        return N_(f"Did you mean {near[0]!r}?")
    few, more = ", ".join(names[:MOST]), len(names) - MOST
    if more <= 0:
        return N_(f"There are: {few}.")
    return N_(f"There are: {few}, and {more} more in {rest}.") if rest else N_(f"There are: {few}, and {more} more.")
