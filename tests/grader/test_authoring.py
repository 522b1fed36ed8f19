"""The guide's half an hour as its reader spends it: its files are written, its commands typed, its words compared."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

from grader.catalogue.home import PACKAGE

from .cli.calling import grade

GUIDE = (PACKAGE.parent / "docs" / "authoring.md").read_text("utf-8")
SECTION = GUIDE.partition("## An exercise in half an hour\n")[2].partition("\n## ")[0]
BLOCK = re.compile(r"(?:`([^`\n]+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def steps() -> Iterator[tuple[str, str]]:
    """(path, text) of a file, and (`$ …`, what it prints) of a command, from top to bottom."""
    for path, kind, text in BLOCK.findall(SECTION):
        if kind == "console":
            yield from re.findall(r"^(\$ .*)\n((?:(?!\$ ).*\n)*)", text, re.MULTILINE)
        else:
            assert path, f"no file is named above {text[:60]!r}"
            yield path, text


def without_time(text: str) -> str:
    """Nor blanks at the ends of lines."""
    lines = "\n".join(line.rstrip() for line in text.strip().splitlines())
    return re.sub(r"\([\d.]+ s\)|in [\d.]+ s|-\d{8}-\d{6}", "N", lines)


def test_half_an_hour_leads_to_a_proved_exercise(tmp_path: Path) -> None:
    folder, files = tmp_path, 0
    for step, text in steps():
        words = shlex.split(step.removeprefix("$ "))
        if not step.startswith("$"):
            path = folder / step
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
            files += 1
        elif words[0] == "cd":
            folder = folder / words[1]
        elif words[0] == "rm":
            (folder / words[1]).unlink()
        else:
            if words[1] == "batch":
                hand_in(folder)
            assert without_time(grade(folder, *words[1:])) == without_time(text), step
    assert files == 7


def hand_in(folder: Path) -> None:
    """Ada is right, ben takes the mean away."""
    solution = (folder / "solutions" / "rms_norm.py").read_text("utf-8")
    for student, text in {
        "ada": solution,
        "ben": solution.replace("x.square()", "(x - x.mean(-1, True)).square()"),
    }.items():
        path = folder / "../submissions" / student / "rms_norm.py"
        path.parent.mkdir(parents=True)
        path.write_text(text, "utf-8")
