"""`grade watch` in a real terminal."""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from grader.catalogue.load import load_course
from grader.catalogue.stubs import as_submission

pty = pytest.importorskip("pty", reason="a terminal of POSIX")

TOY = Path(__file__).parents[1] / "data" / "toy"
COMMAND = [sys.executable, "-P", "-m", "grader.cli.main"]
PATIENCE = 120.0  # seconds; a loaded machine is slow


class Terminal:
    """A command in a terminal of 100 x 40, and what it has written so far."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._main, child = pty.openpty()
        size = {"COLUMNS": "100", "LINES": "40", "TERM": "xterm"}
        self.process = subprocess.Popen(
            [*COMMAND, *arguments], cwd=folder, stdin=child, stdout=child, stderr=child, env={**os.environ, **size}
        )
        os.close(child)
        self.seen = ""

    def press(self, key: str) -> None:
        os.write(self._main, key.encode())

    def until(self, text: str) -> None:
        """Wait for `text` after what was waited for before."""
        end = time.monotonic() + PATIENCE
        while text not in self.seen:
            assert time.monotonic() < end, f"no {text!r} in {self.seen[-3000:]!r}"
            if select.select([self._main], [], [], 0.2)[0]:
                try:
                    data = os.read(self._main, 1 << 16)
                except OSError:
                    data = b""
                assert data, f"it ended before {text!r}: {self.seen[-3000:]!r}"
                self.seen += re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", data.decode("utf-8", "replace"))
        self.seen = self.seen.partition(text)[2]

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self._main)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    shutil.copytree(TOY, tmp_path / "toy", ignore=shutil.ignore_patterns(".grade"))
    return tmp_path / "toy"


@pytest.fixture
def terminal(folder: Path) -> Iterator[Terminal]:
    made = Terminal(folder, "watch")
    yield made
    made.close()


def test_a_verdict_follows_every_save_and_progress_is_kept(folder: Path, terminal: Terminal) -> None:
    scale = folder / "exercises" / "scale.py"
    right = as_submission(load_course(TOY).reference_path("scale").read_text("utf-8"))
    terminal.until("Watching")
    terminal.until("scale.py")
    terminal.until("not written yet")
    scale.write_text(right.replace("x * factor", "x + factor"), "utf-8")
    terminal.until("you add the factor instead of multiplying")
    terminal.press("h")
    terminal.until("Which operator stretches a tensor?")
    scale.write_text(right, "utf-8")
    terminal.until("5 of 5")
    terminal.press("n")
    terminal.until("block.py")
    terminal.press("q")
    assert terminal.process.wait(PATIENCE) == 0
    listed = subprocess.run([*COMMAND, "list"], cwd=folder, capture_output=True, text=True, check=True).stdout
    assert re.search(r"scale +5 of 5 +done", listed)
    again = Terminal(folder, "watch")
    again.until("Watching exercises/block.py")
    again.press("l")
    again.until("5 of 5")
    again.press("q")
    assert again.process.wait(PATIENCE) == 0
    again.close()


def test_without_a_terminal_it_says_what_to_do(folder: Path) -> None:
    done = subprocess.run([*COMMAND, "watch"], cwd=folder, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    assert done.returncode == 2
    assert "needs a terminal" in done.stderr
    assert "`grade NAME` grades once" in done.stderr
