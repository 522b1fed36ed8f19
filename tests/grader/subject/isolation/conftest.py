"""Every level that this machine has, each with one zygote for the whole run, and a way to run code in a subject."""

from __future__ import annotations

import contextlib
import inspect
import os
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.errors import UsageError
from grader.run.launch import Launcher
from grader.subject.limits import Limits
from grader.subject.remote import Remote
from grader.subject.worker.probe import FOLDERS
from grader.subject.worker.serve import Session

COURSE = Path(__file__).parents[2] / "data" / "toy"
LEVEL4 = pytest.param("4", marks=pytest.mark.needs("bwrap"))
ALL, WALLED = [LEVEL4, "2", "1", "0"], [LEVEL4, "2"]

_launchers: dict[str, Launcher | str] = {}


@pytest.fixture(scope="session", autouse=True)
def _end_of_all() -> Iterator[None]:
    before = set(_probe_files())
    yield
    for launcher in _launchers.values():
        if isinstance(launcher, Launcher):
            launcher.close()
    _launchers.clear()
    for left in set(_probe_files()) - before:
        with contextlib.suppress(OSError):
            left.unlink()


def _probe_files() -> Iterator[Path]:
    """What self-tests have left: where some defences are switched off, a file can be made and not be removed."""
    for folder in {COURSE, Path.home(), Path(tempfile.gettempdir()), *map(Path, FOLDERS)}:
        yield from folder.glob(".probe-*")


def launcher_of(level: str) -> Launcher:
    """Of a level; the test is skipped, with the measured reason, where the machine does not give it."""
    if level not in _launchers:
        launcher = Launcher(level, hidden=[COURSE])
        try:
            launcher.prove([COURSE / "solutions" / "scale.py"])
            _launchers[level] = launcher
        except UsageError as refusal:
            _launchers[level] = str(refusal)
    found = _launchers[level]
    if isinstance(found, str):
        if os.environ.get("GRADER_SKIP_NOTHING"):
            pytest.fail(found)
        pytest.skip(found)
    return found


@pytest.fixture
def launcher(level: str) -> Launcher:
    return launcher_of(level)


def load(remote: Remote, code: str, watched: tuple[str, ...] = ()) -> None:
    """Import `code` as the submission m.py, with nothing given, needed or replaced."""
    wanted: dict[str, Any] = {name: [] for name in inspect.signature(Session.start).parameters if name != "self"}
    wanted["sources"] = {"files": {"m": code.encode()}, "given": {}, "standins": b"", "siblings": {}}
    remote.ask("import", **{**wanted, "exercise": "m", "tasks": ["attack"], "watched": list(watched)})


def attack(launcher: Launcher, code: str, *arguments: Any, limits: Limits | None = None) -> Any:
    """The value of attack(*arguments), defined by `code`, in a subject of its own."""
    remote = launcher(limits or Limits())
    try:
        load(remote, code)
        return remote.ask("call", target="attack", args=arguments, kwargs={})["value"]
    finally:
        if remote.alive:
            remote.close()


@pytest.fixture
def run(launcher: Launcher) -> Callable[..., Any]:
    """attack() at the level of the test."""
    return lambda code, *arguments, **options: attack(launcher, code, *arguments, **options)
