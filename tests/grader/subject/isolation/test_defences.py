"""Each defence is needed: with one switched off, something gets through that the self-test, or an attack, sees."""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from grader.run.launch import Launcher
from grader.run.probe import measure
from grader.subject.isolation import level4
from grader.subject.isolation.closure import Closure, closure
from grader.subject.isolation.ladder import LEVELS
from grader.subject.limits import Limits
from grader.subject.worker.kernel import landlock

from .conftest import COURSE, LEVEL4, WALLED, attack, launcher_of

OPENS = "import os\ndef attack(fd, name):\n    return open(os.open(name, os.O_RDONLY, dir_fd=fd)).read()\n"


@contextlib.contextmanager
def without(launcher: Launcher, level: str, *steps: str) -> Iterator[Launcher]:
    """Subjects of `launcher` skip these steps, for a while."""
    plan = LEVELS[level].plan([COURSE])
    weaker = replace(plan, steps=tuple(step for step in plan.steps if step not in steps))
    assert launcher._zygote is not None
    assert launcher._zygote.use(weaker.message(), Limits()) is None
    try:
        yield launcher
    finally:
        assert launcher._zygote.use(plan.message(), Limits()) is None


def lost(level: str, *steps: str) -> set[str]:
    """Needed features that the self-test no longer finds."""
    with without(launcher_of(level), level, *steps) as launcher:
        features = measure(launcher(Limits()), [COURSE / "solutions" / "scale.py"], [COURSE])
    return set(LEVELS[level].missing(features))


@pytest.mark.parametrize("level", WALLED)
def test_with_everything_on_nothing_is_lost(level: str) -> None:
    assert lost(level) == set()


@pytest.mark.parametrize("level", WALLED)
@pytest.mark.parametrize(
    ("step", "first_seen"),
    [("seccomp", {"processes", "kernel", "shared memory"}), ("limits", {"memory", "cpu", "files"}),
     ("descriptors", {"descriptors"})],
)  # fmt: skip
def test_a_step_left_out_is_seen(level: str, step: str, first_seen: set[str]) -> None:
    assert first_seen <= lost(level, step)


def test_without_landlock_files_are_open_at_level_2() -> None:
    assert {"hidden files", "no proc"} <= lost("2", "landlock")


@pytest.mark.skipif(os.geteuid() != 0, reason="an ordinary user has no capabilities to begin with")
def test_without_dropping_capabilities_root_keeps_them_at_level_2() -> None:
    if LEVELS["2"].plan([]).user is not None:
        pytest.skip("root becomes an ordinary user here, and loses them on the way")
    assert "no rights" in lost("2", "capabilities")


@pytest.mark.parametrize("level", [LEVEL4])
@pytest.mark.parametrize(
    ("steps", "first_seen"),
    [
        (("namespaces",), {"own pids"}),
        (("capabilities",), {"no rights"}),
        (("proc", "landlock"), {"no proc"}),
        (("landlock",), set()),  # a second wall: the descriptor below shows it
    ],
)
def test_a_step_left_out_is_seen_at_level_4(level: str, steps: tuple[str, ...], first_seen: set[str]) -> None:
    if "landlock" in steps and not landlock.version():
        pytest.skip("there is no Landlock here")
    assert lost(level, *steps) >= first_seen
    assert bool(first_seen) == bool(lost(level, *steps))


@pytest.mark.needs("bwrap")
def test_with_the_whole_environment_bound_test_tools_are_there(monkeypatch: pytest.MonkeyPatch) -> None:
    found = closure()
    site = next(iter(found.packages.values())).parent
    everything = Closure(found.python, found.library, found.shared, {path.name: path for path in site.iterdir()})
    code = "import importlib\ndef attack():\n    return importlib.import_module('pytest').__name__\n"
    launcher_of("4")
    monkeypatch.setattr(level4, "closure", lambda: everything)
    launcher = Launcher("4")
    try:
        assert attack(launcher, code) == "pytest"
    finally:
        launcher.close()


@pytest.mark.needs("bwrap")
def test_a_planted_folder_leads_out_only_where_landlock_and_closing_are_off(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    launcher_of("4")
    (tmp_path / "canary").write_text("CANARY", "utf-8")
    (tmp_path / "canary").chmod(0o644)
    for folder in (tmp_path, tmp_path.parent, tmp_path.parent.parent):
        folder.chmod(0o755)
    planted = os.open(tmp_path, os.O_RDONLY)
    popen = subprocess.Popen

    def leaky(*arguments: Any, pass_fds: list[int], **options: Any) -> Any:
        return popen(*arguments, pass_fds=[*pass_fds, planted], **options)

    monkeypatch.setattr(level4.subprocess, "Popen", leaky)
    launcher = Launcher("4")
    try:
        launcher.prove()
        with pytest.raises(AssertionError, match="Bad file descriptor"):
            attack(launcher, OPENS, planted, "canary")
        if landlock.version():
            with without(launcher, "4", "descriptors"), pytest.raises(AssertionError, match="Permission denied"):
                attack(launcher, OPENS, planted, "canary")
        with without(launcher, "4", "descriptors", "landlock"):
            assert attack(launcher, OPENS, planted, "canary") == "CANARY"
    finally:
        launcher.close()
        os.close(planted)
