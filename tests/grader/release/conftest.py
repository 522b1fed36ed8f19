"""A toy course with a hidden check, and its release, made once."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from ..cli.calling import ROOT, TOY, grade

HIDDEN_CHECK = """
SECRET_SIZES = Table.of({"B": 7, "n": 11, "kind": "rows that nobody has seen before"})


def turned_around(case: Case) -> Any:
    return case.normal(case.B, case.n) * -3.5


@cases(SECRET_SIZES)
def test_scale_turns_signs(subject: Proxy, reference: Proxy, case: Case) -> None:
    \"\"\"A negative factor turns all the signs of a tensor around.\"\"\"
    agree(subject, reference, "scale", turned_around(case), -2.0)
"""
SALT = "5a17" * 8
HIDDEN_ENTRY = '\n[tasks.checks.scale_turns_signs]\npoints = 4\nhelp = "What about minus two?"\nhidden = true\n'


@pytest.fixture(scope="session")
def sealed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The toy course with a salt, a hidden check worth 4 points, and a hint that is no line of the reference."""
    root = tmp_path_factory.mktemp("sealed") / "course"
    shutil.copytree(TOY, root, ignore=shutil.ignore_patterns("__pycache__", ".grade"))
    entry, block = root / "solutions" / "scale.toml", root / "solutions" / "block.toml"
    suite = root / "tests" / "exercises" / "test_scale.py"
    end = '[tasks.checks.scale_gradient]\npoints = 1\nhelp = "Keep the graph."\n'
    text = entry.read_text("utf-8")
    assert text.count(end) == 1
    entry.write_text(text.replace(end, end + HIDDEN_ENTRY), "utf-8")
    suite.write_text("from typing import Any\n" + suite.read_text("utf-8") + "\n" + HIDDEN_CHECK, "utf-8")
    hint = '"return x + scale(self.w(x), 0.5)"'
    block.write_text(block.read_text("utf-8").replace(hint, '"x plus half of w x"'), "utf-8")
    (root / "grade.toml").write_text('salt = "official.salt"\n', "utf-8")
    (root / "official.salt").write_text(f"{SALT}\n", "utf-8")
    return root


@pytest.fixture(scope="session")
def said(sealed: Path) -> str:
    """What `grade release` prints."""
    return grade(sealed, "release", "../handout")


@pytest.fixture(scope="session")
def handout(sealed: Path, said: str) -> Path:
    """The release, as it was made: tests that write take a copy."""
    return sealed.parent / "handout"


@pytest.fixture(scope="session")
def engine_alone(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The grader's own code, where no course is: as in a wheel without one."""
    folder = tmp_path_factory.mktemp("alone")
    shutil.copytree(ROOT / "grader", folder / "grader", ignore=shutil.ignore_patterns("__pycache__", "course"))
    assert not list(folder.rglob("solutions"))
    return folder
