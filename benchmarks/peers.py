"""The ways to grade one submission that are compared: each is started once, and then timed again and again."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

from grader.batch.outcome import write
from grader.batch.pages import standard
from grader.catalogue.model import Course
from grader.results.store import dump, encoded
from grader.run.engine import Engine
from grader.submission.files import read_folder

ROOT = Path(__file__).parents[1]
ONE_THREAD = {
    "OMP_NUM_THREADS": "1",
    "PYTHONPATH": str(ROOT),
    "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
    "HYPOTHESIS_STORAGE_DIRECTORY": os.devnull,
}


class Peer(Protocol):
    def seconds(self) -> float:
        """Of wall time, for grading the submission once."""

    def close(self) -> None: ...


class Floor:
    """A warm loop over the checks, without processes, pytest, pages or files."""

    def __init__(self, course: Course, folder: Path, names: Sequence[str]) -> None:
        command = [sys.executable, "-W", "ignore", "-m", "benchmarks.floor", str(course.root), str(folder), *names]
        self._process = subprocess.Popen(
            command, env={**os.environ, **ONE_THREAD}, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def seconds(self) -> float:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()
        return float(self._process.stdout.readline())

    def close(self) -> None:
        self._process.communicate()


class FreshPytest:
    """`pytest` in a new interpreter: what grading without a warm process costs, with nothing kept apart."""

    def __init__(self, course: Course, folder: Path, names: Sequence[str]) -> None:
        options = ["-q", "-c", os.devnull, "--rootdir", str(course.root), "-p", "no:cacheprovider", "-W", "ignore"]
        options += ["-p", "benchmarks.in_process", "--submission", str(folder), "--import-mode=importlib"]
        self._command = [sys.executable, "-m", "pytest", *options, *(str(course.suite_path(name)) for name in names)]

    def seconds(self) -> float:
        began = time.perf_counter()
        done = subprocess.run(self._command, env={**os.environ, **ONE_THREAD}, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout[-2000:]
        return time.perf_counter() - began

    def close(self) -> None: ...


class Batch:
    """What `grade batch -j 1` does for one submission more: grade it, render its page, write both files."""

    def __init__(
        self, course: Course, folder: Path, names: Sequence[str], out: Path, isolation: str, *, full_marks: bool = True
    ) -> None:
        self._submission = read_folder(folder, course.names, "you")
        self._out = out / f"level-{isolation}"
        self._pages = standard()
        self._full_marks = full_marks
        self.engine = Engine(course, names, isolation=isolation, others=True).__enter__()
        self.engine.ready()

    def seconds(self) -> float:
        began = time.perf_counter()
        results = self.engine.grade(self._submission)
        write(self._out, encoded(self._pages.student(results)), dump(results))
        took = time.perf_counter() - began
        assert not self._full_marks or results.points == results.possible, "the reference itself loses points"
        return took

    def close(self) -> None:
        self.engine.__exit__(None, None, None)
