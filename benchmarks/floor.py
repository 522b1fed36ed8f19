"""The floor: every check of the core track on one submission in a warm loop, in this process, without isolation.

`python benchmarks/floor.py FOLDER N` prints the seconds of each of N rounds after two that are not counted.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import sys
import time
from pathlib import Path
from types import ModuleType
from typing import Any

import torch

from grader.catalogue.load import find_course
from grader.catalogue.model import Course
from grader.subject.failure import CheckFailed
from grader.subject.local import Local
from grader.subject.proxy import Proxy
from grader.subject.worker.zygote import warm_up


class InProcess(Local):
    """The student's side without a process: exceptions come out as they would over the wire."""

    def ask(self, op: str, /, *, seed: int, **fields: Any) -> Any:
        try:
            return super().ask(op, seed=seed, **fields)
        except (ValueError, AssertionError) as error:
            raise CheckFailed("raised", {"etype": type(error).__name__, "text": str(error), "where": ""}) from None


def main(folder: Path, rounds: int, names: list[str]) -> None:
    torch.set_num_threads(1)
    warm_up()
    course = find_course(Path.cwd())
    sys.path[:0] = [str(folder.parent), str(course.root)]
    suites = {name: _load(course.suite_path(name), f"suite_{name}") for name in names or course.names}
    for index in range(rounds + 2):
        began = time.perf_counter()
        for name, suite in suites.items():
            _one(course, name, suite)
        if index >= 2:
            print(f"{time.perf_counter() - began:.4f}", flush=True)


def _one(course: Course, name: str, suite: ModuleType) -> None:
    """The checks as pytest would call them, with the reference standing for the student's code."""
    tasks = frozenset(course.tasks)
    module = importlib.import_module(f"solutions.{name}")
    arguments: dict[str, Any] = {"subject": Proxy(InProcess(module, tasks)), "reference": Proxy(Local(module, tasks))}
    own_work = {t.own_work.check for t in course.exercise(name).tasks if t.own_work}
    for check in (c.name for t in course.exercise(name).tasks for c in t.checks):
        if check not in own_work:  # a watched process cannot be had without a process
            function = getattr(suite, f"test_{check}")
            function(
                **{name: value for name, value in arguments.items() if name in inspect.signature(function).parameters}
            )


def _load(path: Path, name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:])
