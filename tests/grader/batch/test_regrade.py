"""A changed course: new results wait, the old ones stay, and nothing is graded twice."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from grader.batch.accept import accept, discard
from grader.batch.overrides import Override, Overrides
from grader.batch.run import Choice
from grader.errors import EngineError, UsageError
from grader.report.rows import Row
from grader.results.store import load
from grader.submission.model import Submission

from .dying import tree

Batch = Callable[..., list[Row]]


def points(out: Path, kind: str) -> dict[str, float]:
    return {path.parent.name: load(path).points for path in sorted((out / kind).rglob("results.json"))}


def test_changed_points_grade_nobody_and_never_enter_the_backend(
    batch: Batch, fake: ModuleType, trio: list[Submission], out: Path
) -> None:
    batch(trio)
    before = tree(out)

    def never(submission: Submission) -> Any:
        raise AssertionError("nothing is to be graded")

    rows = batch(trio, never, present=fake.Present(points=5))
    assert [row.results and row.results.points for row in rows] == [2, 2, 2]
    assert points(out, "students") == {"ada": 2, "grace": 2, "linus": 2}
    assert points(out, "regrade") == {"ada": 5, "grace": 5, "linus": 5}
    assert {name: data for name, data in tree(out).items() if name in before} == before
    assert (out / "changes.html").read_text("utf-8").splitlines() == [
        f"'{name}', 2.0 -> 5.0" for name in ("ada", "grace", "linus")
    ]


def test_the_backend_is_entered_once_and_only_if_it_must(fake: ModuleType, trio: list[Submission], out: Path) -> None:
    entered: list[list[str]] = []

    def backend(exercises: list[str]) -> Any:
        entered.append(list(exercises))
        return fake.backend(fake.results)(exercises)

    for expected in (1, 1):
        fake.run_batch(trio, backend, fake.Present(), out, 2, title="Class", pages=fake.PAGES)
        assert entered == [["attention"]] * expected


def test_a_changed_course_waits_and_a_changed_submission_does_not(
    batch: Batch, fake: ModuleType, grader: Any, trio: list[Submission], out: Path
) -> None:
    batch(trio)
    trio[1] = fake.submission("grace", "y = 2\n")
    fails = {"ada": "failed"}
    batch(trio, lambda s: grader(s) and fake.results(s, fails.get(s.student, "passed")), present=fake.Present("d"))
    assert grader.graded == ["ada", "grace", "linus"]
    assert points(out, "students") == {"ada": 2, "grace": 2, "linus": 2}
    assert points(out, "regrade") == {"ada": 0}, "linus's says the same, so it is in place"
    assert load(out / "students/linus/results.json").exercises[0].key.startswith("d-")
    assert [path.parent.name for path in out.glob("history/0001/*/results.json")] == ["grace"]
    assert load(out / "students/grace/results.json").environment.submission == trio[1].fingerprint()
    assert [path.parent.name for path in out.glob("history/0001/*/results.json")] == ["grace"]


def fails(fake: ModuleType) -> Callable[[Submission], Any]:
    return lambda submission: fake.results(submission, "failed")


def test_a_regrade_that_says_the_same_waits_for_nobody(
    batch: Batch, fake: ModuleType, trio: list[Submission], out: Path
) -> None:
    batch(trio)
    batch(trio, present=fake.Present("d"))
    assert {load(path).exercises[0].key[0] for path in out.glob("students/*/results.json")} == {"d"}
    assert not (out / "regrade").exists() or not list((out / "regrade").iterdir())
    assert not (out / "changes.html").exists()
    assert not (out / "history").exists()


def test_what_waits_is_not_graded_again_and_follows_the_course(
    batch: Batch, fake: ModuleType, grader: Any, trio: list[Submission], out: Path
) -> None:
    batch(trio)
    batch(trio, fails(fake), present=fake.Present("d"))
    batch(trio, grader, present=fake.Present("d"))
    batch(trio, grader, present=fake.Present("d", points=4))
    assert grader.graded == []
    assert points(out, "regrade") == {"ada": 0, "grace": 0, "linus": 0}
    assert {load(path).possible for path in out.glob("regrade/*/results.json")} == {4}
    batch(trio, grader)  # the course is as it was
    assert grader.graded == []
    assert not (out / "regrade" / "ada").exists()
    assert not (out / "changes.html").exists()


def test_a_regrade_that_fails_leaves_what_was_there(
    batch: Batch, fake: ModuleType, trio: list[Submission], out: Path
) -> None:
    batch(trio)
    batch(trio, fails(fake), present=fake.Present("d"))
    before = points(out, "students")["ada"], points(out, "regrade")["ada"]
    rows = batch(trio, fake.Grader({"ada": EngineError("Down.")}), present=fake.Present("e"))
    assert rows[0].problem == "Down."
    assert (points(out, "students")["ada"], points(out, "regrade")["ada"]) == before == (2, 0)


def test_accepted_results_are_in_place_and_the_old_ones_in_the_history(
    batch: Batch, fake: ModuleType, grader: Any, trio: list[Submission], out: Path
) -> None:
    batch(trio)
    old = (out / "students/ada/results.json").read_bytes()
    batch(trio, present=fake.Present(points=3))
    changed = accept(out, "three points", fake.PAGES)
    assert [(change.student, change.delta) for change in changed] == [("ada", 1), ("grace", 1), ("linus", 1)]
    assert points(out, "students") == {"ada": 3, "grace": 3, "linus": 3}
    assert (out / "history/0001/ada/results.json").read_bytes() == old
    page = (out / "history/0001/changes.html").read_text("utf-8")
    assert "2.0 -> 3.0" in page
    assert page.endswith("Accepted: three points")
    assert "three points" in (out / "history/index.json").read_text("utf-8")
    assert fake.tables(out)[1][0] == "'ada', 3.0, students/ada/report.html"
    assert sorted(os.listdir(out)) == [
        ".lock", "class.json", "gradebook.csv", "history", "index.html", "students",
    ]  # fmt: skip
    before = tree(out)
    batch(trio, grader, present=fake.Present(points=3))
    assert (grader.graded, tree(out)) == ([], before)


def test_a_copy_of_an_entry_that_somebody_made_is_left_alone(
    batch: Batch, fake: ModuleType, trio: list[Submission], out: Path
) -> None:
    batch(trio)
    batch([fake.submission(s.student, "x = 2\n") for s in trio])
    shutil.copytree(out / "history" / "0001", out / "history" / "0009 before the oral exam")
    batch([fake.submission(s.student, "x = 3\n") for s in trio])
    assert sorted(path.name for path in (out / "history").iterdir()) == [
        "0001", "0002", "0009 before the oral exam", "index.json",
    ]  # fmt: skip


def test_dropped_results_are_gone_and_the_old_ones_stay(
    batch: Batch, fake: ModuleType, trio: list[Submission], out: Path
) -> None:
    batch(trio)
    before = tree(out)
    batch(trio, present=fake.Present(points=3))
    assert discard(out, fake.PAGES) == 3
    assert tree(out) == before
    for call in (lambda: discard(out, fake.PAGES), lambda: accept(out, "", fake.PAGES)):
        with pytest.raises(UsageError, match="waits to be accepted"):
            call()


def test_accepting_where_no_batch_has_been_is_wrong_use(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="No batch has written to"):
        accept(tmp_path, "")
    assert list(tmp_path.iterdir()) == []


def test_rows_without_results_survive_an_acceptance(
    batch: Batch, fake: ModuleType, trio: list[Submission], out: Path
) -> None:
    everyone = [*trio, Submission("nobody")]
    batch(everyone)
    batch(everyone, present=fake.Present(points=3))
    accept(out, "", fake.PAGES)
    assert fake.tables(out)[1][-1].startswith("'nobody', There is no file to grade")


def test_only_some_students_are_looked_at_and_everybody_is_shown(
    batch: Batch, fake: ModuleType, grader: Any, trio: list[Submission], out: Path
) -> None:
    batch(trio[:2])
    trio[0] = fake.submission("ada", "y = 2\n")
    rows = batch(trio, grader, choice=Choice(students=["grace"], force=True))
    assert grader.graded == ["grace"]
    assert [(row.student, bool(row.results)) for row in rows] == [("ada", True), ("grace", True), ("linus", False)]
    assert "this run was for others" in str(rows[2].problem)
    batch(trio, grader)
    assert sorted(grader.graded) == ["ada", "grace", "linus"]


def test_adjustments_are_made_on_kept_results_and_taken_back(
    batch: Batch, fake: ModuleType, grader: Any, trio: list[Submission], out: Path
) -> None:
    batch(trio)
    before = tree(out)
    set_by_hand = Overrides(overrides=(Override(student="ada", points=1.5, reason="Board."),))
    rows = batch(trio, grader, overrides=set_by_hand)
    assert [row.results and row.results.final for row in rows] == [1.5, 2, 2]
    assert load(out / "students/ada/results.json").final == 1.5
    batch(trio, grader, overrides=set_by_hand, present=fake.Present(points=3))
    assert [load(out / kind / "ada" / "results.json").final for kind in ("students", "regrade")] == [1.5, 1.5]
    assert "'ada', 1.5 -> 1.5" in (out / "changes.html").read_text("utf-8")
    batch(trio, grader)
    assert (grader.graded, tree(out)) == ([], before)


def test_the_lower_of_two_levels_is_graded_again_and_the_better_is_kept(
    batch: Batch, fake: ModuleType, grader: Any, trio: list[Submission], out: Path
) -> None:
    from msgspec.structs import replace

    def at(level: int, *downgrades: str) -> Callable[[Submission], Any]:
        def grade(submission: Submission) -> Any:
            results = grader(submission)
            told = replace(results.isolation, level=level, downgrades=list(downgrades))
            return replace(results, isolation=told)

        return grade

    batch(trio, at(1, "not level 4: an accident"))
    batch(trio, at(1, "not level 4: an accident"), level=1)
    assert len(grader.graded) == 3, "this machine has nothing better"
    batch(trio, at(4), level=4)
    assert len(grader.graded) == 6
    batch(trio, at(1), level=1)
    batch(trio, at(1), level=1, choice=Choice(isolation="2"))
    assert len(grader.graded) == 6


def test_the_class_page_compares_with_the_class_before_its_newest_change(
    batch: Batch, fake: ModuleType, trio: list[Submission]
) -> None:
    seen: list[list[float] | None] = []

    def overview(title: str, rows: list[Row], before: list[Row] | None) -> str:
        seen.append([row.results.points for row in before if row.results] if before else None)
        return "page"

    pages = replace(fake.PAGES, overview=overview)
    batch(trio, lambda s: fake.results(s, "failed"), pages=pages)
    trio[1] = fake.submission("grace", "y = 2\n")
    batch(trio, pages=pages)
    batch(trio, pages=pages)
    trio[2] = fake.submission("linus", "y = 2\n")
    batch(trio, pages=pages)
    assert seen == [None, [0, 0, 0], [0, 0, 0], [0, 2, 0]]
