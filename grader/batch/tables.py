"""What a batch writes for the class as a whole, and what it remembers of it: class page, gradebook, pending changes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import msgspec

from grader.batch.history import newest
from grader.batch.outcome import HISTORY, REGRADE, REPORT, RESULTS, STUDENTS, read
from grader.batch.pages import Pages
from grader.errors import ResultsError, UsageError
from grader.language import N_
from grader.report.changes import StudentChange, changes
from grader.report.rows import Row
from grader.results.schema import Origin, Results
from grader.results.store import encoded, load, refused, write_atomic

INDEX, GRADEBOOK, CHANGES, CLASS = "index.html", "gradebook.csv", "changes.html", "class.json"
NOT_LOOKED_AT = N_("There are no results yet, and this run was for others.")


class Member(msgspec.Struct, frozen=True, kw_only=True):
    """A line of the class. `problem`: why there are no results, or only what a person says `by_hand`."""

    student: str
    folder: str
    problem: str | None = None
    by_hand: bool = False
    origin: Origin | None = None  # of one without results; the others' is in theirs


class Class(msgspec.Struct, frozen=True, kw_only=True):
    """class.json: enough to make the tables again without the submissions."""

    title: str
    members: list[Member]
    overrides: str | None = None  # the file of the last run, relative to OUT; None: OUT/overrides.toml, or none
    roster: str | None = None  # the same of the roster; None: there was none


def row_of(student: str, folder: str, results: Results, nothing: str | None = None) -> Row:
    """`nothing`: why there was no file to grade. Then only points by hand count, and a comment alone gives none."""
    href = f"{STUDENTS}/{quote(folder)}/{REPORT}"
    counts = nothing is None or any(one.kind == "override" for one in results.adjustments)
    return Row(student, results if counts else None, nothing, href, results.origin)


def write_tables(
    out: Path, title: str, rows: Sequence[Row], folders: dict[str, str], pages: Pages,
    overrides: str | None, roster: str | None,
) -> list[StudentChange]:  # fmt: skip
    """All are rendered before one is written, and a Ctrl-C on the way waits, so that they belong together."""

    def write_all() -> list[StudentChange]:
        waiting = pending(out)
        members = [_member(row, folders[row.student]) for row in rows]
        known = msgspec.json.encode(Class(title=title, members=members, overrides=overrides, roster=roster))
        documents = {
            INDEX: encoded(pages.overview(title, list(rows), before(out, rows, folders))),
            GRADEBOOK: encoded(pages.gradebook(list(rows))),
            CLASS: msgspec.json.format(known, indent=1) + b"\n",
        }
        if waiting:
            documents[CHANGES] = encoded(pages.changes(title, waiting, None))
        for name, data in documents.items():
            write_atomic(out / name, data)
        if not waiting:
            with refused(out / CHANGES):
                (out / CHANGES).unlink(missing_ok=True)
        return waiting

    try:
        return write_all()
    except KeyboardInterrupt:
        write_all()
        raise


def _member(row: Row, folder: str) -> Member:
    return Member(
        student=row.student,
        folder=folder,
        problem=row.problem,
        by_hand=row.problem is not None and bool(row.href),
        origin=None if row.results else row.origin,
    )


def read_class(out: Path) -> Class:
    """Raises UsageError where no batch has been."""
    try:
        return msgspec.json.decode((out / CLASS).read_bytes(), type=Class)
    except FileNotFoundError:
        raise UsageError(f"No batch has written to {str(out)!r}: name the OUT of a `grade batch`.") from None
    except (OSError, msgspec.DecodeError) as error:
        raise ResultsError(
            f"{str(out / CLASS)!r} cannot be read ({error}): restore it, or remove it and run the batch "
            "again with its --roster, --overrides and --title."
        ) from error


def rows_of(out: Path, known: Class) -> list[Row]:
    """The class as it is on the disk."""
    return [_row(out, member) for member in known.members]


def _row(out: Path, member: Member) -> Row:
    results = read(out / STUDENTS / member.folder, member.student)
    if results is None or (member.problem and not member.by_hand):
        return Row(member.student, None, member.problem or NOT_LOOKED_AT, None, member.origin)
    return row_of(member.student, member.folder, results, member.problem)


def before(out: Path, rows: Sequence[Row], folders: dict[str, str]) -> list[Row] | None:
    """The class before its newest change: those whose results were replaced then, as they were. None: nothing was."""
    replaced = newest(out / HISTORY)
    if replaced is None:
        return None
    old = {row.student: replaced / folders[row.student] / RESULTS for row in rows}
    return [replace(row, results=_readable(old[row.student]) or row.results) for row in rows]


def _readable(path: Path) -> Results | None:
    """Of the history: what cannot be read there is no reason to stop."""
    with suppress(ResultsError):
        return load(path)
    return None


def staged_folders(out: Path) -> list[Path]:
    """Of students whose new results wait to be accepted, whole."""
    return [path.parent for path in sorted((out / REGRADE).glob(f"*/{RESULTS}"))]


def pending(out: Path) -> list[StudentChange]:
    """What would change if everything were accepted."""
    pairs = [(out / STUDENTS / folder.name / RESULTS, folder / RESULTS) for folder in staged_folders(out)]
    return changes((load(old), load(new)) for old, new in pairs if old.is_file())
