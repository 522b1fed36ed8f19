"""Which files have changed since the last look. By looking again and again: that works on every file system."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Mapping
from pathlib import Path

MISSING = b"missing"
COARSE = 2.0  # seconds; the coarsest clock of a file system in use (FAT)
Mark = tuple[int, int, int]


class Files:
    """The files of some exercises. A save that leaves the same bytes is no change."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self._paths = dict(paths)
        self._marks = {name: _mark(path) for name, path in self._paths.items()}
        self._bytes = {name: _digest(path) for name, path in self._paths.items()}
        self._gone: set[str] = set()  # at the last look: an editor may be about to put a new one in its place

    def changed(self) -> list[str]:
        """Names of the exercises whose file is another one now."""
        return [name for name, path in self._paths.items() if self._has_changed(name, path)]

    def _has_changed(self, name: str, path: Path) -> bool:
        mark = _mark(path)
        if mark is None and name not in self._gone and self._marks[name] is not None:
            self._gone.add(name)
            return False
        self._gone.discard(name)
        if mark == self._marks[name] and not _may_hide_a_save(mark):
            return False
        self._marks[name] = mark
        before, self._bytes[name] = self._bytes[name], _digest(path)
        return self._bytes[name] != before


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
