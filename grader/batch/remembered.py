"""What a run takes from the last one where its own options say nothing: overrides, roster and title.

A run makes adjustments anew, so one that forgets --overrides would take all of them back without a word; one that
forgets --roster would make a second class beside the first, and call everyone otherwise.
"""

from __future__ import annotations

import os
from collections.abc import Collection
from pathlib import Path

from grader.batch.overrides import FILE
from grader.batch.tables import CLASS, Class, read_class
from grader.errors import UsageError

LEAST_GONE = 2  # students; one alone may just have left


def overrides_kept_as(path: Path, out: Path) -> str | None:
    """How class.json names the file. None: it is OUT's own."""
    return None if path.resolve() == out.resolve() / FILE else kept_as(path, out)


def kept_as(path: Path, out: Path) -> str:
    """Relative to OUT, so that both can be moved together."""
    return _relative(path.resolve(), out.resolve())


def last_overrides(out: Path) -> Path | None:
    """The file that the last run named, if that was not OUT's own. UsageError if it is gone."""
    last = _last(out)
    path = _seen_from_here(out, last.overrides if last else None)
    if path is not None and not path.is_file():
        raise UsageError(
            f"The last run took its overrides from {str(path)!r}, which is gone: name its new place with "
            "`--overrides FILE`, or an empty file to take all adjustments back."
        )
    return path


def last_roster(out: Path) -> Path | None:
    """UsageError if it is gone."""
    last = _last(out)
    path = _seen_from_here(out, last.roster if last else None)
    if path is not None and not path.is_file():
        raise UsageError(
            f"The last run took its roster from {str(path)!r}, which is gone: name its new place with "
            '`--roster FILE`, or go without one: `--roster ""`.'
        )
    return path


def last_title(out: Path) -> str | None:
    last = _last(out)
    return last.title if last else None


def gone(out: Path, students: Collection[str]) -> tuple[list[str], int]:
    """Whom the last run had and this one has not, and how many that one had. Nobody, where it is but a few."""
    last = _last(out)
    before = [member.student for member in last.members] if last else []
    missing = [student for student in before if student not in students]
    few = len(missing) < LEAST_GONE or len(missing) * 4 < len(before)
    return [] if few else missing, len(before)


def _last(out: Path) -> Class | None:
    return read_class(out) if (out / CLASS).is_file() else None


def _seen_from_here(out: Path, named: str | None) -> Path | None:
    return Path(_relative((out.resolve() / named).resolve(), Path.cwd())) if named is not None else None


def _relative(path: Path, folder: Path) -> str:
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # another drive of Windows
        return str(path)
