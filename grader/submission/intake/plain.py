"""No platform: a folder a student, files STUDENT_NAME.py, archives called like their students, or all of these."""

from __future__ import annotations

from functools import partial

from grader.results.schema import Origin
from grader.submission.discover import add_flat, discover
from grader.submission.files import INNER, no_files, source_of
from grader.submission.intake.model import CODE, OTHER_ARCHIVES, Handin, Item, Source, Wanted, by_top, label
from grader.submission.model import SourceFile, Submission


def handins(source: Source, wanted: Wanted) -> list[Handin]:
    """One for each student: of a folder on the disk as `discover` finds them, of an archive by the same rules."""
    if source.root is None and is_one_student(source, wanted):
        return [Handin(label(source.name), source.items, packed=1)]
    archives = [item for item in source.items if not item.top and item.suffix in (".zip", *OTHER_ARCHIVES)]
    folders, known = by_top(source.items), flat(source, wanted)
    packed = 0 if source.root else 1
    rows = [_of_folder(folder, known, folders, source, wanted, packed) for folder in source.folders]
    others = [Handin(s.student, problems=s.problems, found=s.files) for s in known.values()]
    packs = [Handin(label(a.stem), (a,), Origin(folder=a.name), packed=packed) for a in archives]
    return [*rows, *others, *packs]


def is_one_student(source: Source, wanted: Wanted) -> bool:
    """The files of the exercises lie at the root, or in exercises/."""
    exact = {f"{name}{suffix}" for name in wanted.names for suffix in CODE}
    return INNER in source.folders or any(item.path in exact for item in source.items)


def flat(source: Source, wanted: Wanted) -> dict[str, Submission]:
    """By student. Of a folder on the disk all that `discover` finds, folders too."""
    if source.root is not None:
        return {
            s.student: s
            for s in discover(source.root, wanted.names, source.ignored, wanted.is_stub, wanted.by_exercise)
        }
    found: dict[str, Submission] = {}
    for item in sorted(source.items, key=lambda item: item.path):
        if not item.top and item.suffix in CODE:
            add_flat(found, item.name, wanted.names, partial(_source, item))
    return found


def _source(item: Item, name: str) -> SourceFile:
    return source_of(item.read, name, f"{name}{item.suffix}")


def _of_folder(
    folder: str, rows: dict[str, Submission], files: dict[str, list[Item]], source: Source, wanted: Wanted, packed: int
) -> Handin:
    """A folder, with the flat files of the same student."""
    student = label(folder)
    known = rows.pop(student, Submission(student))
    empty = no_files(folder, wanted.names)  # said again in the end, if nothing else is found
    problems = [*(p for p in known.problems if p != empty), *source.by_folder.get(folder, ())]
    return Handin(student, tuple(files.get(folder, ())), Origin(folder=folder), tuple(problems), known.files, packed)
