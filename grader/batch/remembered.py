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
from grader.language import N_

LEAST_GONE = 2  # students; one alone may just have left


def overrides_kept_as(path: Path, out: Path) -> str | None:
    """How class.json names the file. None: it is OUT's own."""
    return None if path.resolve() == out.resolve() / FILE else kept_as(path, out)


def kept_as(path: Path, out: Path) -> str:
    """Relative to OUT, so that both can be moved together."""
    return _relative(path.resolve(), out.resolve())


def last_run(out: Path) -> Class | None:
    return read_class(out) if (out / CLASS).is_file() else None


def last_overrides(last: Class | None, out: Path) -> Path | None:
    """The file that the last run named, if that was not OUT's own. UsageError if it is gone."""
    return _file(out, "overrides", last.overrides if last else None, N_("an empty file to take all adjustments back"))


def last_roster(last: Class | None, out: Path) -> Path | None:
    """UsageError if it is gone."""
    return _file(out, "roster", last.roster if last else None, N_('go without one: `--roster ""`'))


def gone(last: Class | None, students: Collection[str]) -> tuple[list[str], int]:
    """Whom the last run had and this one has not, and how many that one had. Nobody, where it is but a few."""
    before = [member.student for member in last.members] if last else []
    missing = [student for student in before if student not in students]
    few = len(missing) < LEAST_GONE or len(missing) * 4 < len(before)
    return [] if few else missing, len(before)


def _file(out: Path, what: str, named: str | None, otherwise: str) -> Path | None:
    """As it is seen from where one stands."""
    if named is None:
        return None
    path = Path(_relative((out.resolve() / named).resolve(), Path.cwd()))
    if not path.is_file():
        raise UsageError(
            f"The last run took its {what} from {str(path)!r}, which is gone: name its new place with "
            f"`--{what} FILE`, or {otherwise}."
        )
    return path


def _relative(path: Path, folder: Path) -> str:
    try:
        return Path(os.path.relpath(path, folder)).as_posix()
    except ValueError:  # another drive of Windows
        return str(path)
