"""The floor: every check of some exercises on one submission in a warm loop, in this process, without isolation.

`python -m benchmarks.floor FOLDER NAME…` runs them once per line of its input, and answers with the seconds it took.
"""

from __future__ import annotations

import importlib.util
import inspect
import sys
import time
from collections.abc import Callable
from pathlib import Path

import torch

from benchmarks.in_process import open_submission, sides
from grader.catalogue.load import load_course
from grader.catalogue.model import Course
from grader.subject.worker.zygote import warm_up


def main(course: Course, folder: Path, names: list[str]) -> None:
    torch.set_num_threads(1)
    warm_up()
    open_submission(folder, course)
    checks = {name: _checks(course, name) for name in names}
    for _ in sys.stdin:
        began = time.perf_counter()
        for name, functions in checks.items():
            arguments = sides(course, name)
            for function in functions:
                wanted = inspect.signature(function).parameters
                function(**{key: value for key, value in arguments.items() if key in wanted})
        print(f"{time.perf_counter() - began:.4f}", flush=True)


def _checks(course: Course, name: str) -> list[Callable[..., None]]:
    """The test functions of an exercise, in the order of its metadata."""
    spec = importlib.util.spec_from_file_location(f"suite_{name}", course.suite_path(name))
    assert spec is not None
    assert spec.loader is not None
    suite = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = suite
    spec.loader.exec_module(suite)
    return [getattr(suite, f"test_{check.name}") for task in course.exercise(name).tasks for check in task.checks]


if __name__ == "__main__":
    main(load_course(Path(sys.argv[1])), Path(sys.argv[2]), sys.argv[3:])
