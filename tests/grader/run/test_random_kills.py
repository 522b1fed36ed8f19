"""Ten processes killed while they grade: nothing is lost, nothing is wrong. `make proof` kills two hundred."""

from __future__ import annotations

import json
import random
import signal
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import msgspec
import psutil
import pytest

from grader.catalogue.load import load_course
from grader.errors import EngineError
from grader.run.engine import Engine
from grader.submission.discover import discover
from grader.submission.model import Submission

from .killing import (
    COURSE,
    TEXTS,
    Roles,
    by_role,
    of_command,
    start_batch,
    strike,
    tree,
    without_times,
    write_class,
    wrong_checks,
)
from .test_kill import wait_until_gone

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="kills processes by what they are on Linux")

KILLS = [("zygote", 1), ("zygote", 2), *(("subject", n) for n in (3, 4, 5)), *(("fork", n) for n in (6, 7, 8))]
SOON = 0.2  # seconds, within which four submissions are not all graded

Grades = dict[str, Any]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("class")
    write_class(made, TEXTS, 2 * len(TEXTS))
    return made


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    course = load_course(COURSE)
    with Engine(course, course.names, others=True) as engine:
        engine.ready()
        yield engine


def grade_all(engine: Engine, folder: Path, size: int = len(TEXTS)) -> Grades:
    """Two at a time, as a batch does. None: a row with a reason."""

    def graded(submission: Submission) -> Any:
        try:
            return without_times(msgspec.to_builtins(engine.grade(submission)))
        except EngineError:
            return None

    submissions = discover(folder, engine.course.names)[:size]
    with ThreadPoolExecutor(2) as pool:
        return dict(zip((s.student for s in submissions), pool.map(graded, submissions), strict=True))


@pytest.fixture(scope="module")
def right(engine: Engine, folder: Path) -> Grades:
    found = grade_all(engine, folder, 2 * len(TEXTS))
    assert [grades["points"] for grades in found.values()] == [10, 8, 1, 0] * 2
    return found


def graded_under_fire(engine: Engine, folder: Path, role: str, seed: int) -> tuple[list[Grades], list[psutil.Process]]:
    """Rounds of grading, in one of which somebody was killed; and the subjects and forks seen meanwhile."""
    dice, stop = random.Random(seed), threading.Event()
    examiner, everybody = psutil.Process(engine._process.pid), set[psutil.Process]()

    def look() -> Roles:
        roles = by_role(examiner)
        everybody.update(roles["subject"] + roles["fork"])
        return roles

    with ThreadPoolExecutor(1) as killer:
        struck = killer.submit(strike, look, role, dice.uniform(0, SOON), dice, lambda: not stop.is_set())
        try:
            rounds = [grade_all(engine, folder)]
            while not struck.done():
                rounds.append(grade_all(engine, folder))
        finally:
            stop.set()
    assert struck.result()
    return rounds, list(everybody)


@pytest.mark.parametrize(("role", "seed"), KILLS)
def test_whoever_is_killed_the_class_is_graded(
    engine: Engine, folder: Path, right: Grades, role: str, seed: int
) -> None:
    rounds, everybody = graded_under_fire(engine, folder, role, seed)
    graded = [(student, grades) for found in rounds for student, grades in found.items()]
    for student, grades in graded:
        assert grades is not None
        assert not wrong_checks(grades, right[student], role)
    assert sum(grades != right[student] for student, grades in graded) <= 2, "as many as were being graded"
    assert grade_all(engine, folder).items() <= right.items(), "whoever comes next never notices"
    assert not wait_until_gone(everybody, 2)


def as_graded(results: Any) -> Any:
    """Without keys and origin, which a batch adds."""
    rows = [{**row, "key": ""} for row in results["exercises"]]
    return without_times({**results, "exercises": rows, "origin": None})


def test_a_killed_batch_is_resumed(folder: Path, right: Grades, tmp_path: Path) -> None:
    out, home, dice, everybody = tmp_path / "out", tmp_path / "home", random.Random(9), set[psutil.Process]()
    home.mkdir()
    with start_batch(folder, out, home) as batch:
        command = psutil.Process(batch.pid)

        def while_it_grades() -> Roles:
            roles = of_command(command)
            everybody.update(process for processes in roles.values() for process in processes)
            return roles if roles.get("fork") else {}

        assert strike(while_it_grades, "command", dice.uniform(0, SOON / 4), dice, lambda: batch.poll() is None)
    assert batch.returncode == -signal.SIGKILL
    assert not wait_until_gone(list(everybody), 2)
    done = {path.parent.name: json.loads(path.read_bytes()) for path in out.glob("students/*/*.json")}
    assert {name: as_graded(file) for name, file in done.items()}.items() <= right.items(), "whole and right"
    with start_batch(folder, out, home) as batch:
        said = batch.communicate(timeout=60)[0]
    assert batch.returncode == 0, said
    found = tree(out)
    assert {student: as_graded(found[f"students/{student}/results.json"]) for student in right} == right
    assert found["gradebook.csv"].count(b'"graded"') == len(right)
    assert not [*home.iterdir(), *out.rglob("*.tmp")]


def test_a_killed_examiner_is_a_reason_for_everyone_who_is_left(engine: Engine, folder: Path, right: Grades) -> None:
    """The last of these tests: the engine is of no use afterwards."""
    rounds, everybody = graded_under_fire(engine, folder, "examiner", 10)
    for student, grades in ((student, grades) for found in rounds for student, grades in found.items()):
        assert grades in (right[student], None)
    assert not any(grade_all(engine, folder).values())
    assert not wait_until_gone(everybody, 2)
