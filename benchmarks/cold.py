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

from benchmarks.assignments import ASSIGNMENTS
from benchmarks.peers import ONE_THREAD, Floor
from benchmarks.watched import Watched
from grader.catalogue.folder import students_folder

EXERCISE = "layer_norm"
IMPORT_TORCH, IMPORT_CLICK = "python -c 'import torch'", "python -c 'import click, rich'"
HELP, GRADE = "grade --help", f"grade {EXERCISE}"
SUITE = f"the suite of {EXERCISE}, warm"
SAVED, SAVED_WRONG = (f"grade watch, from a saved {how} {EXERCISE}.py to the screen" for how in ("right", "wrong"))
PROMISED = 0.35  # seconds, from saving to the screen
MISTAKE = ("mean(-1, keepdim=True)  # (..., 1), divided by d", "sum(-1, keepdim=True) / (x.shape[-1] - 1)")


def main(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as place:
        course = _a_students_folder(Path(place))
        watched = Watched(course, EXERCISE)
        right = (course / "exercises" / f"{EXERCISE}.py").read_text("utf-8")
        with ASSIGNMENTS[EXERCISE].opened() as folder:
            floor = Floor(ASSIGNMENTS[EXERCISE].course, folder, [EXERCISE])
            ways: dict[str, Callable[[], float]] = {
                IMPORT_CLICK: lambda: _command("-c", "import click, rich"),
                HELP: lambda: _command("-m", "grader.cli.main", "--help"),
                IMPORT_TORCH: lambda: _command("-c", "import torch"),
                GRADE: lambda: _command("-m", "grader.cli.main", "--course", str(course), EXERCISE),
                SUITE: floor.seconds,
                SAVED_WRONG: lambda: watched.saved(_wrong(right), "checks failed"),
                SAVED: lambda: watched.saved(right, "checks passed"),
            }
            for seconds in ways.values():
                seconds()
            taken = [{name: seconds() for name, seconds in ways.items()} for _ in range(rounds)]
            floor.close()
        watched.close()
    print("| command | median s |\n| --- | ---: |")
    for name in ways:
        print(f"| {name} | {statistics.median(row[name] for row in taken):.3f} |")
    helped = statistics.median(row[HELP] / row[IMPORT_CLICK] for row in taken)
    graded = statistics.median((row[GRADE] - row[SUITE]) / row[IMPORT_TORCH] for row in taken)
    print(f"\n- {HELP}: {helped:.2f} times {IMPORT_CLICK} (at most 1.5)")
    for name in (SAVED, SAVED_WRONG):
        print(f"- {name}: {statistics.median(row[name] for row in taken):.2f} s (at most {PROMISED})")
    print(f"- {GRADE}, less the suite's own time: {graded:.2f} times {IMPORT_TORCH} (at most 1.6)")


def _a_students_folder(place: Path) -> Path:
    """As `grade init` lays one down; one exercise is written."""
    for name, data in students_folder(ASSIGNMENTS[EXERCISE].course).items():
        (place / name).parent.mkdir(exist_ok=True)
        (place / name).write_bytes(data)
    with ASSIGNMENTS[EXERCISE].opened() as folder:
        shutil.copy(folder / f"{EXERCISE}.py", place / "exercises")
    return place


def _command(*words: str) -> float:
    began = time.perf_counter()
    subprocess.run([sys.executable, "-P", *words], env={**os.environ, **ONE_THREAD}, check=True, capture_output=True)
    return time.perf_counter() - began


def _wrong(text: str) -> str:
    """With a mistake that has a name, so that the diagnosis is measured too."""
    assert MISTAKE[0] in text
    return text.replace(*MISTAKE)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    main(parser.parse_args().rounds)
