"""GitHub Classroom: a folder of clones, each called ASSIGNMENT-USERNAME."""

from __future__ import annotations

from grader.results.schema import Origin
from grader.submission.intake.commits import last_commit
from grader.submission.intake.model import Handin, Source, Wanted, by_top, label

_OF_CLASS = "-submissions"  # what `gh classroom clone student-repos` adds to the assignment's name


def recognises(source: Source) -> bool:
    """Most folders are clones."""
    return len(source.clones) > len(source.folders) / 2


def handins(source: Source, wanted: Wanted) -> list[Handin]:
    """One for each folder; those that are no clones too."""
    prefix = prefix_of(source)
    files = by_top(source.items)
    rows = []
    for folder in source.folders:
        user = folder.removeprefix(prefix) or folder
        submitted = last_commit(source.root / folder) if source.root and folder in source.clones else None
        origin = Origin(ids={"github": user}, submitted=submitted, folder=folder)
        said = source.by_folder.get(folder, ())
        rows.append(Handin(label(user), tuple(files.get(folder, ())), origin, said))
    return rows


def prefix_of(source: Source) -> str:
    """ "hw3-": from the name of the folder around the clones, else what all their names begin with."""
    around = source.name.removesuffix(_OF_CLASS) + "-"
    if source.name.endswith(_OF_CLASS) and all(name.startswith(around) for name in source.clones):
        return around
    if len(source.clones) < 2:
        return ""
    first, last = source.clones[0], source.clones[-1]  # sorted: what these two share, all share
    shared = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return first[: first.rfind("-", 0, shared) + 1]  # up to a -, since a username may begin like another
