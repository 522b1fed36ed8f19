"""Which two known bugs may explain answers together, the likeliest first; few, since each costs a run of the reference.

Where one of the two answers rightly, both together should answer as the other alone; where both are wrong, anything may
come out. And at least one of them must be seen alone somewhere, or any two would do.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass

from grader.catalogue.bugs import KnownBug
from grader.run.diagnosis.answers import Answer, distance
from grader.run.diagnosis.suspects import Answers

LOOKED_AT = 4  # cases
TRIED = 40  # pairs


@dataclass(frozen=True, slots=True)
class _Seen:
    """On each of the first cases: whether a bug answers rightly, and whether it answers as the submission does."""

    bug: KnownBug
    right: tuple[bool, ...]
    mine: tuple[bool, ...]

    @property
    def alone(self) -> int:
        """Cases in which nothing but this bug would give the submission's answer."""
        return sum(m and not r for m, r in zip(self.mine, self.right, strict=True))


def likely(
    suspects: Answers, task: str, bugs: Sequence[KnownBug], mine: Sequence[Answer]
) -> list[tuple[KnownBug, KnownBug]]:
    """At most TRIED pairs."""
    places = suspects.telling(task, LOOKED_AT)
    rights = list(suspects.right(task))
    known = [(rights[place], mine[place]) for place in places]
    seen = [_look(bug, list(suspects.answers(bug, places)), known) for bug in bugs]
    pairs = [(a, b) for a, b in itertools.combinations(seen, 2) if a.alone + b.alone and _fit(a, b)]
    pairs.sort(key=lambda pair: -(pair[0].alone + pair[1].alone))
    return [(a.bug, b.bug) for a, b in pairs[:TRIED]]


def _look(bug: KnownBug, answers: Sequence[Answer], known: Sequence[tuple[Answer, Answer]]) -> _Seen:
    right = [distance(answer, right) <= 1 for answer, (right, _) in zip(answers, known, strict=True)]
    mine = [distance(answer, mine) <= 1 for answer, (_, mine) in zip(answers, known, strict=True)]
    return _Seen(bug, tuple(right), tuple(mine))


def _fit(a: _Seen, b: _Seen) -> bool:
    rows = zip(a.right, a.mine, b.right, b.mine, strict=True)
    return all((not ar or bm) and (not br or am) for ar, am, br, bm in rows)
