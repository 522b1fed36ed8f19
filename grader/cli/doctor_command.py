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
from grader.language import _, said

Answer = tuple[bool, str]


@click.command("doctor", epilog="Example: `grade doctor`")
@click.pass_obj
def command(course: str | None) -> int:
    """Check that this machine can grade, and say what to do if not."""
    problems = 0
    for fine, text in _answers(course):
        click.echo(f"{_('ok  ') if fine else _('NO  ')} {text}")
        problems += not fine
    click.echo(_("{n} to mend, see above.").format(n=problems) if problems else _("Everything is fine."))
    return 1 if problems else 0


def _answers(folder: str | None) -> Iterator[Answer]:
    version = platform.python_version()
    yield sys.version_info >= (3, 11), _("Python {version} (3.11 or newer is needed)").format(version=version)
    yield _fork()
    for package in ("torch", "hypothesis", "pytest", "jinja2", "msgspec"):
        found = importlib.util.find_spec(package) is not None
        told = _("{package} is installed") if found else _("{package} is missing: `pip install transformer-grader`")
        yield found, told.format(package=package)
    try:
        place = Place.find(folder)
    except GraderError as error:
        yield False, said(str(error))
        return
    course = place.course
    yield True, _("course of {n} exercises in {folder}").format(n=len(course.exercises), folder=course.root)
    yield from _files(place)
    free = shutil.disk_usage(place.course.root).free >> 20
    yield free > 100, _("{free} MB free on the disk (100 are enough)").format(free=free)
    yield from _engine(place)


def _fork() -> Answer:
    from grader.run.launch import can_fork

    if can_fork():
        return True, _("{system} can fork warm processes").format(system=platform.system())
    return False, _("{system} cannot fork: grading needs Linux, macOS with Python's os.fork and pidfd, or WSL").format(
        system=platform.system()
    )


def _files(place: Place) -> Iterator[Answer]:
    for exercise in place.course.exercises:
        path = place.course.stub_path(exercise.name)
        if not path.is_file():
            told = _("{path} is missing: `grade stubs {name}` writes it")
            yield False, told.format(path=place.shown(path), name=exercise.name)


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
        yield False, _("the engine does not start: {error}").format(error=said(str(error)))
        return
    why = "".join(f"; {said(reason)}" for reason in isolation.downgrades)
    told = _("the engine starts; isolation level {level} ({name}) in a batch{why}")
    yield True, told.format(level=isolation.level, name=said(isolation.name), why=why)
