"""`grade batch` and `grade accept` with the real engine: what is graded again after each kind of change."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from grader.catalogue.stubs import as_submission

from .calling import TOY, grade

ADDS = ("return x * factor", "return x + factor")


@pytest.fixture(scope="module")
def graded_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with a class of three, and the results of a first run."""
    root = tmp_path_factory.mktemp("once") / "toy"
    shutil.copytree(TOY, root, ignore=shutil.ignore_patterns(".grade", "__pycache__"))
    for student in ("ada", "ben", "cleo"):
        for name in ("scale", "block"):
            text = as_submission((root / "solutions" / f"{name}.py").read_text("utf-8"))
            (root / "class" / student).mkdir(parents=True, exist_ok=True)
            (root / "class" / student / f"{name}.py").write_text(
                text.replace(*ADDS) if student == "ben" else text, "utf-8"
            )
    shown = grade(root, "batch", "class", "--out", "out", "-j", "2")
    assert "3 submissions: 3 graded, in" in shown
    return root


@pytest.fixture
def place(graded_once: Path, tmp_path: Path) -> Path:
    shutil.copytree(graded_once, tmp_path / "toy")
    return tmp_path / "toy"


def batch(place: Path, *options: str) -> str:
    return grade(place, "batch", "class", "--out", "out", "-j", "2", *options)


def edit(place: Path, path: str, old: str, new: str) -> None:
    text = (place / path).read_text("utf-8")
    assert old in text
    (place / path).write_text(text.replace(old, new, 1), "utf-8")


def exercises(place: Path, kind: str, student: str) -> dict[str, dict[str, object]]:
    results = json.loads((place / "out" / kind / student / "results.json").read_bytes())
    return {row["name"]: row for row in results["exercises"]}


def test_a_point_a_title_and_a_hint_grade_nobody(place: Path) -> None:
    edit(place, "solutions/scale.toml", 'title = "Scale"', 'title = "Stretch"')
    edit(place, "solutions/scale.toml", "Which operator stretches", "What stretches")
    assert "3 submissions: 3 kept, in" in batch(place)
    assert "Stretch" in (place / "out/students/ada/report.html").read_text("utf-8")
    assert not (place / "out/regrade").exists()
    edit(place, "solutions/scale.toml", "points = 2", "points = 7")
    shown = batch(place)
    assert "3 submissions: 3 kept, in" in shown
    assert "3 students with other results: 2 gain, 0 lose, 1 keep their points" in shown
    assert "scale.scale_values: 2 gain, 0 lose" in shown
    assert "+5  ada   10 of 10 → 15 of 15  scale.scale_values +5" in shown
    assert exercises(place, "students", "ada")["scale"]["points"] == 5
    shown = grade(place, "accept", "out", "--why", "scale is worth more")
    assert "Accepted." in shown
    assert exercises(place, "students", "ada")["scale"]["points"] == 10
    assert '"ada",15,15' in (place / "out/gradebook.csv").read_text("utf-8")
    assert "scale is worth more" in (place / "out/history/index.json").read_text("utf-8")
    assert "3 submissions: 3 kept, in" in batch(place)
    assert "waits to be accepted" in grade(place, "accept", "out", code=2)


def test_a_line_of_a_reference_grades_only_its_exercise(place: Path) -> None:
    before = exercises(place, "students", "ben")
    edit(place, "solutions/block.py", "A residual block around", "One block around")
    shown = batch(place)
    assert "3 submissions: 3 graded, in" in shown
    assert "other results" not in shown, "what says the same is put in place at once"
    after = exercises(place, "students", "ben")
    assert after["scale"] == before["scale"], "its times, too: it was not graded"
    assert after["block"]["key"] != before["block"]["key"]
    assert after["block"]["notes"] == before["block"]["notes"] != []
    edit(place, "solutions/scale.toml", "points = 2", "points = 7")
    assert "3 students with other results: 2 gain" in batch(place)
    shown = grade(place, "accept", "out", "--discard")
    assert "The regraded results of 3 students are dropped" in shown
    assert exercises(place, "students", "ben") == after


def test_one_students_file_grades_what_it_is_needed_for(place: Path) -> None:
    before = exercises(place, "students", "ada")
    edit(place, "class/ada/block.py", "return x + scale", "return scale")
    assert "3 submissions: 1 graded, 2 kept, in" in batch(place)
    after = exercises(place, "students", "ada")
    assert (after["scale"], after["block"]["points"]) == (before["scale"], 2)
    edit(place, "class/ben/scale.py", "return x + factor", "return x * factor")
    assert "3 submissions: 1 graded, 2 kept, in" in batch(place)
    repaired = exercises(place, "students", "ben")
    assert (repaired["scale"]["points"], repaired["block"]["notes"]) == (5, [])
    assert sorted(path.parent.name for path in (place / "out/history").rglob("results.json")) == ["ada", "ben"]


def test_a_suite_and_a_stand_in_grade_what_uses_them(place: Path) -> None:
    before = exercises(place, "students", "cleo")
    edit(place, "tests/exercises/test_block.py", '"width": 4', '"width": 5')
    batch(place)
    after = exercises(place, "students", "cleo")
    assert (after["scale"] == before["scale"], after["block"] == before["block"]) == (True, False)
    edit(place, "solutions/standins.py", "torch.mul(x, factor)", "torch.mul(factor, x)")
    batch(place, "--student", "cleo")
    again = exercises(place, "students", "cleo")
    assert {name for name in again if again[name]["key"] == after[name]["key"]} == set()


