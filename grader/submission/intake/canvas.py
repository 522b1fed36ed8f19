"""Canvas, "Download Submissions": one file an attachment, NAME[_LATE]_USER_ATTACHMENT_FILE, all in one folder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from grader.language import N_
from grader.results.schema import Origin
from grader.submission.intake.model import Handin, Item, Source, Wanted, label, shown

# The name has only letters, digits and _ in it, and Canvas takes _DIGITS_ out of it: the first pair of ids counts.
_USER = r"(?P<who>.+?_)??(?P<late>LATE_)?(?P<user>anon_[^_\W]+|\d+)"
_FILE = re.compile(rf"{_USER}_(?P<attachment>\d+)_(?P<file>.+)", re.DOTALL)
_TEXT = re.compile(rf"{_USER}_(?:text|link)\.html", re.DOTALL)
_AGAIN = re.compile(r"(?P<stem>.+)-(?P<number>\d{1,4})(?P<suffix>\.\w+)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class _Upload:
    """One attachment, as its name tells."""

    item: Item
    number: int  # of the attachment: later ones are larger
    file: str  # what the student called it
    again: int = 0  # the N of NAME-N.py: Canvas counts what is handed in under the same name

    @property
    def order(self) -> tuple[int, int]:
        return self.again, self.number


def recognises(source: Source) -> bool:
    """All files at the root are called so, and there is nothing else."""
    found = [bool(_match(item)) for item in source.items]
    return bool(found) and not source.folders and sum(found) > len(found) / 2


def handins(source: Source, wanted: Wanted) -> list[Handin]:
    """One for each user."""
    by_user: dict[str, list[re.Match[str]]] = {}
    rows: list[Handin] = []
    items = {item.path: item for item in source.items}
    for item in source.items:
        if match := _match(item):
            by_user.setdefault(match["user"], []).append(match)
        else:
            file = shown(item.path)
            problem = N_(f"{file} is not called as Canvas calls files, so it is nobody's.")
            rows.append(Handin(label(item.path), problems=(problem,)))
    return [*(_of_user(user, matches, items) for user, matches in by_user.items()), *rows]


def _match(item: Item) -> re.Match[str] | None:
    return None if item.top else _FILE.fullmatch(item.path) or _TEXT.fullmatch(item.path)


def _of_user(user: str, matches: Sequence[re.Match[str]], items: dict[str, Item]) -> Handin:
    who = next((m["who"].rstrip("_") for m in matches if m["who"]), "")
    uploads = [_upload(m, items[m.string]) for m in matches if m.re is _FILE]
    kept, problems = _newest(uploads)
    if len(uploads) < len(matches):
        problems.append(N_("A text or a link that was entered in Canvas is not graded: hand in the file."))
    origin = Origin(name=who, ids={"canvas": user}, late=any(m["late"] for m in matches))
    return Handin(label(who or user), tuple(kept), origin, tuple(problems))


def _upload(match: re.Match[str], item: Item) -> _Upload:
    again = _AGAIN.fullmatch(match["file"])
    number = int(match["attachment"])
    if again is None:
        return _Upload(item, number, match["file"])
    return _Upload(item, number, f"{again['stem']}{again['suffix']}", int(again["number"]))


def _newest(uploads: Sequence[_Upload]) -> tuple[list[Item], list[str]]:
    """Of each name the last one that was handed in."""
    by_file: dict[str, list[_Upload]] = {}
    for upload in uploads:
        by_file.setdefault(upload.file, []).append(upload)
    problems = []
    for name, several in by_file.items():
        if len(several) > 1:
            file, n = shown(name), len(several)
            problems.append(N_(f"{file} was handed in {n} times: the newest is graded."))
    newest = {file: max(several, key=lambda upload: upload.order) for file, several in by_file.items()}
    return [Item(file, upload.item.read) for file, upload in newest.items()], problems
