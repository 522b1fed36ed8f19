"""Gradescope, "Export Submissions": folders submission_ID beside a submission_metadata.yml; or one with its .json."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import chain

from grader.errors import UsageError
from grader.language import N_
from grader.results.schema import Origin
from grader.submission.files import Unreadable
from grader.submission.intake.metadata import LIMIT, Entry, Person, iso, moment, of_export, of_single
from grader.submission.intake.model import Handin, Item, Source, Wanted, by_top, label

EXPORT = "submission_metadata.yml"
SINGLE = "submission_metadata.json"


def recognises(source: Source) -> bool:
    return any(item.path in (EXPORT, SINGLE) for item in source.items)


def handins(source: Source, wanted: Wanted) -> list[Handin]:
    """One for each person: what a group handed in is everyone's."""
    at_root = {item.path: item for item in source.items if not item.top}
    try:
        if EXPORT in at_root:
            return _of_export(source, of_export(at_root[EXPORT].read(LIMIT)))
        if SINGLE in at_root:
            return _of_single(source, of_single(at_root[SINGLE].read(LIMIT)))
    except Unreadable as reason:
        file = EXPORT if EXPORT in at_root else SINGLE
        raise UsageError(f"{file} cannot be read: {reason}.") from None
    raise UsageError(f"There is no {EXPORT} in {source.name!r}, so it is no export of Gradescope: check the path.")


def _of_single(source: Source, entry: Entry) -> list[Handin]:
    inside = [Item(item.path[len("submission/") :], item.read) for item in source.items if item.top == "submission"]
    items = inside or [item for item in source.items if item.path != SINGLE]
    return _everyone([entry], {entry.folder: items})


def _of_export(source: Source, entries: list[Entry]) -> list[Handin]:
    known = {entry.folder for entry in entries}
    unknown = [folder for folder in source.folders if folder not in known]
    files = {folder: list[Item]() for folder in source.folders} | by_top(source.items)
    problem = N_(f"It is not in {EXPORT}, so it is not known whose it is.")
    strange = [Handin(label(f), tuple(files[f]), Origin(folder=f), (problem,)) for f in unknown]
    return [*_everyone(entries, files), *strange]


def _everyone(entries: list[Entry], files: Mapping[str, list[Item]]) -> list[Handin]:
    """The newest submission of each person."""
    of_person: dict[tuple[str, str], list[tuple[Entry, Person]]] = {}
    for entry in entries:
        for person in entry.people or [Person()]:
            of_person.setdefault(_key(entry, person), []).append((entry, person))
    return [_handin(several, files) for several in of_person.values()]


def _key(entry: Entry, person: Person) -> tuple[str, str]:
    """By which a person is known again. A name alone is not enough."""
    if person.sid:
        return "sid", person.sid
    return ("email", person.email.casefold()) if person.email else ("folder", f"{entry.folder} {person.name}")


def _handin(several: list[tuple[Entry, Person]], files: Mapping[str, list[Item]]) -> Handin:
    entry, person = max(several, key=lambda pair: moment(pair[0].created))
    problems = []
    if len(several) > 1:
        n, folder = len(several), entry.folder
        problems.append(N_(f"There are {n} submissions: the newest, {folder}, is graded."))
    if entry.folder not in files:
        problems.append(N_(f"Its folder {entry.folder} is not in the export: export the submissions again."))
    ids = {key: value for key, value in (("gradescope", person.sid), ("email", person.email)) if value}
    origin = Origin(name=person.name, ids=ids, submitted=iso(entry.created), folder=entry.folder)
    name = next(chain(filter(None, (person.name, person.email, person.sid)), [entry.folder]))
    return Handin(label(name), tuple(files.get(entry.folder, ())), origin, tuple(problems))
