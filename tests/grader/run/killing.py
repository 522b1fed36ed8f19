"""Kill a process of a run, chosen by what it does, and see what is left of the run and of its processes (Linux)."""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import random
import subprocess
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil

from grader.batch.outcome import HISTORY

ROOT = Path(__file__).parents[3]
COURSE = ROOT / "tests" / "grader" / "data" / "softmax_course"
EXAMINER = "grader.run.examiner"
PR_SET_CHILD_SUBREAPER = 36
LOOK = 0.01  # seconds between two looks at the processes

GOOD = """
def softmax(x):
    powers = (x - x.amax(-1, keepdim=True)).exp()
    return powers / powers.sum(-1, keepdim=True)
"""
OVERFLOWS = """
def softmax(x):
    powers = x.exp()
    return powers / powers.sum(-1, keepdim=True)
"""
WRONG_AXIS = """
def softmax(x):
    powers = (x - x.amax(0, keepdim=True)).exp()
    return powers / powers.sum(0, keepdim=True)
"""
RAISES = "def softmax(x):\n    raise RuntimeError(len(x.shape))\n"
TEXTS = (GOOD, OVERFLOWS, WRONG_AXIS, RAISES)

Roles = dict[str, list[psutil.Process]]


def by_role(examiner: psutil.Process) -> Roles:
    """Examiner, zygote, subjects, forks (of the examiner: one a submission), and what bubblewrap needs for itself."""
    below: dict[int, list[psutil.Process]] = defaultdict(list)
    for process in examiner.children(recursive=True):
        with contextlib.suppress(psutil.Error):
            below[process.ppid()].append(process)
    found: Roles = defaultdict(list, examiner=[examiner])
    for process in below[examiner.pid]:
        with contextlib.suppress(psutil.Error, OSError):
            if os.getsid(process.pid) == examiner.pid:  # zygotes lead sessions of their own
                found["fork"].append(process)
            else:
                _zygote(process, below, found)
    return found


def _zygote(process: psutil.Process, below: dict[int, list[psutil.Process]], found: Roles) -> None:
    if process.name() == "bwrap":  # twice, then the process that makes the numbering, then the zygote
        for _ in range(3):
            found["bubblewrap"].append(process)
            if not below[process.pid]:
                return
            process = below[process.pid][0]
    found["zygote"].append(process)
    found["subject"] += below[process.pid]


def of_command(command: psutil.Process) -> Roles:
    """The same for a whole `grade batch`."""
    with contextlib.suppress(psutil.Error):
        for child in command.children():
            if EXAMINER in child.cmdline():
                return by_role(child) | {"command": [command]}
    return defaultdict(list, command=[command])


def strike(
    look: Callable[[], Roles],
    role: str,
    delay: float,
    dice: random.Random,
    going: Callable[[], bool],
    since: str | None = None,
) -> bool:
    """SIGKILL one process of this role, `delay` seconds after there is one, or as soon as there is one again.

    `since`: another role, from whose first process the seconds count.
    """
    moment = None
    while going():
        roles = look()
        if moment is None and roles.get(since or role):
            moment = time.monotonic() + delay
        if moment is not None and time.monotonic() >= moment and roles.get(role):
            with contextlib.suppress(psutil.Error):
                dice.choice(roles[role]).kill()
                return True
        time.sleep(LOOK)
    return False


def adopt_orphans() -> None:
    """From now on what its parent leaves behind becomes a child of this process: nobody gets lost."""
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def descendants() -> set[psutil.Process]:
    return {process for process in psutil.Process().children(recursive=True) if lives(process)}


def lives(process: psutil.Process) -> bool:
    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def left_behind(before: set[psutil.Process], seconds: float) -> list[str]:
    """Who is still there after so many seconds and was not before; the dead that nobody waited for are put to rest."""
    end = time.monotonic() + seconds
    while (left := descendants() - before) and time.monotonic() < end:
        time.sleep(LOOK)
    for process in set(psutil.Process().children()) - before - left:
        with contextlib.suppress(ChildProcessError):
            os.waitpid(process.pid, os.WNOHANG)
    return [_told(process) for process in left]


def _told(process: psutil.Process) -> str:
    try:
        age = time.time() - process.create_time()
        return f"{process.pid} {process.status()}, {age:.1f} s old: {' '.join(process.cmdline())[:100]}"
    except psutil.Error:
        return str(process)


def write_class(folder: Path, texts: tuple[str, ...], size: int) -> None:
    """A folder a student; the texts in turn."""
    for number in range(size):
        student = folder / f"s{number:04}"
        student.mkdir(parents=True)
        (student / "softmax.py").write_text(f"{texts[number % len(texts)]}\n# {number}\n", "utf-8")


def start_batch(folder: Path, out: Path, home: Path, *options: str, **more: Any) -> subprocess.Popen[str]:
    """The real command. `home`: its home and its folder of temporary files."""
    course = more.pop("course", COURSE)
    command = [sys.executable, "-P", "-m", "grader.cli.main", "--course", str(course), "batch", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "HOME": str(home), "TMPDIR": str(home)}
    return subprocess.Popen(
        [*command, "--out", str(out), "-j", "2", "--isolation", "auto", *options],
        env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more,
    )  # fmt: skip


def tree(out: Path) -> dict[str, Any]:
    """Every file of a batch's results, without what may differ between two runs: times, and the history."""
    files = (
        path for path in sorted(out.rglob("*")) if path.is_file() and path.name != ".lock" and HISTORY not in path.parts
    )
    return {str(path.relative_to(out)): _content(path) for path in files}


def _content(path: Path) -> Any:
    return without_times(json.loads(path.read_bytes())) if path.name == "results.json" else path.read_bytes()


def without_times(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: without_times(item) for key, item in value.items() if key != "seconds"}
    return [without_times(item) for item in value] if isinstance(value, list) else value


def wrong_checks(found: Any, right: Any, role: str) -> list[str]:
    """Verdicts of one student that are neither right nor the kill's: what was not judged says so, and may be again.

    A subject that ends by SIGKILL has taken too much memory, as far as anybody can tell.
    """
    excuses = {"engine", "memory", "blocked"} if role == "subject" else {"engine"}
    pairs = zip(checks(found), checks(right), strict=True)
    return [f"{c['id']} of {found['student']}: {c['code']}" for c, r in pairs if c != r and c["code"] not in excuses]


def checks(results: Any) -> list[Any]:
    return [check for exercise in results["exercises"] for check in exercise["checks"]]
