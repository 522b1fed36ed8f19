"""Through the whole engine: verdicts do not depend on the level, and every result names the level it comes from."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from grader.catalogue.load import load_course
from grader.catalogue.stubs import as_submission
from grader.errors import UsageError
from grader.results.schema import Results
from grader.run.engine import Engine
from grader.subject.worker.kernel import landlock
from grader.submission.model import SourceFile, Submission

from .conftest import ALL, COURSE, launcher_of

ROOT = Path(__file__).parents[4]
TOY = load_course(COURSE)
REFERENCE = {name: as_submission(TOY.reference_path(name).read_text("utf-8")) for name in TOY.names}
SUBMISSIONS = {
    "right": REFERENCE["scale"],
    "wrong": REFERENCE["scale"].replace("return x * factor", "return x + factor"),
    "no Python": "def scale(x, factor=2.0)\n",
    "raises": "def scale(x, factor=2.0):\n    raise RuntimeError('no')\n",
    "loops": "def scale(x, factor=2.0):\n    while True:\n        pass\n",
    "exits": "import os\ndef scale(x, factor=2.0):\n    os._exit(3)\n",
    "crashes": "import ctypes\ndef scale(x, factor=2.0):\n    ctypes.string_at(0)\n",
    "floods": "def scale(x, factor=2.0):\n    while True:\n        print('x' * 65536)\n",
    "prints": "def scale(x, factor=2.0):\n    print('hello')\n    return x\n",
}
LIMITED = {"asks for memory": "import torch\ndef scale(x, factor=2.0):\n    return torch.zeros(1 << 34)\n"}  # not at 0
BOMBS = {
    "memory": "import torch\nkept = []\ndef scale(x, factor=2.0):\n    while True:\n"
    "        kept.append(torch.empty(1 << 24))\n",
    "forks": "import os\ndef scale(x, factor=2.0):\n    while True:\n        os.fork()\n",
    "threads": "import threading, time\ndef scale(x, factor=2.0):\n    while True:\n"
    "        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()\n",
}
SEARCH = """
import gc, sys
found, frame = [], sys._getframe()
while frame is not None:
    found.append(repr(frame.f_locals))
    frame = frame.f_back
gc.unfreeze()
found += [repr(o)[:100000] for o in gc.get_objects() if type(o) in (dict, list, tuple) and len(o) < 30]
text, salt = "".join(found), "-".join(["sal", "ty"])  # not written out: this text is in memory too
def scale(x, factor=2.0):
    raise RuntimeError(str(("import" in text, salt in text or salt.encode().hex() in text)))
"""

_results: dict[str, dict[str, Results]] = {}


def results_of(level: str) -> dict[str, Results]:
    """Of all submissions, by one engine."""
    launcher_of(level)  # skips where the level is not to be had
    if level not in _results:
        texts = {**SUBMISSIONS, **(LIMITED if level != "0" else {}), **(BOMBS if level in ("4", "2") else {})}
        with Engine(TOY, TOY.names, isolation=level) as engine:
            engine.ready()
            _results[level] = {name: engine.grade(submission(text)) for name, text in texts.items()}
            _results[level]["afterwards"] = engine.grade(submission(REFERENCE["scale"]))
    return _results[level]


def submission(scale: str) -> Submission:
    texts = {**REFERENCE, "scale": scale}
    return Submission("ada", {name: SourceFile(name, text) for name, text in texts.items()})


def lasting(results: Results) -> Any:
    """All but times and the isolation block."""
    tree = msgspec.to_builtins(results)
    tree.update(isolation=None, seconds=None)
    for exercise in tree["exercises"]:
        for row in exercise["checks"]:
            row["seconds"] = None
    return tree


@pytest.mark.parametrize("level", ALL)
def test_every_result_names_the_level_it_was_asked_for(level: str) -> None:
    for results in results_of(level).values():
        assert (results.isolation.level, results.isolation.requested) == (int(level), level)


@pytest.mark.parametrize("level", [level for level in ALL if level != "1"])
def test_results_are_the_same_at_every_level(level: str) -> None:
    ours, theirs = results_of(level), results_of("1")
    for name in ours.keys() & theirs.keys():
        assert lasting(ours[name]) == lasting(theirs[name]), name


@pytest.mark.parametrize("level", ALL)
def test_an_honest_submission_passes_after_all_of_them(level: str) -> None:
    assert {e.status for e in results_of(level)["afterwards"].exercises} == {"passed"}


@pytest.mark.parametrize("level", [level for level in ALL if level not in ("1", "0")])
@pytest.mark.parametrize(("bomb", "codes"), [("memory", {"memory"}), ("forks", {"off_limits"}),
                                             ("threads", {"too_many_threads", "memory", "cpu_timeout"})])  # fmt: skip
def test_a_bomb_costs_its_own_checks(level: str, bomb: str, codes: set[str]) -> None:
    results = results_of(level)[bomb]
    rows = [c for c in results.exercises[0].checks if c.task == "scale"]
    assert {row.code for row in rows} <= codes
    assert {c.status for c in results.exercises[1].checks} == {"passed"}


def test_ones_own_code_is_graded_at_level_2_where_there_is_landlock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COURSE_TOKEN", "CANARY")
    code = "import os\nseen = dict(os.environ)\ndef scale(x, factor=2.0):\n    raise RuntimeError(str(seen))\n"
    with Engine(TOY, ["scale"]) as engine:
        engine.ready()
        assert engine.isolation is not None
        assert engine.isolation.level == (2 if landlock.version() else 1)
        results = engine.grade(submission(code), ["scale"])
    assert "HOME" in results.exercises[0].checks[0].message
    assert "COURSE_TOKEN" not in str(msgspec.to_builtins(results))


def test_the_salt_is_nowhere_in_the_students_process() -> None:
    with Engine(TOY, ["scale"], salt=b"sal-ty", isolation="2" if landlock.version() else "1") as engine:
        engine.ready()
        results = engine.grade(submission(SEARCH), ["scale"])
    assert "(True, False)" in results.exercises[0].checks[0].message


def test_a_level_that_is_not_there_is_refused_before_anything_is_graded(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with (
        Engine(TOY, ["scale"], isolation="4") as engine,
        pytest.raises(UsageError, match="bubblewrap is not installed"),
    ):
        engine.ready()


def grade(*arguments: str, path: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "grader.cli.main", "--course", str(COURSE), *arguments],
        env={**os.environ, "PYTHONPATH": str(ROOT), "PATH": path}, capture_output=True, text=True, check=False,
    )  # fmt: skip


def test_the_command_refuses_with_the_reason_and_exit_code_2(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "scale.py").write_text(REFERENCE["scale"], "utf-8")
    done = grade("batch", str(tmp_path), "--out", str(tmp_path / "out"), "--isolation", "4", path=str(tmp_path))
    assert done.returncode == 2
    assert "Isolation level 4 is not to be had on this machine: bubblewrap is not installed" in done.stderr
    assert not list(tmp_path.glob("out/students/*"))


def test_a_batch_at_a_low_level_is_warned_about_in_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada" / "scale.py").write_text(REFERENCE["scale"], "utf-8")
    out = str(tmp_path / "out")
    done = grade("batch", str(tmp_path), "--out", out, "--isolation", "1", path=os.environ["PATH"])
    assert done.returncode == 0, done.stderr
    assert done.stdout.count("Warning: isolation level 1") == 1
    done = grade("batch", str(tmp_path), "--out", out, "--force", "--isolation", "auto", path=os.environ["PATH"])
    assert ("Warning" in done.stdout) == (not landlock.version())
