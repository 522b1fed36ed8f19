"""Students as numbers in all that a batch writes. Who is who stands beside the folder of results, not in it.

Numbers are drawn at random and kept, so they say nothing of the alphabet or of who joined later, and stay the same.
"""

from __future__ import annotations

import csv
import hashlib
import io
import os
import random
import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from grader.batch.lock import one_batch
from grader.batch.outcome import STUDENTS
from grader.errors import UsageError
from grader.report.gradebook import safe
from grader.report.rows import NUMBERED
from grader.results.schema import Origin
from grader.results.store import encoded, refused, staged
from grader.submission.intake.model import shown
from grader.submission.model import SourceFile, Submission

HEAD = ["number", "student", "name", "key"]  # key: a digest of the student, since the other cells are made safe
LEAST_DIGITS = 3
LEAST_ID = 4  # characters: a shorter one would be found in any sentence


def names_beside(out: Path) -> Path:
    """The way back from numbers to names."""
    whole = out.resolve()
    return whole.with_name(f"{whole.name}-names.csv")


def named(submissions: list[Submission], out: Path) -> list[Submission]:
    """As they are; refused where students are numbers, since one run with names would undo all the others."""
    book = names_beside(out)
    if book.exists():
        raise UsageError(
            f"The results in {str(out)!r} are anonymous, as {book.name!r} beside them shows: "
            "add --anonymous, or choose another folder."
        )
    return submissions


def numbered(submissions: Sequence[Submission], out: Path, chance: random.Random | None = None) -> list[Submission]:
    """The same by number, in the order of the numbers. New students get theirs, and all stand in `names_beside`."""
    book = names_beside(out)
    with one_batch(out):
        taken = _no_names(out)
        known = _read(book)
        keys = {_key(submission.student) for submission in submissions}
        fresh = sorted(keys - known.keys())
        numbers = known | _draw(fresh, {*taken, *known.values()}, len(known | dict.fromkeys(keys, 0)), chance)
        if fresh:
            _write(book, submissions, numbers)
    found = [_without_name(s, f"Student {numbers[_key(s.student)]}") for s in submissions]
    return sorted(found, key=lambda submission: submission.student)


def _key(student: str) -> str:
    return hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()


def _no_names(out: Path) -> set[str]:
    """The numbers that have a folder of results. One with a name is refused."""
    numbers = set()
    for folder in sorted(path for path in (out / STUDENTS).glob("*") if path.is_dir()):
        label = NUMBERED.fullmatch(folder.name)
        if not label:
            raise UsageError(f"{str(folder)!r} is called by a name: choose an empty folder for --anonymous.")
        numbers.add(label[1])
    return numbers


def _draw(fresh: Sequence[str], taken: set[str], students: int, chance: random.Random | None) -> dict[str, str]:
    """From twice as many numbers as there are students, so that gaps say nothing of who left."""
    digits = max(LEAST_DIGITS, len(str(2 * (students + len(taken)))))
    free = [number for n in range(1, 10**digits) if (number := f"{n:0{digits}}") not in taken]
    return dict(zip(fresh, (chance or random.SystemRandom()).sample(free, len(fresh)), strict=True))


def _read(book: Path) -> dict[str, str]:
    """Numbers by key."""
    return {line["key"]: line["number"] for line in _lines(book)}


def _lines(book: Path) -> list[dict[str, str]]:
    try:
        with book.open(encoding="utf-8-sig", newline="") as file:
            lines = list(csv.DictReader(file))
    except FileNotFoundError:
        return []
    except (OSError, ValueError, csv.Error) as error:
        raise UsageError(f"{str(book)!r} cannot be read ({error}): it says which number is whose.") from error
    if any(None in line.values() or not set(HEAD) <= line.keys() or not line["number"].isdigit() for line in lines):
        raise UsageError(
            f"{str(book)!r} is no list of numbers and names any more: restore it, "
            "or remove it together with the results to draw new numbers."
        )
    return lines


def _write(book: Path, submissions: Iterable[Submission], numbers: dict[str, str]) -> None:
    """Of those who are not handed in any more, what was there stays. Only its owner may read it."""
    lines = {line["key"]: [line[name] for name in HEAD] for line in _lines(book)}
    for one in submissions:
        key, name = _key(one.student), one.origin.name if one.origin else ""
        lines[key] = [numbers[key], safe(one.student), safe(name), key]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([HEAD, *sorted(lines.values())])
    with staged(book, encoded(text.getvalue())) as new, refused(book):
        new.chmod(0o600)
        os.replace(new, book)


def _without_name(submission: Submission, label: str) -> Submission:
    """What the platform says of a person goes, but for when the work was handed in; sentences say the number."""
    known, words = submission.origin, _words(submission)

    def told(text: str) -> str:
        return words.sub(label, text)

    return replace(
        submission,
        student=label,
        files={name: _told(file, told) for name, file in submission.files.items()},
        problems=tuple(map(told, submission.problems)),
        called="",
        origin=Origin(submitted=known.submitted, late=known.late) if known else None,
    )


def _told(file: SourceFile, told: Callable[[str], str]) -> SourceFile:
    """What verdicts say of a file: why it cannot be graded, and the notebook's name in front of its cells."""
    spans = tuple((first, told(place), line) for first, place, line in file.spans)
    return replace(file, problem=file.problem and told(file.problem), called=told(file.called), spans=spans)


def _words(submission: Submission) -> re.Pattern[str]:
    """All that names the person, the longest first; also as it stands in a quoted path, or in a file's name."""
    words = {submission.student, submission.called}
    if (known := submission.origin) is not None:
        parts = known.name.split()
        words |= {known.name, known.folder, *_in_one(parts)}
        words |= {part for part in parts if len(part) > 2}
        words |= {i for whole in known.ids.values() for i in (whole, whole.partition("@")[0]) if len(i) >= LEAST_ID}
    words |= {spelt for word in words for spelt in _spellings(word)}
    found = "|".join(re.escape(word) for word in sorted(words - {""}, key=lambda word: (-len(word), word)))
    return re.compile(rf"(?<![^\W_])(?:{found or '(?!)'})(?![^\W_])", re.IGNORECASE)


def _in_one(parts: Sequence[str]) -> set[str]:
    """The name as one word, whichever of its parts is called the last name: `vandenbergpiet`, `bergpietvanden`."""
    return {"".join([*parts[at:], *parts[:at]]) for at in range(len(parts))}


def _spellings(word: str) -> set[str]:
    """As sentences write it: within quotes, cut where it is long, and with the accents that a system left of it."""
    whole, apart = (unicodedata.normalize(form, word) for form in ("NFC", "NFD"))
    bare = "".join(c for c in apart if not unicodedata.combining(c))
    return {told for spelt in (word, whole, apart, bare) for told in (repr(spelt)[1:-1], shown(spelt))}
