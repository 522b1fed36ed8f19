"""Whether a long batch grows: memory of the two warm processes, and of what they fork, along 200 submissions.

`python -m benchmarks.memory` prints one row after the 1st, 20th and 200th submission of layer_norm.
"""

from __future__ import annotations

import threading
from pathlib import Path

import psutil

from benchmarks.assignments import ASSIGNMENTS
from grader.run.engine import Engine
from grader.submission.files import read_folder

MARKS = (1, 20, 200)
MEGABYTE = 1 << 20


def main() -> None:
    assignment = ASSIGNMENTS["layer_norm"]
    print("| after | warm processes, PSS in MiB | largest fork so far, private MiB |\n| ---: | ---: | ---: |")
    with assignment.opened() as folder, Engine(assignment.course, ["layer_norm"], others=True) as engine:
        engine.ready()
        submission = read_folder(Path(folder), ["layer_norm"], "you")
        warm = psutil.Process().children(recursive=True)
        forks = Forks({process.pid for process in warm})
        forks.start()
        for number in range(1, max(MARKS) + 1):
            engine.grade(submission)
            if number in MARKS:
                total = sum(process.memory_full_info().pss for process in warm) / MEGABYTE
                print(f"| {number} | {total:.1f} | {forks.largest / MEGABYTE:.1f} |", flush=True)
        forks.over.set()
        forks.join()


class Forks(threading.Thread):
    """Looks again and again at the processes that come and go."""

    def __init__(self, warm: set[int]) -> None:
        super().__init__(daemon=True)
        self.warm = warm
        self.largest = 0
        self.over = threading.Event()

    def run(self) -> None:
        while not self.over.wait(0.01):
            for process in psutil.Process().children(recursive=True):
                if process.pid not in self.warm:
                    try:
                        self.largest = max(self.largest, process.memory_full_info().uss)
                    except psutil.Error:
                        continue


if __name__ == "__main__":
    main()
