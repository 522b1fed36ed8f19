"""`grade doctor`: can this machine grade? One line a question, and what to do where the answer is no."""

from __future__ import annotations

import importlib.util
import platform
import shutil
import sys
from collections.abc import Iterator

import click

from grader.cli.place import Place
from grader.errors import GraderError

Answer = tuple[bool, str]


@click.command("doctor", epilog="Example: `grade doctor`")
@click.pass_obj
def command(course: str | None) -> int:
    """Check that this machine can grade, and say what to do if not."""
    problems = 0
    for fine, text in _answers(course):
        click.echo(f"{'ok  ' if fine else 'NO  '} {text}")
        problems += not fine
    click.echo("Everything is fine." if not problems else f"{problems} to mend, see above.")
    return 1 if problems else 0


def _answers(folder: str | None) -> Iterator[Answer]:
    yield sys.version_info >= (3, 11), f"Python {platform.python_version()} (3.11 or newer is needed)"
    yield _fork()
    for package in ("torch", "hypothesis", "pytest", "jinja2", "msgspec"):
        found = importlib.util.find_spec(package) is not None
        yield found, f"{package} is installed" if found else f"{package} is missing: `pip install transformer-grader`"
    try:
        place = Place.find(folder)
    except GraderError as error:
        yield False, str(error)
        return
    yield True, f"course of {len(place.course.exercises)} exercises in {place.course.root}"
    yield from _files(place)
    free = shutil.disk_usage(place.course.root).free >> 20
    yield free > 100, f"{free} MB free on the disk (100 are enough)"
    yield from _engine(place)


def _fork() -> Answer:
    from grader.run.launch import can_fork

    if can_fork():
        return True, f"{platform.system()} can fork warm processes"
    return False, f"{platform.system()} cannot fork: grading needs Linux, macOS with Python's os.fork and pidfd, or WSL"


def _files(place: Place) -> Iterator[Answer]:
    for exercise in place.course.exercises:
        path = place.course.stub_path(exercise.name)
        if not path.is_file():
            yield False, f"{place.shown(path)} is missing: `grade stubs {exercise.name}` writes it"


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
        yield False, f"the engine does not start: {error}"
        return
    why = "".join(f"; {reason}" for reason in isolation.downgrades)
    yield True, f"the engine starts; isolation level {isolation.level} ({isolation.name}) in a batch{why}"
