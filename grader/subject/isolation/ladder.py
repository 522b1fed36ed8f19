"""Which levels a run tries, in order. Nobody gets less than was asked for: `auto` asks for the best there is."""

from __future__ import annotations

from grader.errors import UsageError
from grader.subject.isolation import level0, level1, level2, level4
from grader.subject.isolation.level import Level

LEVELS: dict[str, Level] = {str(level.number): level for level in (m.LEVEL for m in (level4, level2, level1, level0))}
CHOICES = ("auto", *LEVELS)


def candidates(requested: str, *, others: bool) -> list[Level]:
    """`others`: the code is other people's. One's own starts at level 2, which costs no second import of torch."""
    if requested in LEVELS:
        return [LEVELS[requested]]
    if requested != "auto":
        raise UsageError(f"There is no isolation level {requested!r}; choose from {', '.join(CHOICES)}.")
    return [level for level in LEVELS.values() if others or level.number <= 2]
