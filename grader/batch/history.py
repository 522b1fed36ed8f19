"""Results that were replaced: OUT/history/NNNN/STUDENT/results.json, and an index that says when and why."""

from __future__ import annotations

import threading
from datetime import datetime
from pathlib import Path

import msgspec

from grader.batch.outcome import HISTORY, RESULTS
from grader.errors import ResultsError
from grader.results.store import write_with_folder

INDEX = "index.json"


class Entry(msgspec.Struct, frozen=True, kw_only=True):
    """One run that replaced results."""

    number: int
    when: str  # ISO 8601 with an offset
    why: str


class History:
    """One entry of the history, begun when the first results go into it. Safe to call from several threads."""

    def __init__(self, out: Path, why: str, number: int | None = None) -> None:
        self.root = out / HISTORY
        self.why = why
        self.number = number
        self._begun = False
        self._lock = threading.Lock()

    def keep(self, results: Path) -> None:
        """Copy a student's results.json, once: what an entry has is not overwritten. None is no error."""
        if not results.is_file():
            return
        with self._lock:
            data, student = results.read_bytes(), results.parent.name
            if self.number is None and self._newest_of(student) == data:
                return  # by a run that was killed before it could replace them
            target = self.folder() / student / RESULTS
        if not target.exists():
            write_with_folder(target, data)

    def folder(self) -> Path:
        """Of this entry; it is in the index before anything is in it."""
        if self.number is None:
            self.number = next_number(self.root)
        if not self._begun:
            note(self.root, Entry(number=self.number, when=_now(), why=self.why))
            self._begun = True
        return self.root / f"{self.number:04}"

    def _newest_of(self, student: str) -> bytes | None:
        kept = sorted(self.root.glob(f"[0-9]*/{student}/{RESULTS}"))  # folders have no names with * or [
        return kept[-1].read_bytes() if kept else None


def entries(root: Path) -> list[Entry]:
    path = root / INDEX
    try:
        return msgspec.json.decode(path.read_bytes(), type=list[Entry]) if path.is_file() else []
    except (OSError, msgspec.DecodeError) as error:
        raise ResultsError(f"{str(path)!r} cannot be read ({error}): mend it, or move the history away.") from error


def note(root: Path, entry: Entry) -> None:
    """Into the index, once."""
    known = entries(root)
    if all(one.number != entry.number for one in known):
        write_with_folder(root / INDEX, msgspec.json.format(msgspec.json.encode([*known, entry]), indent=1) + b"\n")


def next_number(root: Path) -> int:
    """One more than the newest entry that holds anything: one that a killed run has only announced is used."""
    last = newest(root)
    return int(last.name) + 1 if last else 1


def newest(root: Path) -> Path | None:
    """The folder of the newest entry that holds anything. A copy that somebody made, `0001 old`, is none of ours."""
    found = (path.parents[1] for path in root.glob(f"[0-9]*/*/{RESULTS}"))
    return max((path for path in found if path.name.isdecimal()), key=lambda path: int(path.name), default=None)


def _now() -> str:
    return datetime.now().astimezone().isoformat(timespec="seconds")
