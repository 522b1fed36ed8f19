"""The course's checks in this process, without isolation: what the floor and a fresh pytest are made of.

As a pytest plugin it gives the suites their fixtures:
`pytest -c /dev/null --rootdir . -p benchmarks.in_process --submission FOLDER tests/exercises/test_layer_norm.py`
"""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from grader.catalogue.home import find_home
from grader.catalogue.load import load_course
from grader.catalogue.model import Course
from grader.run.plugin import exercise_of
from grader.subject.failure import CheckFailed
from grader.subject.local import Local
from grader.subject.proxy import Proxy

PACKAGE = "exercises"  # as students import each other's files


class InProcess(Local):
    """The student's side without a process: exceptions come out as they would over the wire."""

    def ask(self, op: str, /, *, seed: int, **fields: Any) -> Any:
        try:
            return super().ask(op, seed=seed, **fields)
        except (ValueError, AssertionError) as error:
            raise CheckFailed("raised", {"etype": type(error).__name__, "text": str(error), "where": ""}) from None


def sides(course: Course, exercise: str) -> dict[str, Any]:
    """The fixtures of one suite. `open_submission` first."""
    tasks = frozenset(course.tasks)
    student = importlib.import_module(f"{PACKAGE}.{exercise}")
    teacher = importlib.import_module(f"solutions.{exercise}")
    return {"subject": Proxy(InProcess(student, tasks)), "reference": Proxy(Local(teacher, tasks))}


def open_submission(folder: Path, course: Course) -> None:
    """Its files are the package `exercises` from now on; what is not handed in is the course's own."""
    package = ModuleType(PACKAGE)
    package.__path__ = [str(folder), str(course.root / PACKAGE)]
    sys.modules[PACKAGE] = package
    sys.path.append(str(course.root))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--submission", type=Path)


def pytest_configure(config: pytest.Config) -> None:
    open_submission(config.getoption("--submission"), load_course(find_home(config.rootpath).course))


@pytest.fixture(scope="module")
def subject(request: pytest.FixtureRequest) -> Any:
    return sides(load_course(find_home(request.config.rootpath).course), exercise_of(request.node))["subject"]


@pytest.fixture(scope="module")
def reference(request: pytest.FixtureRequest) -> Any:
    return sides(load_course(find_home(request.config.rootpath).course), exercise_of(request.node))["reference"]
