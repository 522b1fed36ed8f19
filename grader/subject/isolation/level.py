"""The interface of a level: what its subjects do to themselves, how its zygote starts, what a self-test must find."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from grader.subject.process import Zygote


class Refused(Exception):
    """This machine does not give a level. The text is the measured reason: a clause that follows a colon."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What worker/confine.py carries out. A step that is not named is not taken.

    `read`: files and folders that stay readable; `names`: folders whose names may be listed; `write`: single files;
    `threads`: how many more than now; `user`: whom root becomes.
    """

    steps: tuple[str, ...]
    read: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    threads: int | None = None
    user: int | None = None

    def message(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Level:
    """`needs`: features of the self-test without which a run is not on this level.

    `plan` and `start` get the places whose contents must stay hidden, and raise Refused. Where there is no `start` any
    zygote will do: its subjects lock themselves in.
    """

    number: int
    name: str
    needs: tuple[str, ...]
    plan: Callable[[Sequence[Path]], Plan]
    start: Callable[[Plan, Sequence[Path]], Zygote] | None = None

    def missing(self, features: dict[str, bool]) -> list[str]:
        return [name for name in self.needs if not features.get(name)]
