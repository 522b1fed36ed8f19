"""Which column of a sheet takes the points."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from grader.errors import UsageError


def choose(header: Sequence[str], candidates: Sequence[int], wanted: str | None) -> int:
    """The column that `wanted` names: by its title, whole or without the id, or by its id; else the only one."""
    titles = [header[at] for at in candidates]
    if not candidates:
        raise UsageError("The sheet has no column that could take the points: is the assignment in it?")
    if wanted is None:
        if len(candidates) > 1:
            raise UsageError(f"Several columns could take the points ({_listed(titles)}): name one with --column.")
        return candidates[0]
    asked = wanted.strip()
    for fits in (_whole, _id, _title):
        found = [at for at in candidates if fits(header[at]) == asked]
        if len(found) == 1:
            return found[0]
        if found:
            raise UsageError(f"Several columns are called {asked!r}: name one by the number behind its title.")
    near = difflib.get_close_matches(asked, titles, 1)
    hint = f"Did you mean {near[0]!r}?" if near else f"There are: {_listed(titles)}."
    raise UsageError(f"The sheet has no column {asked!r} for points. {hint}")


def _whole(title: str) -> str:
    return title.strip()


def _id(title: str) -> str:
    return title.strip().rpartition("(")[2].removesuffix(")")


def _title(title: str) -> str:
    return title.strip().rpartition("(")[0].strip()


def _listed(titles: Sequence[str]) -> str:
    return ", ".join(map(repr, titles))