def test_only_and_student_leave_the_others_as_they_are(place: Path) -> None:
    edit(place, "class/ada/scale.py", "return x * factor", "return x + factor")
    edit(place, "class/cleo/scale.py", "return x * factor", "return x + factor")
    assert "3 submissions: 1 graded, 2 left alone, in" in batch(place, "--student", "ada", "--only", "scale")
    assert exercises(place, "students", "ada")["scale"]["points"] == 2
    assert exercises(place, "students", "ada")["block"]["notes"] == []
    assert exercises(place, "students", "cleo")["scale"]["points"] == 5
    batch(place)
    assert exercises(place, "students", "ada")["block"]["notes"] != []
    for options, told in {
        ("--student", "adda"): "No student 'adda' is graded here. Did you mean 'ada'?",
        ("--only", "scal"): "No exercise 'scal' is graded here. Did you mean 'scale'?",
        ("--overrides", "no.toml"): "There is no file 'no.toml'",
    }.items():
        assert told in grade(place, "batch", "class", "--out", "out", *options, code=2)


def test_force_grades_everyone_and_overrides_nobody(place: Path) -> None:
    (place / "out/overrides.toml").write_text(
        '[[overrides]]\nstudent = "ben"\nexercise = "scale"\npoints = 4\nreason = "Oral."\ncomment = "Good talk."\n'
    )
    assert "3 submissions: 3 graded, in" in batch(place, "--force", "-j", "1")
    page = (place / "out/students/ben/report.html").read_text("utf-8")
    for words in ("Scale: points set by your instructor", "2 → 4", "Oral.", "Good talk.", "Beside the checks"):
        assert words in page
    (place / "out/overrides.toml").write_text('[[overrides]]\nstudent = "bne"\ncomment = "x"\n')
    assert "no student 'bne'. Did you mean 'ben'?" in grade(place, "batch", "class", "--out", "out", code=2)


SET_BY_HAND = '[[overrides]]\nstudent = "ada"\npoints = 3\nreason = "At the board."\n'


def test_overrides_are_those_of_the_last_run_until_another_file_is_named(place: Path) -> None:
    (place / "by_hand.toml").write_text(SET_BY_HAND, "utf-8")
    assert "as last time" not in batch(place, "--overrides", "by_hand.toml")
    for _again in range(2):
        assert "Overrides as last time: by_hand.toml" in batch(place)
        assert ',3,"At the board."' in (place / "out/gradebook.csv").read_text("utf-8")
    edit(place, "solutions/scale.toml", "points = 2", "points = 7")
    assert "as last time" in batch(place)
    grade(place, "accept", "out")
    assert "as last time" in batch(place), "accept does not forget it"
    (place / "by_hand.toml").rename(place / "moved.toml")
    refused = grade(place, "batch", "class", "--out", "out", code=2)
    assert "overrides from 'by_hand.toml', which is gone" in refused
    assert "as last time" not in batch(place, "--overrides", "moved.toml")
    (place / "empty.toml").write_text("", "utf-8")
    batch(place, "--overrides", "empty.toml")
    assert "At the board." not in (place / "out/gradebook.csv").read_text("utf-8")


ROSTER = "name,login\nAda Lovelace,ada\nBen Jones,ben\nCleo Smith,cleo\n"


def test_the_roster_is_that_of_the_last_run_until_another_is_named(place: Path) -> None:
    (place / "roster.csv").write_text(ROSTER, "utf-8")
    assert "! 3 of the 3 students of the last run are not here any more (ada, ben, cleo)" in batch(
        place, "--roster", "roster.csv"
    )
    for _again in range(2):
        shown = batch(place)
        assert "Roster as last time: roster.csv" in shown
        assert "not here any more" not in shown
        assert '"Ada Lovelace"' in (place / "out/gradebook.csv").read_text("utf-8")
    edit(place, "solutions/scale.toml", "points = 2", "points = 7")
    batch(place)
    grade(place, "accept", "out")
    assert "Roster as last time" in batch(place), "accept does not forget it"
    (place / "roster.csv").rename(place / "moved.csv")
    assert "roster from 'roster.csv', which is gone" in grade(place, "batch", "class", "--out", "out", code=2)
    shown = batch(place, "--roster", "")
    assert "students of the last run are not here any more (Ada Lovelace, Ben Jones, Cleo Smith)" in shown
    assert "Roster as last time" not in batch(place)


def test_the_title_stays_until_another_is_given(place: Path) -> None:
    for options in (["--title", "Deep learning"], []):
        batch(place, *options)
        assert "<h1>Deep learning</h1>" in (place / "out/index.html").read_text("utf-8")


def test_a_late_policy_without_times_says_so_once(place: Path) -> None:
    assert "[late]" not in batch(place)
    late = "[late]\ndue = 2026-11-01T23:59:00+01:00\npercent_per_day = 10\n"
    (place / "out/overrides.toml").write_text(late + SET_BY_HAND, "utf-8")
    shown = batch(place)
    assert shown.count("[late]") == 1
    assert "[late]: no hand-in time is known for 2 students: nothing was taken." in shown
    assert 'below [submitted], when somebody handed in: "ben" = 2026-11-02T23:59:00+01:00' in shown


def test_a_batch_is_no_results_file(place: Path) -> None:
    assert "open 'out/index.html', or name one student's" in grade(place, "report", "out", code=2)
