"""Level 1: a process with limits on time, memory and files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from grader.language import N_
from grader.subject.isolation import level0
from grader.subject.isolation.level import Level, Plan

NEEDS = (*level0.NEEDS, "memory", "cpu", "files", "descriptors")


def plan(hidden: Sequence[Path]) -> Plan:
    return Plan(("limits", "descriptors"))


LEVEL = Level(1, N_("process and resource limits"), NEEDS, plan)
