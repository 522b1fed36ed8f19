"""Which files have changed since the last look. By looking again and again: that works on every file system."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

MISSING = b"missing"
COARSE = 2.0  # seconds; the coarsest clock of a file system in use (FAT)
Mark = tuple[int, int, int]


class Files:
    """The files of some exercises: of each those that may hold an answer to it, whether they are there or not yet.

    A save that leaves the same bytes is no change.
    """

    def __init__(self, paths: Mapping[str, Sequence[Path]]) -> None:
        self._paths = dict(paths)
        every = {path for several in paths.values() for path in several}
        self._marks = {path: _mark(path) for path in every}
        self._bytes = {path: _digest(path) for path in every}
        self._gone: set[Path] = set()  # at the last look: an editor may be about to put a new one in its place

    def changed(self) -> list[str]:
        """Names of the exercises of which a file is another one now."""
        others = {path for path in self._marks if self._has_changed(path)}
        return [name for name, paths in self._paths.items() if others.intersection(paths)]

    def _has_changed(self, path: Path) -> bool:
        mark = _mark(path)
        if mark is None and path not in self._gone and self._marks[path] is not None:
            self._gone.add(path)
            return False
        self._gone.discard(path)
        if mark == self._marks[path] and not _may_hide_a_save(mark):
            return False
        self._marks[path] = mark
        before, self._bytes[path] = self._bytes[path], _digest(path)
        return self._bytes[path] != before


def _may_hide_a_save(mark: Mark | None) -> bool:
    """Some file systems count in whole seconds: two saves in one of them look the same."""
    return mark is not None and abs(time.time() - mark[0] / 1e9) < COARSE


def _mark(path: Path) -> Mark | None:
    """What tells without reading that a file may be another one; None where there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_mtime_ns, found.st_size, found.st_ino


def _digest(path: Path) -> bytes:
    try:
        return hashlib.sha256(path.read_bytes()).digest()
    except OSError:
        return MISSING
