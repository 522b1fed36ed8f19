"""`grade watch` in a terminal of its own: from a saved file to the verdict on the screen."""

from __future__ import annotations

import os
import pty
import re
import select
import subprocess
import sys
import time
from pathlib import Path

PATIENCE = 120.0  # seconds, for the start
QUIET = 0.02  # seconds without a byte: the screen is drawn
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[a-zA-Z]")


class Watched:
    """One exercise of a student's folder, watched until `close`."""

    def __init__(self, folder: Path, exercise: str) -> None:
        self._path = folder / "exercises" / f"{exercise}.py"
        self._main, child = pty.openpty()
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "grader.cli.main", "watch", exercise],
            cwd=folder, stdin=child, stdout=child, stderr=child,
            env={**os.environ, "COLUMNS": "100", "LINES": "40", "TERM": "xterm"},
        )  # fmt: skip
        os.close(child)
        self._drawn("Grading", "Watching")

    def saved(self, text: str, verdict: str) -> float:
        """Seconds until the screen with `verdict` on it is drawn. `text` differs from what was saved before."""
        began = time.perf_counter()
        self._path.write_text(text, "utf-8")
        return self._drawn("Grading", "Watching", verdict) - began

    def close(self) -> None:
        os.write(self._main, b"q")
        self._process.wait()
        os.close(self._main)

    def _drawn(self, *words: str) -> float:
        """When the last byte had come of a screen that shows the last of `words`, each after the one before."""
        seen, last, end = "", 0.0, time.perf_counter() + PATIENCE
        while select.select([self._main], [], [], QUIET)[0] or not _in_order(seen, words):
            if time.perf_counter() > end:
                raise TimeoutError(f"no {words} on the screen: {seen[-2000:]}")
            if select.select([self._main], [], [], 0)[0]:
                seen += ESCAPES.sub("", os.read(self._main, 1 << 16).decode("utf-8", "replace"))
                last = time.perf_counter()
        return last


def _in_order(seen: str, words: tuple[str, ...]) -> bool:
    for word in words:
        _, found, seen = seen.partition(word)
        if not found:
            return False
    return True
