"""Take in what a platform handed out: find out which one it was, whose files they are, and what is graded as what."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from pathlib import Path

from grader.errors import UsageError
from grader.language import N_
from grader.submission.intake import canvas, classroom, gradescope, moodle, plain
from grader.submission.intake.archive import open_class
from grader.submission.intake.collect import collected
from grader.submission.intake.disk import open_folder
from grader.submission.intake.labels import alphabetic, distinct
from grader.submission.intake.model import Handin, Source, Wanted
from grader.submission.intake.people import with_roster
from grader.submission.intake.roster import Entry
from grader.submission.model import Submission


@dataclass(frozen=True, slots=True)
class Platform:
    """How one platform hands out a class. `recognises` none: never by itself."""

    title: str
    recognises: Callable[[Source], bool] | None
    handins: Callable[[Source, Wanted], Sequence[Handin]]


# A new platform is one file and one line. The first that recognises what it is given takes it.
PLATFORMS = {
    "gradescope": Platform(N_("Gradescope export"), gradescope.recognises, gradescope.handins),
    "moodle": Platform(N_("Moodle download"), moodle.recognises, moodle.handins),
    "canvas": Platform(N_("Canvas download"), canvas.recognises, canvas.handins),
    "classroom": Platform(N_("GitHub Classroom clones"), classroom.recognises, classroom.handins),
    "folders": Platform(N_("Folders of students"), None, plain.handins),
    "files": Platform(N_("Files of students"), None, plain.handins),
}
AUTO = "auto"


@dataclass(frozen=True, slots=True)
class Intake:
    """A class, ready to be graded."""

    title: str  # of the platform, in English
    submissions: tuple[Submission, ...]  # in the roster's order, all others behind; without one sorted by name
    students: int  # who handed in something
    files: int  # without what systems leave behind
    problems: tuple[str, ...]  # sentences that belong to nobody


def take_in(
    path: Path, wanted: Wanted, shape: str = AUTO, roster: Sequence[Entry] | None = None, ignore: Iterable[Path] = ()
) -> Intake:
    """Everyone in `path`, a folder or a .zip. UsageError if there is nobody, or it cannot be read."""
    with _opened(path, ignore) as opened:
        name, source = _recognised(opened, wanted, shape)
        handins = PLATFORMS[name].handins(source, wanted)
        submissions = sorted((collected(handin, wanted) for handin in handins), key=alphabetic)
    if not handins:
        raise UsageError(
            f"There is no submission in {str(path)!r}: put a folder per student there, files like "
            f"STUDENT_{next(iter(wanted.names), 'NAME')}.py, or name what a platform handed out."
        )
    if roster is not None:
        submissions = with_roster(submissions, roster)
    files = sum(item.path not in (gradescope.EXPORT, gradescope.SINGLE) for item in source.items)
    students = sum(bool(handin.items or handin.found or handin.origin) for handin in handins)
    return Intake(PLATFORMS[name].title, tuple(distinct(submissions)), students, files, source.problems)


def _opened(path: Path, ignore: Iterable[Path]) -> AbstractContextManager[Source]:
    if path.is_dir() or not path.exists():
        return nullcontext(open_folder(path, ignore))
    if path.suffix.lower() == ".zip" or zipfile.is_zipfile(path):
        return open_class(path)
    raise UsageError(f"{str(path)!r} is a file, not a folder or a .zip archive: name the folder it is in.")


def _recognised(source: Source, wanted: Wanted, shape: str) -> tuple[str, Source]:
    """The platform, and what it made: itself, or what is in the one folder around it."""
    inner = _inside(source)
    for name, platform in PLATFORMS.items():
        for candidate in (source, inner):
            if shape in (AUTO, name) and platform.recognises and candidate and platform.recognises(candidate):
                return name, candidate
    if shape != AUTO and PLATFORMS[shape].recognises:
        return shape, source
    if inner and source.root is None and not plain.is_one_student(inner, wanted) and _is_class(inner, wanted):
        source = inner
    return (("folders" if source.folders else "files") if shape == AUTO else shape), source


def _inside(source: Source) -> Source | None:
    """The folder at the root, if it is the only thing there."""
    if len(source.folders) != 1 or any(not item.top for item in source.items):
        return None
    (folder,) = source.folders
    return open_folder(source.root / folder, source.ignored) if source.root else source.below(folder)


def _is_class(source: Source, wanted: Wanted) -> bool:
    """Folders or archives, or flat files of more than one student: not one student's own files."""
    files = [item for item in source.items if not item.top]
    students = {s.student for s in plain.flat(source, wanted).values() if s.files}
    return bool(source.folders) or any(item.suffix == ".zip" for item in files) or len(students) > 1
