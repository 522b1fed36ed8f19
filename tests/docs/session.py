"""A page's commands, edits and Python, run from top to bottom in one folder, and compared with what the page shows."""

from __future__ import annotations
import __future__

import contextlib
import difflib
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .blocks import ROOT, Block

ANYTHING = "…"  # a line of this alone stands for any lines
VOLATILE = (
    (r"isolation\s+(· )?level\s+(· )?\d[^.]*\.", "isolation level N."),
    (r"\b\d+(\.\d+)? s\b", "N s"),
    (r"\b\d+ MB free", "N MB free"),
    (r"-\d{8}-\d{6}\b", "-TIME"),
)


@dataclass
class Session:
    """`grade`: how a shell calls it. `code`: where Python finds the grader; empty: where it is installed.

    `variables`: those of the page's Python blocks, which are one program.
    """

    folder: Path
    grade: str = f'"{sys.executable}" -P -m grader.cli.main'
    code: str = str(ROOT)
    variables: dict[str, Any] = field(default_factory=lambda: {"__name__": "a_page"})

    def run(self, block: Block) -> None:
        if block.file:
            path = self.folder / block.file
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(block.text, "utf-8")
        elif block.kind == "diff":
            self._edit(block)
        elif block.kind == "python":
            self._python(block)
        else:
            for command, shown in commands(block):
                if block.reason(command) is None:
                    self._command(command, shown)

    def _command(self, command: str, shown: str | None) -> None:
        if command.startswith("cd "):
            self.folder = (self.folder / command.removeprefix("cd ")).resolve()
            assert self.folder.is_dir(), f"{command}: there is no such folder"
            return
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", f"{self._shims()}{command}"],
            cwd=self.folder, env=environment(self.code),
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, text=True, check=False,
        )  # fmt: skip
        fine = (0, 1) if command.startswith("grade ") or command == "grade" else (0,)  # 1: something is not right yet
        assert done.returncode in fine, f"$ {command}\n{done.stdout}\nended with {done.returncode}"
        assert "Traceback" not in done.stdout, f"$ {command}\n{done.stdout}"
        if shown:
            difference = unlike(shown, done.stdout)
            assert not difference, f"$ {command} prints something else than the page shows:\n{difference}"

    def _shims(self) -> str:
        return f'grade() {{ {self.grade} "$@"; }}; python() {{ "{sys.executable}" "$@"; }}\n'

    def _edit(self, block: Block) -> None:
        named = re.findall(r"`(exercises/\w+\.py)`", block.above)
        assert named, "an edit: the text above names no `exercises/NAME.py`"
        path = self.folder / named[-1]
        old, new = ("\n".join(line[1:] for line in block.text.splitlines() if line[0] in (sign, " ")) for sign in "-+")
        text = path.read_text("utf-8")
        assert text.count(old) == 1, f"the page edits {old!r}, which {named[-1]} has {text.count(old)} times"
        path.write_text(text.replace(old, new), "utf-8")

    def _python(self, block: Block) -> None:
        code = compile(block.text, "a block of the page", "exec", __future__.annotations.compiler_flag, True)
        with contextlib.chdir(self.folder):
            exec(code, self.variables)


def environment(code: str) -> dict[str, str]:
    """That of a terminal of 80 columns, without colours; a page that would be opened is not."""
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    plain = {"NO_COLOR": "1", "COLUMNS": "80", "LC_ALL": "C.UTF-8", "BROWSER": "true"}
    return {**kept, **plain} | ({"PYTHONPATH": code} if code else {})


def commands(block: Block) -> Iterator[tuple[str, str | None]]:
    """What is typed, with what a console shows below it."""
    if block.kind == "console":
        yield from re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", block.text, re.MULTILINE)
        return
    for line in block.text.splitlines():
        command = re.sub(r"(^|\s)# .*", "", line).strip()
        if command:
            yield command, None


def unlike(shown: str, printed: str) -> str:
    """The difference, or "" where there is none."""
    lines = normal(shown).splitlines()
    pattern = "".join(r"(?:.*\n)*?" if line == ANYTHING else re.escape(f"{line}\n") for line in lines)
    if re.fullmatch(pattern, f"{normal(printed)}\n"):
        return ""
    return "\n".join(difflib.unified_diff(normal(shown).splitlines(), normal(printed).splitlines(), "page", "printed"))


def normal(text: str) -> str:
    """Without what differs between two machines or two runs, and without blanks at the ends of lines."""
    lines = "\n".join(line.rstrip() for line in text.strip().splitlines())
    for pattern, plain in VOLATILE:
        lines = re.sub(pattern, plain, lines)
    return lines
