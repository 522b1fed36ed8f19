"""What the README says that no block shows."""

from __future__ import annotations

import re

from .blocks import ROOT, blocks_of

README = (ROOT / "README.md").read_text("utf-8")


def test_two_commands_lead_from_the_clone_to_the_first_verdict() -> None:
    """Both exist; that they work is what every other test of the command line shows."""
    made, graded = (line.partition("#")[0].split() for line in blocks_of(README)[0].text.splitlines())
    assert made == ["make", "ready"]
    assert re.search(r"^ready: \$\(VENV\)/ready$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert graded == [".venv/bin/grade"]
    assert "grade = " in (ROOT / "pyproject.toml").read_text("utf-8").partition("[project.scripts]")[2]


def test_the_class_it_shows_is_the_one_in_examples() -> None:
    shown = re.findall(r"^[✓✗]  (\S+)", README, re.MULTILINE)
    assert shown == sorted(p.name for p in (ROOT / "examples" / "class").iterdir() if p.is_dir())
