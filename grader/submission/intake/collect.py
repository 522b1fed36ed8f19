"""From what a student handed in to a submission: archives are opened, exercises found, and what is odd is said."""

from __future__ import annotations

from collections.abc import Sequence

from grader.language import N_
from grader.submission.files import Unreadable, no_files, with_file
from grader.submission.intake.archive import opened
from grader.submission.intake.match import MOST_NAMED, matched
from grader.submission.intake.model import CODE, OTHER_ARCHIVES, Handin, Item, Wanted, shown
from grader.submission.model import Submission

DEEPEST = 2  # archives in each other: that of the class, and that of a student


def collected(handin: Handin, wanted: Wanted) -> Submission:
    """The files of each exercise. Whatever is wrong is a sentence of this submission, and of no other."""
    items, problems = unpacked(handin.items, handin.packed)
    matching = matched(items, wanted, handin.found)
    said = [*handin.problems, *problems, *matching.problems]
    submission = Submission(handin.student, dict(handin.found), tuple(said), handin.origin)
    for name in sorted(matching.files):
        submission = with_file(submission, matching.files[name])
    if submission.files:
        return submission
    return Submission(handin.student, {}, (*said, *_nothing(handin, items, bool(said), wanted)), handin.origin)


def unpacked(items: Sequence[Item], packed: int) -> tuple[list[Item], list[str]]:
    """The files, with those in archives among them: `packed` is how many archives they lie in already."""
    found: list[Item] = []
    problems: list[str] = []
    for item in items:
        if item.suffix == ".zip":
            inner, more = _inside(item, packed)
            found += inner
            problems += more
        else:
            found.append(item)
            if item.suffix in OTHER_ARCHIVES:
                file = shown(item.path)
                problems.append(N_(f"{file} is not opened: only .zip archives are. Hand in the files."))
    return found, problems


def _inside(item: Item, packed: int) -> tuple[list[Item], list[str]]:
    file = shown(item.path)
    if packed >= DEEPEST:
        return [], [N_(f"{file} is not opened: it is an archive in an archive in an archive. Hand in the files.")]
    try:
        source = opened(item)
    except (Unreadable, OSError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        return [], [N_(f"{file} cannot be read: {reason}.")]
    items, problems = unpacked(source.items, packed + 1)
    said = [N_(f"In the archive {file}: {problem}") for problem in (*source.problems, *problems)]
    return [Item(f"{item.path}/{inner.path}", inner.read) for inner in items], said


def _nothing(handin: Handin, items: Sequence[Item], is_said: bool, wanted: Wanted) -> list[str]:
    """Why there is no file, where nothing else says so, and what there is instead."""
    where = (handin.origin.folder if handin.origin else "") or handin.student
    others = [item for item in items if item.suffix not in (*CODE, *OTHER_ARCHIVES)]
    files = ", ".join(shown(item.path) for item in others[:MOST_NAMED])
    only = [N_(f"What was handed in is no code: {files}.")] if files else []
    return only + ([] if is_said else [no_files(where, wanted.names)])
