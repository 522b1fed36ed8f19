"""Who handed in what, in the words of Gradescope: submission_metadata.yml of an export, .json of one submission."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime

import msgspec
import yaml

from grader.submission.files import Unreadable

DEEPEST = 4  # submission_1, :submitters, 0, :name
LIMIT = 256 << 20  # bytes: an export holds what its own autograder printed
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the one in C is forty times as fast
_END = re.compile(rb"^\.\.\.[ \r]*$", re.MULTILINE)  # Ruby goes on behind it without the --- that YAML asks for
_FRACTION = re.compile(r"(\.\d{6})\d+")


@dataclass
class Person:
    name: str = ""
    sid: str = ""
    email: str = ""


@dataclass
class Entry:
    """One submission: a group hands in one for all."""

    folder: str
    people: list[Person] = field(default_factory=list)
    created: str = ""


class _User(msgspec.Struct):
    name: str | None = None
    email: str | None = None
    sid: str | None = None


class _Single(msgspec.Struct):
    id: int | str = ""
    created_at: str = ""
    users: list[_User] = []


def of_export(data: bytes) -> list[Entry]:
    """The entries of a submission_metadata.yml. Unreadable if it is no YAML, or none of this kind.

    Read as a stream of events: no tree is built of what an autograder printed, an id keeps its leading zeros, and a
    file that falls into several documents is one list.
    """
    found: dict[str, Entry] = {}
    try:
        for path, value in _scalars(data):
            _put(found, path, value)
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        reason = " ".join(str(error).split())[:160]
        raise Unreadable(f"it is not YAML ({reason}); export the submissions again") from None
    if not found:
        raise Unreadable("it names no submission; export the submissions again")
    return list(found.values())


def of_single(data: bytes) -> Entry:
    """The submission_metadata.json that lies beside one submission. Unreadable if it is none."""
    try:
        single = msgspec.json.decode(data, type=_Single)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Unreadable(f"it is no metadata of a submission ({str(error)[:120]}); download it again") from None
    people = [Person(user.name or "", user.sid or "", user.email or "") for user in single.users]
    return Entry(f"submission_{single.id}", people, single.created_at)


def iso(time: str) -> str | None:
    """A time as ISO 8601 with an offset, to the second; None if it is no time or has no offset.

    Gradescope writes "2026-04-26 17:34:00.861687000 Z", and with an offset in place of the Z.
    """
    text = _FRACTION.sub(r"\1", time.strip()).replace(" Z", "+00:00")
    try:
        parsed = datetime.fromisoformat(re.sub(r" ([+-]\d\d:?\d\d)$", r"\1", text))
    except ValueError:
        return None
    return parsed.isoformat(timespec="seconds") if parsed.tzinfo else None


def moment(time: str) -> datetime:
    """By which the newest is found; what is no time is older than all."""
    found = iso(time)
    return datetime.fromisoformat(found) if found else datetime.min.replace(tzinfo=UTC)


def _put(found: dict[str, Entry], path: tuple[str | int, ...], value: str) -> None:
    """One scalar: (submission_1, :submitters, 0, :name) or (submission_1, :created_at)."""
    match [part.lstrip(":") if isinstance(part, str) else part for part in path]:
        case [str(folder), "submitters", int(number), ("name" | "sid" | "email") as key]:
            people = found.setdefault(folder, Entry(folder)).people
            people.extend(Person() for _ in range(number + 1 - len(people)))
            setattr(people[number], key, value)
        case [str(folder), "created_at"]:
            found.setdefault(folder, Entry(folder)).created = value


def _scalars(data: bytes) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """Every text with the keys that lead to it, and the numbers of list entries."""
    stack: list[str | int | None] = []  # of each open mapping the key whose value comes next (None: a key comes)
    for event in yaml.parse(_END.sub(rb"...\n---", data), Loader=_LOADER):
        is_key = bool(stack) and stack[-1] is None
        if isinstance(event, yaml.CollectionEndEvent):
            stack.pop()
            _step(stack)
        elif isinstance(event, yaml.CollectionStartEvent):
            if is_key:
                raise yaml.YAMLError("a key is no text")
            stack.append(0 if isinstance(event, yaml.SequenceStartEvent) else None)
        elif isinstance(event, yaml.ScalarEvent | yaml.AliasEvent) and stack:
            text = event.value if isinstance(event, yaml.ScalarEvent) else ""
            if is_key:
                stack[-1] = text
                continue
            if len(stack) <= DEEPEST:
                yield tuple(part for part in stack if part is not None), text
            _step(stack)


def _step(stack: list[str | int | None]) -> None:
    """To the next key, or the next entry."""
    if stack:
        stack[-1] = stack[-1] + 1 if isinstance(stack[-1], int) else None
