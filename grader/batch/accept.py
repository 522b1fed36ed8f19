"""Accept a regrade, or drop it. A kill at any moment loses nothing: the next call, or the next batch, carries on.

The steps of one student: the old results into the history, the old ones away (they must not vouch for the new page),
the new page in, the new results in. A marker says from the first to the last which entry of the history this is.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress
from pathlib import Path

import msgspec

from grader.batch.history import History, next_number
from grader.batch.lock import one_batch
from grader.batch.outcome import HISTORY, REGRADE, REPORT, RESULTS, STUDENTS, remove_leftovers
from grader.batch.pages import Pages, standard
from grader.batch.tables import CHANGES, Class, pending, read_class, rows_of, staged_folders, write_tables
from grader.errors import UsageError
from grader.report.changes import StudentChange
from grader.results.store import encoded, refused, write_atomic

MARKER, DROPPED = "accepting.json", ".dropped"


class Marker(msgspec.Struct, frozen=True):
    """An acceptance that has begun."""

    number: int
    why: str


def accept(out: Path, why: str, pages: Pages | None = None) -> list[StudentChange]:
    """Put the regraded results in place of the old ones; what has changed by that."""
    known = read_class(out)
    with one_batch(out):
        remove_leftovers(out)
        changed = pending(out)
        if not staged_folders(out) and not (out / REGRADE / MARKER).is_file():
            raise UsageError(f"Nothing in {str(out)!r} waits to be accepted.")
        marker = _marker(out)
        if marker is None:  # the page first: it tells of students that have not moved yet
            page = (pages or standard()).changes(known.title, changed, why)
            write_atomic(out / CHANGES, encoded(page))
            marker = Marker(next_number(out / HISTORY), why)
            write_atomic(out / REGRADE / MARKER, msgspec.json.encode(marker))
        _move_all(out, marker)
        _write_tables(out, known, pages)
        _end(out)
    return changed


def finish(out: Path) -> None:
    """An acceptance that was killed, if there is one. The caller holds the lock, and makes the tables."""
    if (out / REGRADE / MARKER).is_file():
        _move_all(out, _marker(out) or Marker(next_number(out / HISTORY), ""))
        _end(out)


def discard(out: Path, pages: Pages | None = None) -> int:
    """Drop the regraded results, all at once; how many students had some."""
    known = read_class(out)
    with one_batch(out):
        remove_leftovers(out)
        if (out / REGRADE / MARKER).is_file():
            raise UsageError("An acceptance was begun and has to be finished: run `grade accept` without --discard.")
        dropped = len(staged_folders(out))
        if not dropped:
            raise UsageError(f"Nothing in {str(out)!r} waits to be accepted.")
        _drop(out)
        _write_tables(out, known, pages)
    return dropped


def _write_tables(out: Path, known: Class, pages: Pages | None) -> None:
    """As the last batch did, of what is on the disk now."""
    folders = {member.student: member.folder for member in known.members}
    write_tables(out, known.title, rows_of(out, known), folders, pages or standard(), known.overrides, known.roster)


def _marker(out: Path) -> Marker | None:
    """Of an acceptance that was killed."""
    with suppress(OSError, msgspec.DecodeError):
        return msgspec.json.decode((out / REGRADE / MARKER).read_bytes(), type=Marker)
    return None


def _move_all(out: Path, marker: Marker) -> None:
    history = History(out, marker.why, marker.number)
    for folder in staged_folders(out):
        _move(folder, out / STUDENTS / folder.name, history)
    page = out / CHANGES
    if page.is_file():  # what was accepted stays readable
        with refused(page):
            os.replace(page, history.folder() / CHANGES)


def _move(new: Path, old: Path, history: History) -> None:
    history.keep(old / RESULTS)
    with refused(old):
        old.mkdir(parents=True, exist_ok=True)
        (old / RESULTS).unlink(missing_ok=True)
        if (new / REPORT).is_file():  # else it was moved before a kill
            os.replace(new / REPORT, old / REPORT)
        os.replace(new / RESULTS, old / RESULTS)


def _end(out: Path) -> None:
    """The marker goes last: until then the acceptance is not over."""
    for folder in (path for path in (out / REGRADE).iterdir() if path.is_dir()):
        shutil.rmtree(folder, ignore_errors=True)
    with refused(out / REGRADE):
        (out / REGRADE / MARKER).unlink(missing_ok=True)
    with suppress(OSError):
        (out / REGRADE).rmdir()


def _drop(out: Path) -> None:
    """Away in one step, then removed; what a kill leaves is removed by the next run."""
    remove_dropped(out)
    with refused(out / REGRADE):
        os.replace(out / REGRADE, out / DROPPED)
    remove_dropped(out)


def remove_dropped(out: Path) -> None:
    shutil.rmtree(out / DROPPED, ignore_errors=True)
