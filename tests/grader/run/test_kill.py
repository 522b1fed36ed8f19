"""Whoever is killed, at whatever moment: no process stays behind, and the run goes on or says so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import psutil
import pytest

from grader.catalogue.load import load_course
from grader.catalogue.stubs import as_submission
from grader.run.engine import Engine
from grader.submission.model import SourceFile, Submission

ROOT = Path(__file__).parents[3]
TOY = Path(__file__).parents[1] / "data" / "toy"
COURSE = load_course(TOY)
BUSY = "def scale(x, factor=2.0):\n    while True:\n        pass\n"
LOOP = "import time\ndef scale(x, factor=2.0):\n    while True:\n        time.sleep(0.01)\n"


def family(pid: int) -> list[psutil.Process]:
    """A process and all below it. They are known by number and start time, so none is taken for a later one."""
    try:
        process = psutil.Process(pid)
        return [process, *process.children(recursive=True)]
    except psutil.Error:
        return []


def wait_until_gone(processes: list[psutil.Process], seconds: float = 20.0) -> list[psutil.Process]:
    end = time.monotonic() + seconds
    while (left := [p for p in processes if _lives(p)]) and time.monotonic() < end:
        time.sleep(0.1)
    return left


def _lives(process: psutil.Process) -> bool:
    try:
        return process.is_running() and process.status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.parametrize(
    ("level", "size"),
    [
        ("2", 5),  # command, examiner, zygote, fork, subject
        pytest.param("4", 8, marks=pytest.mark.needs("bwrap")),  # and twice bubblewrap, and what starts the zygote
    ],
)
def test_a_killed_batch_leaves_no_process_behind(level: str, size: int, tmp_path: Path) -> None:
    (tmp_path / "class" / "ada").mkdir(parents=True)
    (tmp_path / "class" / "ada" / "scale.py").write_text(LOOP, "utf-8")
    command = [sys.executable, "-m", "grader.cli.main", "--course", str(TOY), "batch", str(tmp_path / "class")]
    batch = subprocess.Popen(
        [*command, "--out", str(tmp_path / "out"), "-j", "1", "--isolation", level],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    end = time.monotonic() + 60
    while len(all_of_them := family(batch.pid)) < size and time.monotonic() < end:
        time.sleep(0.05)
    assert len(all_of_them) >= size, "the loop is running"
    batch.send_signal(signal.SIGKILL)
    batch.wait()
    assert not wait_until_gone(all_of_them)


def kill_one(engine: Engine, depth: int, seen: list[psutil.Process]) -> None:
    """SIGKILL descendants of the examiner: 1 its children (zygote and fork), 2 a subject. `seen`: all there were."""
    examiner = psutil.Process(engine._process.pid)
    seen += family(engine._process.pid)
    children = examiner.children()
    victims = children if depth == 1 else [g for c in children for g in c.children()]
    for victim in victims:
        victim.kill()


def submission(text: str | None = None) -> Submission:
    texts = {name: as_submission(COURSE.reference_path(name).read_text("utf-8")) for name in COURSE.names}
    texts["scale"] = text or texts["scale"]
    return Submission("ada", {name: SourceFile(name, t) for name, t in texts.items()})


def test_a_killed_subject_is_a_verdict_of_that_check() -> None:
    with Engine(COURSE, COURSE.names) as engine:
        engine.ready()
        timer = threading.Timer(0.7, kill_one, (engine, 2, []))
        timer.start()
        results = engine.grade(submission(LOOP))
        timer.join()
        assert results.exercises[1].points == 5
        assert engine.grade(submission()).points == 10


@pytest.mark.parametrize("level", ["2", pytest.param("4", marks=pytest.mark.needs("bwrap"))])
def test_a_killed_zygote_and_fork_are_replaced(level: str) -> None:
    everybody: list[psutil.Process] = []
    with Engine(COURSE, COURSE.names, isolation=level) as engine:
        engine.ready()
        timer = threading.Timer(0.7, kill_one, (engine, 1, everybody))
        timer.start()
        results = engine.grade(submission(BUSY))
        timer.join()
        assert results.exercises[0].checks[0].code == "cpu_timeout", "what the second attempt found"
        assert results.exercises[1].points == 5
        assert results.isolation.level == int(level)
        assert engine.grade(submission()).points == 10
    assert everybody
    assert not wait_until_gone(everybody, 5)


def test_no_temporary_file_stays_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    before = set(tmp_path.iterdir())
    with Engine(COURSE, ["scale"]) as engine:
        engine.ready()
        engine.grade(submission(), ["scale"])
    assert set(tmp_path.iterdir()) == before
