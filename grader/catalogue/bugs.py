"""Known bugs: mistakes that students make, each an edit of the reference, in solutions/NAME.bugs.toml.

They are told to nobody before the fact: the course proves with them that its checks catch them, and a submission that
answers as one of them does is told its name.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.catalogue.model import Course, Exercise
from grader.catalogue.table import Key
from grader.errors import CourseError

BUG_KEYS = {
    "name": Key("text", "unique in the file; results and the proof call it so"),
    "task": Key("text", "where the mistake is made"),
    "what": Key("text", "a clause, to the student: what the code does"),
    "why": Key("text", "what that does, in a sentence or two"),
    "hint": Key("text", "what to try, without the answer's line"),
    "source": Key("text", "where it was seen"),
    "find": Key("text", "a piece of `solutions/NAME.py` that occurs there once", "`variant` stands instead"),
    "replace": Key("text", "what it becomes", "`variant` stands instead"),
    "variant": Key("text", "a file in `tests/course/bugs/`, where one edit cannot say it", "`find` and `replace`"),
    "invariant": Key("text", "why its answers cannot be foreseen: caught by a check, called by no name", "it is named"),
}
TEXTS = tuple(name for name, key in BUG_KEYS.items() if key.default == "needed")
WAYS = ({"find", "replace"}, {"variant"})


@dataclass(frozen=True, slots=True)
class KnownBug:
    """`text`: the whole file with the mistake in it, as the reference is written. `invariant`: why no name is given."""

    name: str
    exercise: str
    task: str
    what: str  # "your scores are divided by d_k, not by its root"
    why: str  # what that does, in a sentence or two
    hint: str  # what to try, without the answer's line
    source: str  # where it was seen
    text: str
    invariant: str = ""
    edit: tuple[str, str] | None = None  # what was found and what it became; none for a variant


def bugs_path(course: Course, name: str) -> Path:
    return course.root / "solutions" / f"{name}.bugs.toml"


def load_bugs(course: Course, exercise: Exercise) -> tuple[KnownBug, ...]:
    """All known bugs of an exercise, in the order of the file; none if there is no file. Raises CourseError."""
    path = bugs_path(course, exercise.name)
    if not path.is_file():
        return ()
    try:
        table = tomllib.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise CourseError(f"{path} cannot be read: {error}") from error
    reference = course.reference_path(exercise.name).read_text("utf-8")
    found: dict[str, KnownBug] = {}
    for entry in table.get("bugs", []):
        bug = _bug(course, exercise, reference, entry)
        if bug.name in found:
            raise CourseError(f"{path.name}: two bugs are called {bug.name!r}")
        found[bug.name] = bug
    return tuple(found.values())


def both(first: KnownBug, second: KnownBug) -> str | None:
    """The reference with two edits; None where they touch the same lines, or one is no edit."""
    if second.edit is None or first.edit is None or first.text.count(second.edit[0]) != 1:
        return None
    return first.text.replace(*second.edit)


def _bug(course: Course, exercise: Exercise, reference: str, entry: dict[str, Any]) -> KnownBug:
    where = f"{exercise.name}.bugs.toml, bug {entry.get('name', '?')!r}"
    for key in TEXTS:
        if not isinstance(entry.get(key), str) or not entry[key].strip():
            raise CourseError(f"{where}: {key} must be a text that is not empty, got {entry.get(key)!r}")
    way = set(entry) - {*TEXTS, "invariant"}
    if way not in WAYS:
        raise CourseError(f"{where}: needs `find` and `replace`, or `variant`, and nothing else; got {sorted(way)}")
    if entry["task"] not in {task.name for task in exercise.tasks}:
        raise CourseError(f"{where}: task {entry['task']!r} is none of {exercise.name}")
    text = _variant(course, where, entry["variant"]) if "variant" in entry else _edited(reference, where, entry)
    edit = (entry["find"], entry["replace"]) if "find" in entry else None
    fields = {key: entry[key].strip() for key in (*TEXTS, "invariant") if key in entry}
    return KnownBug(**fields, exercise=exercise.name, text=text, edit=edit)


def _edited(reference: str, where: str, entry: dict[str, Any]) -> str:
    find, replace = entry["find"], entry["replace"]
    if reference.count(find) != 1:
        raise CourseError(f"{where}: {find!r} occurs {reference.count(find)} times in the reference; it must once")
    return reference.replace(find, replace)


def _variant(course: Course, where: str, name: str) -> str:
    path = course.root / "tests" / "course" / "bugs" / name
    if not path.is_file():
        raise CourseError(f"{where}: there is no variant {path}")
    return path.read_text("utf-8")
