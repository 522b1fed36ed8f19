"""Measure how a subject is really kept apart, in a real one."""

from __future__ import annotations

from typing import Any

from grader.results.schema import Isolation
from grader.subject.limits import Limits

NAMES = {1: "process and resource limits", 0: "process"}


def measure(launcher: Any, requested: str) -> Isolation:
    """Start a subject and ask what holds there: nothing is reported that was not seen."""
    remote = launcher(Limits())
    try:
        features: dict[str, bool] = remote.ask("probe", what="the probe", limits=Limits().for_process())
    finally:
        remote.close()
    level = 1 if features.get("memory") and features.get("cpu") else 0
    return Isolation(level=level, name=NAMES[level], requested=requested, features={"own process": True, **features})
