"""Which overrides a run uses: the file it names, the one of the last run, or the one in OUT.

A run makes adjustments anew, so one that forgets --overrides would take all of them back without a word.
"""

from __future__ import annotations

import os
from pathlib import Path

from grader.batch.overrides import FILE
from grader.batch.tables import CLASS, read_class
from grader.errors import UsageError


def kept_as(path: Path, out: Path) -> str | None:
    """How class.json names the file: relative to OUT, so that both can be moved together. None: it is OUT's own."""
    file, folder = path.resolve(), out.resolve()
    return None if file == folder / FILE else _relative(file, folder)


def as_last_time(out: Path) -> Path | None:
    """The file that the last run named, if that was not OUT's own. UsageError if it is gone."""
    named = read_class(out).overrides if (out / CLASS).is_file() else None
    if named is None:
        return None
    path = Path(_relative((out.resolve() / named).resolve(), Path.cwd()))
    if not path.is_file():
        raise UsageError(
            f"The last run took its overrides from {str(path)!r}, which is gone: name its new place with "
            "`--overrides FILE`, or an empty file to take all adjustments back."
        )
    return path


def _relative(path: Path, folder: Path) -> str:
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # another drive of Windows
        return str(path)
