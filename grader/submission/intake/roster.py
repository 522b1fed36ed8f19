"""Read the list of a class: a CSV of Canvas, Gradescope, Moodle or GitHub Classroom, or one written by hand."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grader.errors import UsageError
from grader.language import N_
from grader.submission.files import Unreadable, bytes_of
from grader.submission.intake.model import same_name, shown

LIMIT = 16 << 20  # bytes
IDS = ("roster", "canvas", "moodle", "email", "login", "github")
# Headers, in lower case and without marks, and what stands below them.
HEADERS = {
    "name": ("name", "student", "student name", "full name", "fullname", "display name", "姓名", "名字"),
    "first": ("first name", "first", "firstname", "given name", "名"),
    "last": ("last name", "last", "lastname", "surname", "family name", "姓"),
    "roster": ("id", "student id", "sid", "sis user id", "sis id", "id number", "student number", "roster id",
               "identifier", "学号"),
    "canvas": ("canvas id", "canvas user id", "canvas"),
    "moodle": ("participant", "moodle", "moodle id"),
    "email": ("email", "e mail", "email address", "mail", "邮箱"),
    "login": ("login", "login id", "sis login id", "username", "user name", "user", "netid", "用户名"),
    "github": ("github", "github username", "github login", "github user"),
    "role": ("role",),
}  # fmt: skip
_TEACHERS = ("instructor", "ta", "reader", "teacher", "grader", "admin")
_PARTICIPANT = re.compile(r"\D*\s(\d+)")
_NO_STUDENT = ("points possible", "student, test", "test student")  # rows of Canvas


@dataclass(frozen=True, slots=True)
class Entry:
    """One student of the class. `name` as people write it, `sortable` as Canvas sorts it."""

    line: int
    name: str
    sortable: str
    ids: Mapping[str, str]  # by IDS


def read_roster(path: Path) -> list[Entry]:
    """The students in a file, in its order. UsageError with the line for whatever is not certain."""
    rows = _rows(path)
    columns = _columns(path, next(rows, (1, []))[1])
    entries = [entry for line, cells in rows if (entry := _entry(line, cells, columns))]
    if not entries:
        raise UsageError(f"The roster {str(path)!r} has no student below its header: add a line for each.")
    _refuse_doubles(path, entries)
    return entries


def _rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Line and cells. The separator is the one that the header has most of."""
    try:
        data = bytes_of(path, LIMIT)
        text = data.decode("utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig")
    except (OSError, Unreadable) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageError(f"The roster {str(path)!r} cannot be read ({reason}): check the path.") from None
    except UnicodeDecodeError:
        raise UsageError(f"The roster {str(path)!r} is not UTF-8: save it as CSV UTF-8.") from None
    header = next(filter(str.strip, text.splitlines()), "")
    # strict: a quote that is never closed would make one name of all that follows
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=max(",;\t", key=header.count), strict=True)
    try:
        for cells in reader:
            if any(cell.strip() for cell in cells):
                yield reader.line_num, [cell.strip() for cell in cells]
    except csv.Error as error:
        line = reader.line_num
        raise UsageError(f"The roster {str(path)!r} is no CSV at line {line} ({error}): save it again.") from None


def _columns(path: Path, header: Sequence[str]) -> dict[str, int]:
    """Where each kind of cell stands. In the gradebook of Canvas, ID is Canvas's own."""
    words = [" ".join(re.findall(r"\w+", cell.casefold().replace("_", " "))) for cell in header]
    columns: dict[str, int] = {}
    is_canvas = {"student", "id", "section"} <= set(words)
    if is_canvas:
        columns["canvas"] = words.index("id")
    for kind, known in HEADERS.items():
        at = [words.index(word) for word in known if word in words and not (is_canvas and word == "id")]
        columns |= {kind: at[0]} if at and kind not in columns else {}
    if not columns.keys() & {"name", *IDS} and not {"first", "last"} <= columns.keys():
        seen = ", ".join(shown(cell) for cell in header[:8])
        raise UsageError(
            f"The roster {str(path)!r} has no column that says who is who ({seen}): its first line must name columns, "
            "like name, id, email, login or github."
        )
    return columns


def _entry(line: int, cells: Sequence[str], columns: Mapping[str, int]) -> Entry | None:
    """None for a row that is no student."""
    found = {kind: cells[at] for kind, at in columns.items() if at < len(cells) and cells[at]}
    name = found.get("name", "")
    if name.casefold().startswith(_NO_STUDENT) or found.get("role", "").casefold() in _TEACHERS:
        return None
    ids = {kind: found[kind] for kind in IDS if kind in found}
    if match := _PARTICIPANT.fullmatch(ids.get("roster", "")):  # the Identifier of Moodle's worksheet
        ids["moodle"] = match[1]
        del ids["roster"]
    if "first" in found or "last" in found:
        first, last = found.get("first", ""), found.get("last", "")
        return Entry(line, name or f"{first} {last}".strip(), f"{last}, {first}", ids)
    if not name and not ids:
        return None
    return Entry(line, *_both_ways(name), ids)


def _both_ways(name: str) -> tuple[str, str]:
    """ "Lovelace, Ada" and "Ada Lovelace" as ("Ada Lovelace", "Lovelace, Ada")."""
    last, comma, first = name.partition(",")
    if comma:
        return f"{first.strip()} {last.strip()}".strip(), name
    first, _, last = name.rpartition(" ")
    return name, f"{last}, {first}" if first else name


def _refuse_doubles(path: Path, entries: Sequence[Entry]) -> None:
    for kind in IDS:
        seen: dict[str, int] = {}
        for entry in entries:
            value = entry.ids.get(kind, "")
            if value and (first := seen.setdefault(value.casefold(), entry.line)) != entry.line:
                what = N_("student id") if kind == "roster" else kind
                raise UsageError(
                    f"The roster {str(path)!r} has the {what} {shown(value)!r} twice, in lines {first} and "
                    f"{entry.line}: keep one of them."
                )
    nameless: dict[str, int] = {}
    for entry in entries:
        key = same_name(entry.name)
        if not entry.ids and (first := nameless.setdefault(key, entry.line)) != entry.line:
            raise UsageError(
                f"The roster {str(path)!r} has {shown(entry.name)!r} twice, in lines {first} and {entry.line}, and no "
                "ids: add a column of ids."
            )
