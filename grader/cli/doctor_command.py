"""`grade doctor`: can this machine grade? One line a question, and what to do where the answer is no."""

from __future__ import annotations

import platform
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import metadata
from typing import Literal

import click

from grader.cli.place import Place
from grader.errors import GraderError
from grader.submission.files import read_folder

# What pyproject.toml asks for; a test holds the two together.
PACKAGES = {
    "torch": "2.4", "transformers": "4.44", "pytest": "8", "hypothesis": "6.100", "nbformat": "5.9", "jinja2": "3.1",
    "click": "8.1", "rich": "13", "msgspec": "0.18", "psutil": "5.9", "filelock": "3.12",
}  # fmt: skip
OLDEST_PYTHON = (3, 11)
NARROW = 60  # columns; verdicts are made for 80 and more
ENOUGH = 100  # MB on the disk


@dataclass(frozen=True, slots=True)
class Answer:
    """`ok`: well. `note`: it works, less well than it could. `NO`: it does not."""

    kind: Literal["ok", "note", "NO"]
    text: str


@click.command("doctor", epilog="Example: `grade doctor`")
@click.pass_obj
def command(course: str | None) -> int:
    """Check that this machine can grade, and say what to do if not."""
    problems = 0
    for answer in _answers(course):
        click.echo(f"{answer.kind:<4} {answer.text}")
        problems += answer.kind == "NO"
    click.echo("Everything is fine." if not problems else f"{problems} to mend, see above.")
    return 1 if problems else 0


def _answers(folder: str | None) -> Iterator[Answer]:
    yield python(sys.version_info[:3])
    yield _fork()
    for name, oldest in PACKAGES.items():
        answer = package(name, oldest)
        if name == "torch" or answer.kind != "ok":
            yield answer
    yield terminal(sys.stdout.isatty(), shutil.get_terminal_size().columns, sys.stdout.encoding or "")
    try:
        place = Place.find(folder)
    except GraderError as error:
        yield Answer("NO", str(error))
        return
    yield Answer("ok", f"course of {len(place.course.exercises)} exercises in {place.course.root}")
    yield Answer("ok", f"your files are in {place.folder / 'exercises'}")
    yield from _files(place)
    free = shutil.disk_usage(place.folder).free >> 20
    yield Answer("ok" if free > ENOUGH else "NO", f"{free} MB free on the disk ({ENOUGH} are enough)")
    yield from _engine(place)


def python(version: tuple[int, ...]) -> Answer:
    said = f"Python {'.'.join(map(str, version))}"
    if version >= OLDEST_PYTHON:
        return Answer("ok", said)
    return Answer("NO", f"{said} is too old: install 3.11 or newer and make a new environment with it")


def _fork() -> Answer:
    from grader.run.launch import can_fork

    if can_fork():
        return Answer("ok", f"{platform.system()} can fork warm processes")
    system = platform.system()
    return Answer("NO", f"{system} cannot fork: grading needs Linux, macOS with Python's os.fork and pidfd, or WSL")


def package(name: str, oldest: str) -> Answer:
    """Looked up, not imported: torch takes seconds."""
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return Answer("NO", f"{name} is missing: `{sys.executable} -m pip install '{name}>={oldest}'`")
    if _numbers(version) >= _numbers(oldest):
        return Answer("ok", f"{name} {version}")
    what = f"{name} {version} is older than {oldest}"
    return Answer("NO", f"{what}: `{sys.executable} -m pip install --upgrade '{name}>={oldest}'`")


def _numbers(version: str) -> tuple[int, ...]:
    """2.13.0+cpu is (2, 13, 0)."""
    return tuple(int(part) for part in version.partition("+")[0].split(".")[:3] if part.isdigit())


def terminal(is_one: bool, columns: int, encoding: str) -> Answer:
    if not is_one:
        return Answer("note", "no terminal here: `grade watch` needs one, everything else does not")
    if encoding.lower().replace("-", "") != "utf8":
        what = f"this terminal's encoding is {encoding or 'not known'}: signs such as ✓ become ?"
        return Answer("note", f"{what}; `export PYTHONUTF8=1 LANG=C.UTF-8` mends it")
    if columns < NARROW:
        return Answer("note", f"this terminal has {columns} columns: widen it, verdicts are made for 80 and more")
    return Answer("ok", f"a terminal of {columns} columns")


def _files(place: Place) -> Iterator[Answer]:
    for exercise in place.course.exercises:
        path = place.file(exercise.name)
        if not path.is_file():
            yield Answer("NO", f"{place.shown(path)} is missing: `grade stubs {exercise.name}` writes it")
    submission = read_folder(place.folder, place.course.names, "you")
    yield from (Answer("NO", problem) for problem in submission.problems)
    for file in submission.files.values():
        if file.problem is not None:
            yield Answer("NO", f"{file.name}.py cannot be read: {file.problem}")
    if place.results.exists() and place.last() is None:
        yield Answer("note", f"{place.shown(place.results)} cannot be read; the next run writes it anew")


def _engine(place: Place) -> Iterator[Answer]:
    """Grade one stub for real, kept apart as other people's code would be."""
    from grader.run.engine import Engine
    from grader.submission.model import Submission

    name = place.course.names[0]
    try:
        with Engine(place.course, [name], others=True) as engine:
            engine.ready()
            isolation = engine.grade(Submission("doctor")).isolation
    except GraderError as error:
        yield Answer("NO", f"the engine does not start: {error}")
        return
    yield Answer("ok", "the engine starts")
    yield level(isolation.level, isolation.name, isolation.downgrades)


def level(number: int, name: str, downgrades: list[str]) -> Answer:
    """Level 4 needs bubblewrap, level 2 a kernel with Landlock; below that only one's own code should be graded."""
    said = f"isolation level {number} ({name}) in a batch"
    why = "".join(f"; {reason}" for reason in downgrades)
    if number >= 4:
        return Answer("ok", said)
    if number >= 2:
        advice = "for level 4 install bubblewrap, on a system that allows user namespaces"
        return Answer("note", f"{said}{why}. It is safe for your own code and for a class; {advice}")
    advice = "Linux 5.13 or newer with Landlock gives level 2, bubblewrap besides level 4"
    return Answer("note", f"{said}{why}. Grade only your own code here; {advice}")
