"""What is remembered between runs: whatever has become of the files, and of the course, in the meantime."""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from grader.cli.main import main
from grader.cli.place import Place
from grader.cli.watch_command import _first_open
from grader.results import store
from grader.results.schema import Check, Environment, Exercise, Isolation, Results, Status

TOY = Path(__file__).parents[1] / "data" / "toy"
STATE = ("results.json", "hints.json", "training.json")


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    shutil.copytree(TOY, tmp_path / "toy", ignore=shutil.ignore_patterns(".grade", "__pycache__"))
    monkeypatch.chdir(tmp_path / "toy")
    return Place.find()


def row(name: str, status: Status, possible: float = 5, seconds: float = 0.1) -> Exercise:
    points = possible if status == "passed" else 0
    check = Check(
        id=f"{name}.c", task=name, title="T", status=status, points=points, possible=possible, seconds=seconds
    )
    return Exercise(name=name, title=name, track="t", status=status, points=points, possible=possible, checks=[check])


def results(*rows: Exercise) -> Results:
    names = ("grader", "python", "torch", "platform", "course", "submission", "salt")
    return Results(
        student="you", isolation=Isolation(level=2, name="x"), environment=Environment(**dict.fromkeys(names, "")),
        points=0, possible=0, seconds=0.1, exercises=list(rows),
    )  # fmt: skip


@pytest.mark.parametrize("name", STATE)
@pytest.mark.parametrize(
    "data",
    [
        b"", b"{", b"[]", b"null", b"3", b'"text"', b"\xff\xfe\x00", b"[" * 100_000,
        b'{"schema": 99}', b'{"schema": 0}', b'{"schema": 1}',
        b'{"scale": null}', b'{"scale": "two", "block": [1], "": -3, "soften": 99, "gone": 2}', None,
    ],
)  # fmt: skip
def test_a_broken_state_is_as_good_as_none(place: Place, name: str, data: bytes | None) -> None:
    path = place.state / name
    path.parent.mkdir()
    if data is None:
        path.mkdir()
    else:
        path.write_bytes(data)
    assert place.last() is None
    assert place.known() == {}
    assert place.training() is None
    assert _first_open(place) == "scale"
    assert main(["list"]) == 0
    assert main(["hint", "soften"]) == (2 if name == "hints.json" and data is None else 0)


def test_progress_outlives_a_course_that_has_changed(place: Place) -> None:
    """Exercises are known by their names: one is gone, one is worth more, one is new."""
    place.remember(results(row("scale", "passed", 3)))
    state = json.loads(place.results.read_text("utf-8"))
    state["exercises"].append({**state["exercises"][0], "name": "of_last_year"})
    state["of_a_newer_grader"] = True
    place.results.write_text(json.dumps(state), "utf-8")
    assert {name: r.status for name, r in place.known().items()}["scale"] == "passed"
    assert _first_open(place) == "block"
    known = place.remember(results(row("block", "failed")))
    assert [(r.name, r.status, r.points, r.possible) for r in known.exercises] == [
        ("scale", "passed", 5, 5),
        ("block", "failed", 0, 5),
    ]
    assert (known.points, known.possible) == (5, 10)
    assert store.load(place.results) == known


def test_points_of_a_part_are_scaled_and_practice_is_worth_none(place: Place) -> None:
    half: Any = row("scale", "failed", 4)
    (scale, block) = place.listed({"scale": half, "block": row("block", "passed", 0)})
    assert (scale.points, scale.possible, scale.status) == (0, 5, "failed")
    assert (block.points, block.possible) == (5, 5)


def test_a_file_that_was_changed_since_is_open_again(place: Place) -> None:
    place.remember(results(row("scale", "passed"), row("block", "passed")))
    os.utime(place.results, (2e9, 2e9))
    assert _first_open(place) == "scale"
    assert sorted(place.known()) == ["block", "scale"]
    os.utime(place.file("block"), (2e9 + 1, 2e9 + 1))
    assert sorted(place.known()) == ["scale"]
    assert _first_open(place) == "block"
