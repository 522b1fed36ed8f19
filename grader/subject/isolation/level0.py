"""Level 0: a process of its own, nothing more. It protects the verdict, not the machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.language import N_
from grader.subject.isolation.level import Level, Plan

NEEDS = ("own process",)


def plan(hidden: Sequence[Path]) -> Plan:
    return Plan(("descriptors",))


LEVEL = Level(0, N_("process"), NEEDS, plan)
