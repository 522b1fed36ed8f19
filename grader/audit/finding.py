"""One thing that does not hold, as a sentence."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    exercise: str
    problem: str
