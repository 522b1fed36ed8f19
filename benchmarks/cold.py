"""Whole commands, each in a new process, in turn: what a student waits for.

`python -m benchmarks.cold --rounds 9` prints a table, and what is promised about it.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from benchmarks.assignments import ASSIGNMENTS, ROOT
from benchmarks.peers import ONE_THREAD, Floor
from grader.run.engine import Engine
from grader.submission.files import read_folder

EXERCISE = "layer_norm"
IMPORT_TORCH, IMPORT_CLICK = "python -c 'import torch'", "python -c 'import click, rich'"
HELP, GRADE = "grade --help", f"grade {EXERCISE}"
SUITE, SAVED = f"the suite of {EXERCISE}, warm", f"save {EXERCISE}.py, to its verdict, warm"


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as place:
        course = _a_students_folder(Path(place))
        engine = Engine(ASSIGNMENTS[EXERCISE].course, [EXERCISE]).__enter__()
        engine.ready()
        with ASSIGNMENTS[EXERCISE].opened() as folder:
            floor = Floor(ASSIGNMENTS[EXERCISE].course, folder, [EXERCISE])
            ways: dict[str, Callable[[], float]] = {
                IMPORT_CLICK: lambda: _command("-c", "import click, rich"),
                HELP: lambda: _command("-m", "grader.cli.main", "--help"),
                IMPORT_TORCH: lambda: _command("-c", "import torch"),
                GRADE: lambda: _command("-m", "grader.cli.main", "--course", str(course), EXERCISE),
                SUITE: floor.seconds,
                SAVED: lambda: _saved(engine, folder),
            }
            for seconds in ways.values():
                seconds()
            taken = [{name: seconds() for name, seconds in ways.items()} for _ in range(rounds)]
            floor.close()
        engine.__exit__(None, None, None)
    print("| command | median s |\n| --- | ---: |")
    for name in ways:
        print(f"| {name} | {statistics.median(row[name] for row in taken):.3f} |")
    helped = statistics.median(row[HELP] / row[IMPORT_CLICK] for row in taken)
    graded = statistics.median((row[GRADE] - row[SUITE]) / row[IMPORT_TORCH] for row in taken)
    print(f"\n- {HELP}: {helped:.2f} times {IMPORT_CLICK} (at most 1.5)")
    print(f"- {GRADE}, less the suite's own time: {graded:.2f} times {IMPORT_TORCH} (at most 1.6)")


def _a_students_folder(place: Path) -> Path:
    """A copy of the course in which one exercise is written."""
    for part in ("exercises", "solutions", "tests/exercises"):
        shutil.copytree(ROOT / part, place / part)
    with ASSIGNMENTS[EXERCISE].opened() as folder:
        shutil.copy(folder / f"{EXERCISE}.py", place / "exercises")
    return place


def _command(*words: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-P", *words], env={**os.environ, **ONE_THREAD}, check=True, capture_output=True)
    return time.perf_counter() - began


def _saved(engine: Engine, folder: Path) -> float:
    """From a changed file on the disk to the results, with everything warm."""
    began = time.perf_counter()
    path = folder / f"{EXERCISE}.py"
    path.write_text(path.read_text("utf-8") + "\n", "utf-8")
    results = engine.grade(read_folder(folder, [EXERCISE], "you"), [EXERCISE])
    assert results.points == results.possible
    return time.perf_counter() - began


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    main(parser.parse_args().rounds)
