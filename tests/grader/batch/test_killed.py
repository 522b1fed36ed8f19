"""A batch that is killed at any moment: what is on the disk is whole, and the next run ends as if nothing had been."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.batch.lock import LOCK, one_batch
from grader.results.store import load

ROOT = Path(__file__).parents[3]
SCRIPT = Path(__file__).with_name("fake_batch.py")

pytestmark = pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")


def start(out: Path, *arguments: object) -> subprocess.Popen[bytes]:
    command = [sys.executable, str(SCRIPT), str(out), *map(str, arguments)]
    return subprocess.Popen(command, env={**os.environ, "PYTHONPATH": str(ROOT)}, stderr=subprocess.PIPE)


def finish(out: Path) -> dict[str, bytes]:
    """A run to the end; then every file of `out`."""
    process = start(out)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 0, errors.decode()
    return {str(path.relative_to(out)): path.read_bytes() for path in out.rglob("*") if path.is_file()}


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    tree = finish(tmp_path_factory.mktemp("batch") / "out")
    assert len(tree) == 2 * 8 + 4
    return tree


def nothing_is_half_written(out: Path) -> int:
    """How many students are done."""
    done = list(out.glob("students/*/results.json"))
    for path in done:
        results = load(path)
        page = path.with_name("report.html").read_text(encoding="utf-8")
        assert page == f"<p>{results.student}: {results.points}</p>" * 500
    return len(done)


MOMENTS = [("grade", 1), ("grade", 8), *((step, n) for step in ("replace", "fsync") for n in (1, 2, 3, 8, 16, 17, 18)),
           ("mkdir", 1), ("mkdir", 2), ("mkdir", 5)]  # fmt: skip


@pytest.mark.parametrize(("step", "n"), MOMENTS)
def test_killed_at_a_step(tmp_path: Path, undisturbed: dict[str, bytes], step: str, n: int) -> None:
    out = tmp_path / "out"
    assert start(out, step, n).wait(60) == -signal.SIGKILL
    assert nothing_is_half_written(out) <= (n if step != "replace" else (n - 1) // 2)
    assert finish(out) == undisturbed


@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.1])
def test_killed_after_a_time(tmp_path: Path, undisturbed: dict[str, bytes], seconds: float) -> None:
    out = tmp_path / "out"
    process = start(out)
    while not list(out.glob("students/*")) and process.poll() is None:
        time.sleep(0.005)
    time.sleep(seconds)
    process.kill()
    process.wait()
    nothing_is_half_written(out)
    assert finish(out) == undisturbed


def test_killed_again_and_again(tmp_path: Path, undisturbed: dict[str, bytes]) -> None:
    out, done = tmp_path / "out", [0]
    while done[-1] < 8 and start(out, "replace", 6).wait(60) == -signal.SIGKILL:
        done.append(nothing_is_half_written(out))
    assert done == sorted(set(done)), "every run must carry on where the last one was killed"
    assert finish(out) == undisturbed


def test_a_second_batch_on_one_folder_is_refused_in_one_sentence(tmp_path: Path) -> None:
    out = tmp_path / "out"
    with one_batch(out):
        second = start(out)
        assert b"UsageError: Another batch is writing to" in second.communicate(timeout=60)[1]
    assert second.returncode == 1
    assert os.listdir(out) == [LOCK]
    finish(out)


@pytest.mark.parametrize("moment", ["grading", "tables"])
def test_control_c_writes_the_tables_and_ends(tmp_path: Path, undisturbed: dict[str, bytes], moment: str) -> None:
    out = tmp_path / "out"
    if moment == "grading":  # by itself, so that it is never too late
        process = start(out, "grade", 3, "SIGINT")
    else:
        process = start(out)
        while not (out / "index.html").exists() and process.poll() is None:
            time.sleep(0.002)
        process.send_signal(signal.SIGINT)
    errors = process.communicate(timeout=60)[1]
    if moment == "grading":
        assert errors.rstrip().endswith(b"KeyboardInterrupt")
    done = nothing_is_half_written(out)
    assert (out / "gradebook.csv").read_text(encoding="utf-8").count(", 2.0, ") == done
    assert not list(out.rglob("*.tmp"))
    assert finish(out) == undisturbed
