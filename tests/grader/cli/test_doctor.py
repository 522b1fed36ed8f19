"""`grade doctor` says of everything that is not well what to do about it."""

from __future__ import annotations

import re
import shutil
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.cli import doctor_command as doctor
from grader.cli.main import main

ROOT = Path(__file__).parents[3]
TOY = Path(__file__).parents[1] / "data" / "toy"


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A copy of the toy course to stand in; the engine, which other tests start, is left out."""
    shutil.copytree(TOY, tmp_path / "toy", ignore=shutil.ignore_patterns(".grade", "__pycache__"))
    monkeypatch.chdir(tmp_path / "toy")
    monkeypatch.setattr(doctor, "_engine", lambda place: ())
    return tmp_path / "toy"


def test_it_asks_for_what_the_package_asks_for() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["dependencies"]
    assert dict(line.split(">=") for line in wanted) == doctor.PACKAGES


def test_all_is_well_here(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["doctor"]) == 0
    said = capsys.readouterr().out
    assert re.search(r"^ok   torch \d+\.\d+", said, re.MULTILINE)
    assert re.search(r"^ok   Python 3\.\d+", said, re.MULTILINE)
    assert f"your files are in {toy / 'exercises'}" in said
    assert "note no terminal here: `grade watch` needs one" in said
    assert said.endswith("Everything is fine.\n")


@pytest.mark.parametrize(
    ("answer", "kind", "says"),
    [
        (lambda: doctor.python((3, 10, 4)), "NO", "Python 3.10.4 is too old: install 3.11 or newer and make a new"),
        (lambda: doctor.package("no-such-package", "1.2"), "NO", "-m pip install 'no-such-package>=1.2'`"),
        (lambda: doctor.package("torch", "99"), "NO", "-m pip install --upgrade 'torch>=99'`"),
        (lambda: doctor.terminal(True, 100, "utf-8"), "ok", "a terminal of 100 columns"),
        (lambda: doctor.terminal(True, 40, "UTF-8"), "note", "widen it"),
        (lambda: doctor.terminal(True, 100, "ascii"), "note", "`export PYTHONUTF8=1 LANG=C.UTF-8` mends it"),
        (lambda: doctor.terminal(True, 100, ""), "note", "encoding is not known"),
        (lambda: doctor.level(4, "bubblewrap", []), "ok", "isolation level 4 (bubblewrap) in a batch"),
        (lambda: doctor.level(2, "Landlock", ["not level 4: no bwrap"]), "note", "no bwrap. It is safe for your own"),
        (lambda: doctor.level(2, "Landlock", []), "note", "for level 4 install bubblewrap"),
        (lambda: doctor.level(1, "limits", []), "note", "Grade only your own code here; Linux 5.13"),
    ],
)
def test_what_is_not_well_comes_with_the_way_out(answer: Callable[[], doctor.Answer], kind: str, says: str) -> None:
    assert answer().kind == kind
    assert says in answer().text


def test_versions_are_compared_as_numbers() -> None:
    assert doctor._numbers("2.13.0+cpu") > doctor._numbers("2.4")
    assert doctor._numbers("6.100") > doctor._numbers("6.99.1")
    assert doctor._numbers("8.0.0rc1") >= doctor._numbers("8")


def test_files_that_cannot_be_graded_are_named(toy: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (toy / "exercises" / "block.py").unlink()
    (toy / "exercises" / "scale.py").write_text("x = 1", "utf-16")
    (toy / ".grade").mkdir()
    (toy / ".grade" / "results.json").write_text("{")
    assert main(["doctor"]) == 1
    said = capsys.readouterr().out
    assert "NO   exercises/block.py is missing: `grade stubs block` writes it" in said
    assert "NO   scale.py cannot be read: it is written in UTF-16; save it as UTF-8" in said
    assert "note .grade/results.json cannot be read; the next run writes it anew" in said
    assert said.endswith("2 to mend, see above.\n")


def test_without_a_course_it_says_how_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["doctor"]) == 1
    assert "let `grade init DIR` lay a folder down for you" in capsys.readouterr().out
