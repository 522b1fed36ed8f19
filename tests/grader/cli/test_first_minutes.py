"""The README's first five minutes: its commands are run, its edits are made, and what it shows is what they print."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[3]
README = (ROOT / "README.md").read_text("utf-8")
SECTION = README.partition("## The first five minutes\n")[2].partition("\n## ")[0]
FILE = "exercises/masking.py"


def steps() -> Iterator[tuple[str, str]]:
    """(command, what it prints) and (edit, what it changes), from top to bottom."""
    for kind, text in re.findall(r"^```(console|diff)\n(.*?)^```$", SECTION, re.MULTILINE | re.DOTALL):
        if kind == "diff":
            yield "edit", text
            continue
        yield from re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE)


def edit(path: Path, change: str) -> None:
    old, new = ("\n".join(line[1:] for line in change.splitlines() if line[0] == sign) for sign in "-+")
    text = path.read_text("utf-8")
    assert text.count(old) == 1, f"README edits {old!r}, which {path} has {text.count(old)} times"
    path.write_text(text.replace(old, new), "utf-8")


def printed(folder: Path, command: str) -> str:
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "80", "PYTHONPATH": str(ROOT)}
    words = [sys.executable, "-P", "-m", "grader.cli.main", *shlex.split(command)[1:]]
    return subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False).stdout


def normal(text: str) -> str:
    """Without what differs between two machines: the level of isolation, and blanks at the ends of lines."""
    lines = "\n".join(line.rstrip() for line in text.strip().splitlines())
    return re.sub(r"isolation\s+(· )?level\s+(· )?\d[^.]*\.", "isolation level N.", lines)


def test_the_readme_shows_what_is_printed(tmp_path: Path) -> None:
    folder, told = tmp_path, 0
    for command, shown in steps():
        if command == "edit":
            edit(folder / FILE, shown)
        elif command.startswith("cd "):
            folder = folder / command.removeprefix("cd ")
        else:
            assert command.split()[0] == "grade"
            assert normal(printed(folder, command)) == normal(shown), command
            told += 1
    assert told == 5


def test_two_commands_lead_from_the_clone_to_the_first_verdict() -> None:
    """Both exist; that they work is what every other test of the command line shows."""
    first = SECTION.partition("```\n")[2].partition("```")[0]
    made, graded = (line.partition("#")[0].split() for line in first.splitlines())
    assert made == ["make", "ready"]
    assert re.search(r"^ready: \$\(VENV\)/ready$", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert graded == [".venv/bin/grade"]
    assert "grade = " in (ROOT / "pyproject.toml").read_text("utf-8").partition("[project.scripts]")[2]
