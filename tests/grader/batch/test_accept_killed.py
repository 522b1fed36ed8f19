"""Killed between any two operations on files: what is there is whole, and carrying on ends as if nothing had been."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from grader.batch.accept import accept, discard
from grader.errors import UsageError
from grader.results.store import load
from grader.submission.model import Submission

from .dying import killed_at, tree

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")

Run = Callable[[Path], object]


@pytest.fixture
def run(fake: ModuleType) -> Callable[..., Run]:
    """run(points=3): a batch into a folder."""

    def with_points(points: float = 2, text: str = "x = 1\n") -> Run:
        class_ = [fake.submission("ada"), fake.submission("grace", text), Submission("nobody")]
        return lambda out: fake.run_batch(
            class_, fake.backend(fake.results), fake.Present(points=points), out, 1, title="Class", pages=fake.PAGES
        )

    return with_points


def nothing_is_half_written(out: Path) -> None:
    """Whatever is there can be read, and no student's results stand beside the page of others."""
    for path in out.glob("**/results.json"):
        load(path)
    for path in out.glob("students/*/results.json"):
        page = path.with_name("report.html").read_text("utf-8")
        assert page == f"<p>{load(path).student}: {load(path).points}</p>" * 500


def every_kill(start: Path, work: Path, killed: Run, then: Run) -> int:
    """Kill at every moment, carry on, and compare with the end that nobody disturbed; how many moments there are."""
    undisturbed = shutil.copytree(start, work / "undisturbed")
    killed(undisturbed)
    expected = tree(undisturbed)
    for n in range(1, 500):
        out = shutil.copytree(start, work / str(n))
        if not killed_at(n, lambda out=out: killed(out)):  # type: ignore[misc]
            return n - 1
        nothing_is_half_written(out)
        then(out)
        assert tree(out) == expected, f"killed before operation {n}"
        assert not [path for path in out.rglob("*") if path.name.startswith(".") and path.name != ".lock"]
    raise AssertionError("it never ended")


def test_an_acceptance(fake: ModuleType, run: Callable[..., Run], tmp_path: Path) -> None:
    out = tmp_path / "out"
    run()(out)
    run(3)(out)

    def again(out: Path) -> None:
        with contextlib.suppress(UsageError):  # it was over but for its last words
            accept(out, "more points", fake.PAGES)

    def accepted(out: Path) -> None:
        accept(out, "more points", fake.PAGES)

    assert every_kill(out, tmp_path, accepted, again) > 20


def test_an_acceptance_that_the_next_batch_ends(fake: ModuleType, run: Callable[..., Run], tmp_path: Path) -> None:
    out = tmp_path / "out"
    run()(out)
    run(3)(out)

    def accepted(out: Path) -> None:
        accept(out, "more points", fake.PAGES)

    def then(out: Path) -> None:
        run(3)(out)
        with contextlib.suppress(UsageError):  # it was killed before it had begun
            accept(out, "more points", fake.PAGES)

    assert every_kill(out, tmp_path, accepted, then) > 20


def test_a_regrade(run: Callable[..., Run], tmp_path: Path) -> None:
    out = tmp_path / "out"
    run()(out)
    assert every_kill(out, tmp_path, run(3), run(3)) > 10


def test_a_changed_submission(run: Callable[..., Run], tmp_path: Path) -> None:
    out = tmp_path / "out"
    run()(out)
    assert every_kill(out, tmp_path, run(text="y = 2\n"), run(text="y = 2\n")) > 10


def test_a_regrade_that_is_dropped(fake: ModuleType, run: Callable[..., Run], tmp_path: Path) -> None:
    out = tmp_path / "out"
    run()(out)
    run(3)(out)

    def dropped(out: Path) -> None:
        discard(out, fake.PAGES)

    def then(out: Path) -> None:
        run()(out)
        with contextlib.suppress(UsageError):
            discard(out, fake.PAGES)

    assert every_kill(out, tmp_path, dropped, then) > 5
