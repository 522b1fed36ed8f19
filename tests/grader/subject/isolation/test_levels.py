"""What the self-test of each level finds, and what happens when a level is asked for that is not there."""

from __future__ import annotations

import itertools
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import grader
from grader.errors import UsageError
from grader.run.launch import Launcher
from grader.subject.isolation import level1, level2, level4
from grader.subject.isolation.ladder import LEVELS, candidates
from grader.subject.worker.kernel import landlock

from .conftest import ALL, launcher_of


@pytest.mark.parametrize("level", ALL)
def test_a_level_is_what_its_self_test_found(level: str) -> None:
    isolation = launcher_of(level).isolation
    assert isolation is not None
    assert (isolation.level, isolation.requested, isolation.downgrades) == (int(level), level, [])
    assert isolation.name == LEVELS[level].name
    assert not LEVELS[level].missing(isolation.features)


def test_each_level_needs_all_that_the_one_below_needs() -> None:
    needs = [set(level.needs) for level in LEVELS.values()]
    assert all(higher > lower for higher, lower in itertools.pairwise(needs))


@pytest.mark.parametrize("level", ["1", "0"])
def test_the_self_test_of_a_low_level_says_what_is_open(level: str) -> None:
    isolation = launcher_of(level).isolation
    assert isolation is not None
    open_doors = {name for name, closed in isolation.features.items() if not closed}
    assert {"hidden files", "network", "signals", "processes", "no proc"} <= open_doors


def test_others_code_starts_at_the_top_and_ones_own_where_it_costs_no_second_import() -> None:
    assert [level.number for level in candidates("auto", others=True)] == [4, 2, 1, 0]
    assert [level.number for level in candidates("auto", others=False)] == [2, 1, 0]
    assert [level.number for level in candidates("4", others=False)] == [4]
    with pytest.raises(UsageError, match="no isolation level '3'"):
        candidates("3", others=True)


def test_level_4_without_bubblewrap_is_refused_in_words(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(UsageError, match=r"level 4 is not to be had .*: bubblewrap is not installed"):
        Launcher("4").begin()


def test_level_4_where_bubblewrap_fails_is_refused_with_its_own_words(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake = tmp_path / "bwrap"
    fake.write_text("#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1\n", "utf-8")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}{os.pathsep}{os.environ['PATH']}")
    with pytest.raises(UsageError, match="No permissions to create new namespace"):
        Launcher("4").begin()


def test_level_2_without_landlock_is_refused_and_auto_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(landlock, "version", lambda: 0)
    with pytest.raises(UsageError, match=r"level 2 is not to be had .*: the kernel has no Landlock"):
        Launcher("2").begin()
    launcher = Launcher("auto")
    try:
        isolation = launcher.prove()
    finally:
        launcher.close()
    assert (isolation.level, isolation.requested) == (1, "auto")
    assert isolation.downgrades == ["not level 2: the kernel has no Landlock, or it is switched off"]


@pytest.mark.needs("bwrap")
def test_where_namespaces_are_forbidden_auto_goes_on_and_says_why() -> None:
    code = (
        "from grader.run.launch import Launcher; launcher = Launcher('auto', others=True); found = launcher.prove()\n"
        "print(found.level, *found.downgrades); launcher.close()"
    )
    done = subprocess.run(
        ["bwrap", "--unshare-user", "--disable-userns", "--dev-bind", "/", "/", "--", sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": str(Path(grader.__file__).parents[1])},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    if "disable-userns" in done.stderr:
        pytest.skip(f"this bubblewrap cannot forbid them: {done.stderr}")
    assert done.stdout.startswith("2 " if landlock.version() else "1 "), done.stderr
    assert "not level 4: bwrap: " in done.stdout


def test_what_a_self_test_cannot_confirm_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    missing = LEVELS["1"].__class__(1, "one", (*level1.NEEDS, "a moat"), level1.plan)
    monkeypatch.setitem(LEVELS, "1", missing)
    launcher = Launcher("1")
    with pytest.raises(UsageError, match="could not confirm: a moat"):
        launcher.prove()
    launcher.close()


@pytest.mark.needs("bwrap")
def test_a_course_inside_of_what_must_be_readable_is_refused() -> None:
    library = Path(os.__file__).parent
    with pytest.raises(UsageError, match="keep the course elsewhere"):
        Launcher("4", hidden=[library / "json"]).begin()
    with pytest.raises(UsageError, match="keep the course elsewhere"):
        Launcher("2", hidden=[library / "json" / "course"]).begin()


def test_plans_name_no_writable_folder() -> None:
    plans = [level2.plan([])] + ([level4.plan([])] if shutil.which("bwrap") else [])
    assert all(plan.write == (os.devnull,) for plan in plans)
