"""Whoever is killed, at whatever moment: no process stays behind, and the run goes on or says so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from grader.catalogue.load import load_course
from grader.catalogue.stubs import as_submission
from grader.errors import EngineError
from grader.run.engine import Engine
from grader.submission.model import SourceFile, Submission

ROOT = Path(__file__).parents[3]
TOY = Path(__file__).parents[1] / "data" / "toy"
COURSE = load_course(TOY)
LOOP = "import time\ndef scale(x, factor=2.0):\n    while True:\n        time.sleep(0.01)\n"


def marked(mark: str) -> list[psutil.Process]:
    """Living processes that carry this mark in their environment."""
    found = []
    for process in psutil.process_iter():
        try:
            if process.environ().get("GRADER_TEST_MARK") == mark and process.status() != psutil.STATUS_ZOMBIE:
                found.append(process)
        except psutil.Error:
            continue
    return found


def wait_until_gone(mark: str, seconds: float = 20.0) -> list[psutil.Process]:
    end = time.monotonic() + seconds
    while (left := marked(mark)) and time.monotonic() < end:
        time.sleep(0.1)
    return left


@pytest.fixture
def mark(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    value = uuid.uuid4().hex
    monkeypatch.setenv("GRADER_TEST_MARK", value)
    yield value
    for process in marked(value):
        if process.pid != os.getpid():
            process.kill()


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_a_killed_batch_leaves_no_process_behind(mark: str, tmp_path: Path) -> None:
    (tmp_path / "class" / "ada").mkdir(parents=True)
    (tmp_path / "class" / "ada" / "scale.py").write_text(LOOP, "utf-8")
    command = [sys.executable, "-m", "grader.cli.main", "--course", str(TOY), "batch", str(tmp_path / "class")]
    batch = subprocess.Popen(
        [*command, "--out", str(tmp_path / "out"), "-j", "1"],
        env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    end = time.monotonic() + 60
    while len(marked(mark)) < 5 and time.monotonic() < end:  # command, examiner, zygote, fork, subject
        time.sleep(0.05)
    assert len(marked(mark)) >= 5, "the loop is running"
    batch.send_signal(signal.SIGKILL)
    batch.wait()
    assert not wait_until_gone(mark)


def kill_one(mark: str, engine: Engine, depth: int) -> None:
    """SIGKILL a descendant of the examiner: 1 its children (zygote or fork), 2 a subject."""
    examiner = psutil.Process(engine._process.pid)
    children = examiner.children()
    victims = children if depth == 1 else [g for c in children for g in c.children()]
    for victim in victims:
        victim.kill()


def submission(text: str | None = None) -> Submission:
    texts = {name: as_submission(COURSE.reference_path(name).read_text("utf-8")) for name in COURSE.names}
    texts["scale"] = text or texts["scale"]
    return Submission("ada", {name: SourceFile(name, t) for name, t in texts.items()})


def test_a_killed_subject_is_a_verdict_of_that_check(mark: str) -> None:
    with Engine(COURSE, COURSE.names) as engine:
        engine.ready()
        timer = threading.Timer(0.7, kill_one, (mark, engine, 2))
        timer.start()
        results = engine.grade(submission(LOOP))
        timer.join()
        assert results.exercises[1].points == 5
        assert engine.grade(submission()).points == 10


def test_when_zygote_and_fork_are_killed_it_is_our_fault_and_said_so(mark: str) -> None:
    with Engine(COURSE, COURSE.names) as engine:
        engine.ready()
        timer = threading.Timer(0.7, kill_one, (mark, engine, 1))
        timer.start()
        with pytest.raises(EngineError, match=r"without a result|is gone|started no subject"):
            engine.grade(submission(LOOP))
        timer.join()
    assert not [p for p in wait_until_gone(mark, 5) if p.pid != os.getpid()]


def test_no_temporary_file_stays_behind(mark: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    before = set(tmp_path.iterdir())
    with Engine(COURSE, ["scale"]) as engine:
        engine.ready()
        engine.grade(submission(), ["scale"])
    assert set(tmp_path.iterdir()) == before
