"""What a batch tells while it runs: one event for every student that is done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

from grader.report.rows import Row

# graded: at least one exercise; kept: nothing had to be; failed: no results, and a reason; skipped: not looked at
How = Literal["graded", "kept", "failed", "skipped"]


@dataclass(frozen=True, slots=True)
class Done:
    """`is_staged`: the new results wait to be accepted. `seconds_left`: of the run; None while nothing is known."""

    row: Row
    how: How
    is_staged: bool = False
    seconds_left: float | None = None


Progress = Callable[[Done], None]


@dataclass
class Summary:
    """The run in numbers."""

    how: Counter[How] = field(default_factory=Counter)
    staged: int = 0

    def count(self, done: Done) -> None:
        self.how[done.how] += 1
        self.staged += done.is_staged
