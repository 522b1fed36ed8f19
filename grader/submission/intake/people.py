"""Bring submissions and roster together: by ids, email, login, then exact names; never by what is only alike."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from msgspec import structs

from grader.language import N_
from grader.results.schema import Origin
from grader.submission.intake.model import label, same_name, shown
from grader.submission.intake.roster import Entry
from grader.submission.model import Submission

Keys = Callable[[Submission], Iterable[str]]
EntryKeys = Callable[[Entry], Iterable[str]]
NOT_HANDED_IN = N_("Not handed in.")
STRANGER = N_("Not on the roster.")


@dataclass
class _Joined:
    """Numbers of submissions and of entries; `unclear` ones could belong to more than one of the other side."""

    entry_of: dict[int, int] = field(default_factory=dict)
    unclear: dict[int, list[int]] = field(default_factory=dict)

    def taken(self) -> set[int]:
        return {*self.entry_of.values(), *(entry for entries in self.unclear.values() for entry in entries)}


def with_roster(submissions: Sequence[Submission], entries: Sequence[Entry]) -> list[Submission]:
    """Every submission, with the ids of its line on the roster, and a row for everyone who handed in nothing.

    In the order of the roster, so that tables lie beside it; who is on no line comes behind.
    Who is on no line is graded all the same, and the row says so.
    """
    joined = _Joined()
    for submission_keys, entry_keys in _STAGES:
        _join(joined, submissions, entries, submission_keys, entry_keys)
    rows = [_row(number, submission, joined, entries) for number, submission in enumerate(submissions)]
    here, unclear = {at: rows[number] for number, at in joined.entry_of.items()}, joined.taken()
    listed = [here.get(at) or _absent(entry, at in unclear) for at, entry in enumerate(entries)]
    return listed + [row for number, row in enumerate(rows) if number not in joined.entry_of]


def _join(
    joined: _Joined, submissions: Sequence[Submission], entries: Sequence[Entry], keys: Keys, of: EntryKeys
) -> None:
    """One way to know each other. What is not one to one is not joined, by this way or a later one."""
    free = set(range(len(entries))) - joined.taken()
    index: dict[str, list[int]] = {}
    for at in sorted(free):
        for key in dict.fromkeys(of(entries[at])):
            index.setdefault(key, []).append(at)
    claims: dict[int, list[int]] = {}
    for number, submission in enumerate(submissions):
        if number not in joined.entry_of and number not in joined.unclear:
            found = next((index[key] for key in keys(submission) if key in index), [])
            claims[number] = [at for at in found if keys is not _names or not _contradict(submission, entries[at])]
    for number, found in claims.items():
        rivals = [other for other, theirs in claims.items() if other != number and set(theirs) & set(found)]
        if len(found) == 1 and not rivals:
            joined.entry_of[number] = found[0]
        elif found:
            joined.unclear[number] = found


def _contradict(submission: Submission, entry: Entry) -> bool:
    """The same kind of id, and another one: somebody else of that name."""
    ids = _ids(submission)
    return any(kind in entry.ids and entry.ids[kind].casefold() != value.casefold() for kind, value in ids.items())


def _ids(submission: Submission) -> Mapping[str, str]:
    """Without GitHub's, which is cut out of a folder's name, and with Gradescope's, which is the student id."""
    ids = dict(submission.origin.ids) if submission.origin else {}
    ids.pop("github", None)
    if sid := ids.pop("gradescope", ""):
        ids["roster"] = sid
    return ids


def _own(kind: str) -> Keys:
    """The id of that kind; where a platform gave none at all, what the student or the folder is called."""

    def keys(submission: Submission) -> list[str]:
        ids = _ids(submission)
        if kind in ids:
            return [ids[kind].casefold()]
        folder = submission.origin.folder if submission.origin else ""
        plain = not (submission.origin and submission.origin.ids)
        return [submission.student.casefold(), folder.removesuffix(".zip").casefold()] if plain else []

    return keys


def _github(submission: Submission) -> list[str]:
    """The username, or any that the folder ends in, the longest first: where the assignment ends is not certain.

    What all folders begin with may hold a part of the usernames, but never leaves a part of the assignment: so nobody
    is shorter than what it leaves, and `hw3-mary-ann` is not ann. A folder that nothing was cut from may be anybody.
    """
    origin = submission.origin
    if origin is None or "github" not in origin.ids:
        return [submission.student.casefold()] if not (origin and origin.ids) else []
    user, parts = origin.ids["github"], origin.folder.casefold().split("-")
    least = 0 if user == origin.folder else len(user)
    return [name for i in range(len(parts)) if len(name := "-".join(parts[i:])) >= least]


def _names(submission: Submission) -> list[str]:
    origin = submission.origin or Origin()
    name = origin.name or submission.student
    return [_squeezed(name)] if "canvas" in origin.ids else [same_name(name)]


def _squeezed(name: str) -> str:
    """As Canvas writes names into file names."""
    return "=" + re.sub(r"\W", "", name.lower())


def _entry_id(kind: str) -> EntryKeys:
    return lambda entry: [entry.ids[kind].casefold()] if kind in entry.ids else []


def _names_of(entry: Entry) -> list[str]:
    plain = [same_name(entry.name), same_name(entry.sortable), _squeezed(entry.sortable)]
    return plain if entry.name else []


_KINDS = ("canvas", "moodle", "roster", "email", "login")
_STAGES: list[tuple[Keys, EntryKeys]] = [
    *((_own(kind), _entry_id(kind)) for kind in _KINDS),
    (_github, _entry_id("github")),
    (_names, _names_of),
]


def _row(number: int, submission: Submission, joined: _Joined, entries: Sequence[Entry]) -> Submission:
    if number in joined.entry_of:
        entry = entries[joined.entry_of[number]]
        origin = submission.origin or Origin()
        ids = {**origin.ids, **entry.ids}
        origin = structs.replace(origin, name=entry.name or origin.name, ids=ids)
        student = _called(entry) if entry.name else submission.student
        return replace(submission, student=student, origin=origin, called=submission.student)
    problem = _misnamed(submission, entries) or STRANGER
    if number in joined.unclear:
        lines = ", ".join(str(entries[at].line) for at in joined.unclear[number])
        problem = N_(f"Not certain who this is on the roster (line {lines}): add ids to it.")
    return replace(submission, problems=(*submission.problems, problem))


def _misnamed(submission: Submission, entries: Sequence[Entry]) -> str:
    """What to do if the platform's own number of a student stands on the roster as a student id."""
    ids = _ids(submission)
    for kind, platform in (("canvas", "Canvas"), ("moodle", "Moodle")):
        line = next((entry.line for entry in entries if kind in ids and entry.ids.get("roster") == ids[kind]), None)
        if line is not None:
            return N_(
                f"Not on the roster as a student id; line {line} has the number that {platform} gave: call its column "
                f"`{kind} id`."
            )
    return ""


def _absent(entry: Entry, could_be: bool) -> Submission:
    problem = NOT_HANDED_IN
    if could_be:
        line = entry.line
        problem = N_(f"Line {line} of the roster fits more than one row: add ids to the roster.")
    return Submission(_called(entry), {}, (problem,), Origin(name=entry.name, ids=dict(entry.ids)))


def _called(entry: Entry) -> str:
    return label(entry.name or next((entry.ids[kind] for kind in entry.ids), "")) or shown(f"line {entry.line}")
