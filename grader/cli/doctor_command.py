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
from grader.language import _, said
from grader.submission.files import read_folder

# What pyproject.toml asks for; a test holds the two together.
PACKAGES = {
    "torch": "2.13", "transformers": "4.44", "pytest": "8", "hypothesis": "6.100", "nbformat": "5.9", "jinja2": "3.1",
    "click": "8.1", "rich": "13", "msgspec": "0.18", "psutil": "5.9", "filelock": "3.12",
    "pyyaml": "6", "pygments": "2.17", "safetensors": "0.4",
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
        click.echo(f"{_(answer.kind):<4} {answer.text}")
        problems += answer.kind == "NO"
    click.echo(_("{n} to mend, see above.").format(n=problems) if problems else _("Everything is fine."))
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
        yield Answer("NO", said(str(error)))
        return
    course = place.course
    found = _("course of {n} exercises in {folder}").format(n=len(course.exercises), folder=course.root)
    yield Answer("ok", found)
    yield Answer("ok", _("your files are in {folder}").format(folder=place.folder / "exercises"))
    yield from _files(place)
    free = shutil.disk_usage(place.folder).free >> 20
    told = _("{free} MB free on the disk ({enough} are enough)").format(free=free, enough=ENOUGH)
    yield Answer("ok" if free > ENOUGH else "NO", told)
    yield from _engine(place)


def python(version: tuple[int, ...]) -> Answer:
    number = ".".join(map(str, version))
    if version >= OLDEST_PYTHON:
        return Answer("ok", f"Python {number}")
    old = _("Python {version} is too old: install 3.11 or newer and make a new environment with it")
    return Answer("NO", old.format(version=number))


def _fork() -> Answer:
    from grader.run.launch import can_fork

    if can_fork():
        return Answer("ok", _("{system} can fork warm processes").format(system=platform.system()))
    cannot = _("{system} cannot fork: grading needs Linux, macOS with Python's os.fork and pidfd, or WSL")
    return Answer("NO", cannot.format(system=platform.system()))


def package(name: str, oldest: str) -> Answer:
    """Looked up, not imported: torch takes seconds."""
    values = {"name": name, "oldest": oldest, "python": sys.executable}
    try:
        version = metadata.version(name)
    except metadata.PackageNotFoundError:
        return Answer("NO", _("{name} is missing: `{python} -m pip install '{name}>={oldest}'`").format(**values))
    if _numbers(version) >= _numbers(oldest):
        return Answer("ok", f"{name} {version}")
    old = _("{name} {version} is older than {oldest}: `{python} -m pip install --upgrade '{name}>={oldest}'`")
    return Answer("NO", old.format(version=version, **values))


def _numbers(version: str) -> tuple[int, ...]:
    """2.13.0+cpu is (2, 13, 0)."""
    return tuple(int(part) for part in version.partition("+")[0].split(".")[:3] if part.isdigit())


def terminal(is_one: bool, columns: int, encoding: str) -> Answer:
    if not is_one:
        return Answer("note", _("no terminal here: `grade watch` needs one, everything else does not"))
    if encoding.lower().replace("-", "") != "utf8":
        signs = _(
            "this terminal's encoding is {encoding}: signs such as ✓ become ?; "
            "`export PYTHONUTF8=1 LANG=C.UTF-8` mends it"
        )
        return Answer("note", signs.format(encoding=encoding or _("not known")))
    if columns < NARROW:
        narrow = _("this terminal has {n} columns: widen it, verdicts are made for 80 and more")
        return Answer("note", narrow.format(n=columns))
    return Answer("ok", _("a terminal of {n} columns").format(n=columns))


def _files(place: Place) -> Iterator[Answer]:
    for exercise in place.course.exercises:
        path = place.file(exercise.name)
        if not path.is_file():
            told = _("{path} is missing: `grade stubs {name}` writes it")
            yield Answer("NO", told.format(path=place.shown(path), name=exercise.name))
    submission = read_folder(place.folder, place.course.names_by_weight, "you", place.is_stub, place.course.tasks_of)
    yield from (Answer("NO", said(problem)) for problem in submission.problems)
    for file in submission.files.values():
        if file.problem is not None:
            unread = _("{file} cannot be read: {problem}")
            yield Answer("NO", unread.format(file=file.file, problem=said(file.problem)))
    if place.results.exists() and place.last() is None:
        broken = _("{path} cannot be read; the next run writes it anew")
        yield Answer("note", broken.format(path=place.shown(place.results)))


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
        yield Answer("NO", _("the engine does not start: {error}").format(error=said(str(error))))
        return
    yield Answer("ok", _("the engine starts"))
    yield level(isolation.level, isolation.name, isolation.downgrades)


def level(number: int, name: str, downgrades: list[str]) -> Answer:
    """Level 4 needs bubblewrap, level 2 a kernel with Landlock; below that only one's own code should be graded."""
    what = _("isolation level {level} ({name}) in a batch").format(level=number, name=said(name))
    if number >= 4:
        return Answer("ok", what)
    why = "".join(f"; {said(reason)}" for reason in downgrades)
    safe = _(
        "{what}. It is safe for your own code and for a class; for level 4 install bubblewrap, "
        "on a system that allows user namespaces"
    )
    own = _(
        "{what}. Grade only your own code here; Linux 5.13 or newer with Landlock gives level 2, "
        "bubblewrap besides level 4"
    )
    return Answer("note", (safe if number >= 2 else own).format(what=f"{what}{why}"))
