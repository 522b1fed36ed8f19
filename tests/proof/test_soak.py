"""A class of two thousand, one in ten hostile: every row is right, no secret gets out, and nothing stays behind.

GRADE_SOAK=N for another number.
"""

from __future__ import annotations

import contextlib
import csv
import os
import statistics
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import pytest

from grader.results.store import load

from ..grader.attacks.conftest import MARK, checks, planted
from ..grader.run.killing import adopt_orphans, descendants, left_behind, start_batch
from .kinds import Given, class_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes as Linux shows them")

SIZE = int(os.environ.get("GRADE_SOAK", "2000"))
SHARED = [Path(name) for name in ("/", "/dev/shm", "/dev/mqueue", "/var/tmp", "/run/lock")]  # samples write there
GONE = 2.0  # seconds that processes have to end after the run


@dataclass
class Watch:
    """The processes of the command, looked at once a second."""

    command: psutil.Process
    memory: list[float] = field(default_factory=list)  # MiB, pages that are shared are counted once
    processes: list[int] = field(default_factory=list)
    descriptors: list[int] = field(default_factory=list)  # of the command itself
    unreadable: int = 0

    def look(self) -> None:
        with contextlib.suppress(psutil.Error):
            everybody = [self.command, *self.command.children(recursive=True)]
            self.processes.append(len(everybody))
            self.descriptors.append(self.command.num_fds())
            self.memory.append(sum(map(self._pss, everybody)) / (1 << 20))

    def _pss(self, process: psutil.Process) -> int:
        try:
            return int(process.memory_full_info().pss)
        except psutil.NoSuchProcess:
            return 0
        except psutil.AccessDenied:  # a zygote and its subjects show nothing to an ordinary user
            self.unreadable += 1
            return 0


def test_a_large_class(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    given = list(class_of(SIZE))
    for one in given:
        (tmp_path / "class" / one.student).mkdir(parents=True)
        (tmp_path / "class" / one.student / "softmax.py").write_text(one.text, "utf-8")
    home, out = tmp_path / "home", tmp_path / "out"
    home.mkdir()
    (home / "canary.txt").write_text(f"{MARK} at home", "utf-8")
    monkeypatch.setenv("COURSE_TOKEN", f"{MARK} in the environment")
    adopt_orphans()
    with planted() as ground:
        before, files, shared = descendants(), ground.files() | set(home.iterdir()), listed(SHARED)
        began = time.monotonic()
        course = ground.work / "course"
        batch = start_batch(tmp_path / "class", out, home, cwd=ground.work, course=course)
        watch, said = watched(batch)
        seconds = time.monotonic() - began
        left = left_behind(before, GONE)
        assert batch.returncode == 0, said[-2000:]
        report(given, seconds, watch, len(before), len(descendants()))
        assert_results(out, given)
        assert MARK not in said
        assert left == []
        assert ground.files() | set(home.iterdir()) == files, "nothing new beside the course, at home, or temporary"
        assert not ground.loaded.exists()
        assert listed(SHARED) == shared
        assert not Path("/tmp/note-of-an-earlier-run").exists(), "where others work too"


def assert_results(out: Path, given: list[Given]) -> None:
    """Rows, files, and no secret in any byte of them."""
    assert wrong_rows(out, given) == []
    assert wrong_results(out, given) == []
    names = {str(path.relative_to(out)) for path in out.rglob("*") if path.is_file()}
    assert names == {".lock", "index.html", "gradebook.csv", "class.json"} | {
        f"students/{one.student}/{name}" for one in given for name in ("results.json", "report.html")
    }
    assert not [name for name in names if MARK.encode() in (out / name).read_bytes()]


def watched(batch: subprocess.Popen[str]) -> tuple[Watch, str]:
    """Until it ends; and what it said."""
    watch = Watch(psutil.Process(batch.pid))
    while True:
        try:
            return watch, batch.communicate(timeout=1)[0]
        except subprocess.TimeoutExpired:
            watch.look()


def listed(folders: list[Path]) -> set[Path]:
    """Not what another run's self-test may be trying there just now; ours could write to none of them."""
    entries = (path for folder in folders if folder.is_dir() for path in folder.iterdir())
    return {path for path in entries if not path.name.startswith(".probe-")}


def wrong_rows(out: Path, given: list[Given]) -> list[Any]:
    """Lines of the gradebook that are not as expected, in full."""
    with (out / "gradebook.csv").open(encoding="utf-8", newline="") as file:
        lines = list(csv.reader(file))[1:]
    wanted = [[one.student, str(one.points), "10", str(one.points), "graded", ""] for one in given]
    assert len(lines) == len(wanted)
    return [pair for pair in zip(lines, wanted, strict=True) if pair[0] != pair[1]]


def wrong_results(out: Path, given: list[Given]) -> list[Any]:
    """Students whose file is not whole, was reached at another level, or has a verdict that it must not have."""
    wrong: list[Any] = []
    levels: Counter[int] = Counter()
    for one in given:
        results = load(out / "students" / one.student / "results.json")
        levels[results.isolation.level] += 1
        values = checks(results)["softmax_values"]
        statuses = {check.status for check in checks(results).values()}
        if results.student != one.student or results.points != one.points or "error" in statuses:
            wrong.append((one.student, results.student, results.points, statuses))
        if one.sample is not None and (values.code or "passed") not in one.sample.expect:
            wrong.append((one.student, one.sample.name, values.code))
    assert len(levels) == 1
    assert min(levels) >= 2, "below, code can write where this test looks"
    return wrong


def report(given: list[Given], seconds: float, watch: Watch, before: int, after: int) -> None:
    hostile, size = sum(one.sample is not None for one in given), len(given)
    quarter = max(1, len(watch.memory) // 4)
    early, late = (statistics.median(part) for part in (watch.memory[quarter:][:quarter], watch.memory[-quarter:]))
    print(f"\n{size} submissions, {hostile} of them hostile, in {seconds:.0f} s: {size / seconds:.1f} a second")
    print(f"memory of all processes: at most {max(watch.memory):.0f} MiB;", end=" ")
    print(f"median of the second quarter {early:.0f}, of the last {late:.0f}")
    print(f"processes: at most {max(watch.processes)}; of ours before {before}, after {after}")
    print(f"open files of the command: {watch.descriptors[quarter]} early, {watch.descriptors[-quarter]} late")
    if watch.unreadable:
        print(f"{watch.unreadable} times a process did not show its memory: run it as root for the whole figure")
