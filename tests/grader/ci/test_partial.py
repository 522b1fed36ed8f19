"""A job that is ended early leaves whole files that say what is not graded."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from grader.results.schema import Results
from grader.results.store import load

from .imitation import GOOD, TOY, Job

SLOW = GOOD["block.py"].replace("        return x +", "        while True: pass\n        return x +")  # up to its limit


def open_in(results: Results) -> list[str]:
    return [exercise.name for exercise in results.exercises if exercise.status == "error"]


def test_time_is_up(tmp_path: Path) -> None:
    job = Job(tmp_path)
    job.hand_in(GOOD)
    done = job.grade("checkout", "--platform", "plain", "--isolation", "2", "--seconds", "0.01")
    assert done.returncode == 1, done.stdout
    results = load(job.out / "results.json")
    assert (results.points, results.possible, open_in(results)) == (0, 10, ["scale", "block"])
    assert "the time was up after 0.01 s" in results.exercises[0].checks[0].message
    told = "Not graded: scale, block (the time was up after 0.01 s). These points are not final."
    assert results.problems[-1] == told
    assert told in " ".join(done.stdout.split())
    assert told in (job.out / "summary.md").read_text("utf-8")
    assert "Next: scale is not graded: the time was up after 0.01 s. `grade scale` grades it alone." in done.stdout


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT])
def test_killed_after_the_first_exercise(tmp_path: Path, number: int) -> None:
    job = Job(tmp_path, {"AUTOGRADER_ROOT": str(tmp_path)})  # Gradescope, which reads one file more
    job.hand_in({**GOOD, "block.py": SLOW})
    words = ["--course", str(TOY), "ci", "checkout", "--isolation", "2"]
    command = [sys.executable, "-P", "-m", "grader.cli.main", *words]
    running = subprocess.Popen(
        command, cwd=tmp_path, env=job.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored where tests run in the background
    )  # fmt: skip
    deadline = time.monotonic() + 120
    path = job.out / "results.json"
    while not path.exists() or open_in(load(path)) != ["block"]:
        assert running.poll() is None, running.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    running.send_signal(number)
    running.communicate(timeout=60)
    results = load(path)
    assert (results.points, open_in(results)) == (5, ["block"])
    assert "5 of 10 points" in (job.out / "summary.md").read_text("utf-8")
    told = json.loads((tmp_path / "results" / "results.json").read_text("utf-8"))
    assert (told["score"], sum(test["max_score"] for test in told["tests"])) == (5, 10)
    assert "not final" in told["output"]
    assert {file.name for file in job.out.iterdir()} == {"results.json", "report.html", "junit.xml", "summary.md"}
