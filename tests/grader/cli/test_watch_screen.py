"""The screen of `grade watch`: what is watched, the keys, and a verdict that fits below them."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console, RenderableType

from grader.catalogue.load import load_course
from grader.cli.hint_command import next_hint
from grader.cli.place import Place
from grader.cli.watch_command import KEYS, rendered
from grader.results.schema import Check, Exercise
from grader.watch.watch import Screen, View

COURSE = load_course(Path(__file__).parents[1] / "data" / "toy")


def crowded() -> dict[str, Exercise]:
    """Six tasks that fail in five ways each."""
    checks = [
        Check(
            id=f"scale.c{t}{i}", task=f"task_{t}", title=f"Title {i} of task {t}.", status="failed", reason="value",
            code="property", points=0, possible=1, message="long words " * 30, help="help " * 30,
        )
        for t in range(6)
        for i in range(5)
    ]  # fmt: skip
    row = Exercise(name="scale", title="Scale", track="t", status="failed", points=0, possible=30, checks=checks)
    return {"scale": row}


def drawn(what: RenderableType, height: int) -> list[str]:
    console = Console(file=io.StringIO(), width=80, height=height, color_system=None, force_terminal=True)
    console.print(what)
    assert isinstance(console.file, io.StringIO)
    return [line.rstrip() for line in console.file.getvalue().splitlines()]


def test_hints_are_asked_for_with_a_key(tmp_path: Path) -> None:
    place = Place(COURSE, tmp_path)
    told = [next_hint(place, "scale").splitlines()[-1] for _ in range(3)]
    assert told[:2] == ["More: h again."] * 2
    assert told[2] == "That was the last hint. Save the file, and the verdict says what is still wrong."


@pytest.mark.parametrize("height", [16, 24, 50])
def test_a_verdict_ends_above_the_lower_edge(tmp_path: Path, height: int) -> None:
    place = Place(COURSE, tmp_path / "a folder whose path is longer than the line")
    lines = drawn(rendered(place, Screen("scale", "verdict", crowded()), height), height)
    assert len(lines) <= height
    assert lines[0].startswith("Watching ")
    assert lines[1] == KEYS
    last = [line for line in lines if line][-1]
    assert last.startswith("… ")
    assert last.endswith("more in `grade report`")


@pytest.mark.parametrize(
    ("view", "busy", "says"),
    [
        ("hint", "", "an arrow"),
        ("problem", "", "an arrow"),
        ("list", "", "block"),
        ("verdict", "Grading scale, about 4 s …", "Grading scale, about 4 s …"),
    ],
)
def test_what_else_it_shows(tmp_path: Path, view: View, busy: str, says: str) -> None:
    screen = Screen("scale", view, {}, text="an arrow \x1b[31m", busy=busy)
    shown = "\n".join(drawn(rendered(Place(COURSE, tmp_path), screen, 24), 24))
    assert says in shown
    assert "\x1b[31m" not in shown
