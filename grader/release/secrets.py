"""What must be in no release and on no student's page: answers, edits of known bugs, hidden checks, the salt."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.catalogue.bugs import load_bugs
from grader.catalogue.folder import given_files, stub_of
from grader.catalogue.model import Course, Exercise
from grader.catalogue.salt import read_salt
from grader.catalogue.stubs import regions
from grader.language import N_
from grader.release.suites import Suite, visible

LEAST = 20  # signs of a line as it is looked for; what is shorter (`return x`, `if mask is not None:`) says nothing
REFERENCE, STANDIN, BUG = N_("line of a reference"), N_("line of a stand-in"), N_("edit of a known bug")
HIDDEN, NAME = N_("line of a hidden check"), N_("name of a hidden check")
SALT = N_("salt of official runs")


@dataclass(frozen=True, slots=True)
class Secret:
    """`key`: what is looked for, the text squeezed, or a name. `where`: file and line in the course."""

    kind: str
    where: str
    text: str
    key: str


@dataclass(frozen=True, slots=True)
class Secrets:
    """`told`: lines of answers that the course tells its students itself, in a stub, a suite or a hint."""

    kept: tuple[Secret, ...]
    told: tuple[Secret, ...]


def secrets_of(course: Course) -> Secrets:
    """Of the whole course, as it is on the disk."""
    suites = {exercise.name: visible(course, exercise) for exercise in course.exercises}
    found = dict[str, Secret]()
    for secret in _all(course, suites):
        if len(secret.key) >= LEAST or secret.kind == NAME:
            found.setdefault(secret.key, secret)  # of equal lines the first tells where
    public = _public(course, suites)
    told = {key for key, secret in found.items() if secret.kind in (REFERENCE, STANDIN, BUG) and key in public}
    return Secrets(
        tuple(secret for key, secret in found.items() if key not in told),
        tuple(secret for key, secret in found.items() if key in told),
    )


def squeezed(text: str) -> str:
    """Without blanks, quotes and backslashes: so a line is found however it was wrapped, indented or quoted."""
    return re.sub(r"[\s\"'\\]+", "", text)


def _all(course: Course, suites: dict[str, Suite]) -> Iterator[Secret]:
    for exercise in course.exercises:
        yield from _reference(course.reference_path(exercise.name), exercise.name)
    standins = course.standins_path
    if standins.is_file():
        imported = ("import ", "from ")
        lines = ((n, line) for n, line in _code(standins.read_text("utf-8")) if not line.strip().startswith(imported))
        yield from _secrets(STANDIN, "solutions/standins.py", lines)
    for exercise in course.exercises:
        for bug in load_bugs(course, exercise):
            entry = f"solutions/{exercise.name}.bugs.toml, {bug.name}"
            text = "\n".join(bug.edit) if bug.edit else bug.text
            yield from (Secret(BUG, entry, line, squeezed(line)) for _, line in _code(text))
        yield from _hidden(exercise, suites[exercise.name])
    if salt := read_salt(course).decode("utf-8", "replace"):
        yield Secret(SALT, course.salt, f"{salt[:4]} …", squeezed(salt))


def _reference(path: Path, name: str) -> Iterator[Secret]:
    text = path.read_text("utf-8")
    marked = {number for region in regions(text, name) for number in range(region.begin + 1, region.end)}
    return _secrets(REFERENCE, f"solutions/{name}.py", ((n, line) for n, line in _code(text) if n in marked))


def _hidden(exercise: Exercise, suite: Suite) -> Iterator[Secret]:
    suite_file = f"tests/exercises/test_{exercise.name}.py"
    for check in (check for task in exercise.tasks for check in task.checks if check.hidden):
        yield Secret(NAME, suite_file, check.name, check.name)
    removed = "\n".join(suite.removed)
    rows = re.findall(r"{[^{}]*}", removed)  # of a table, each by itself too
    texts = [*suite.titles, *rows, *(line for _, line in _code(removed))]
    told = squeezed(suite.text)
    yield from (Secret(HIDDEN, suite_file, text, squeezed(text)) for text in texts if squeezed(text) not in told)


def _secrets(kind: str, file: str, lines: Iterable[tuple[int, str]]) -> Iterator[Secret]:
    return (Secret(kind, f"{file}:{number}", line.strip(), squeezed(line)) for number, line in lines)


def _code(text: str) -> Iterator[tuple[int, str]]:
    """Lines with their numbers, comments taken off; a comment that has its line for itself stays, without its sign."""
    comments = _comments(text)
    for number, line in enumerate(text.splitlines(), 1):
        column = comments.get(number, len(line))
        yield number, line[:column] if line[:column].strip() else line[column:].lstrip("# ")


def _comments(text: str) -> dict[int, int]:
    """Where comments begin; of an edit, which may be half a statement, as far as it can be read."""
    found: dict[int, int] = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT:
                found[token.start[0]] = token.start[1]
    except (tokenize.TokenError, IndentationError, SyntaxError):
        pass
    return found


def _public(course: Course, suites: dict[str, Suite]) -> str:
    """What students have in any case."""
    texts = [stub_of(course, name) for name in course.names]
    texts += [path.read_text("utf-8") for path in given_files(course)]
    texts += [suite.text for suite in suites.values()]
    texts += [path.read_text("utf-8") for e in course.exercises if (path := course.probes_path(e.name)).is_file()]
    for exercise in course.exercises:
        texts += [hint for task in exercise.tasks for hint in task.hints]
        texts += [check.help for task in exercise.tasks for check in task.checks if not check.hidden]
        texts += [part for bug in load_bugs(course, exercise) for part in (bug.what, bug.why, bug.hint)]
    return squeezed("\n".join(texts))
