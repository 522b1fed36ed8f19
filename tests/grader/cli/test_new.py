"""`grade new`: what it lays down works at once, nothing is overwritten, and a name that cannot be is a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from .calling import TOY, grade


@pytest.fixture
def course(tmp_path: Path) -> Path:
    grade(tmp_path, "new", "--course", "mine")
    return tmp_path / "mine"


def files(folder: Path) -> dict[str, bytes]:
    return {str(p.relative_to(folder)): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def test_functions_and_classes_pass_the_proof_as_they_were_laid_down(course: Path) -> None:
    said = grade(course, "new", "pair_up", "--task", "first", "--task", "SecondPart", "--track", "extra")
    assert "`grade check pair_up`" in said
    proof = grade(course, "check", "pair_up")
    assert "1 exercise holds" in proof
    assert "2 known bugs caught and named, 1 right answer in" in proof
    assert "Extra" in grade(course, "list")
    assert "in step" in grade(course, "stubs", "--check")


def test_the_next_one_comes_behind_it_in_the_same_track(course: Path) -> None:
    grade(course, "new", "one", "--track", "extra")
    grade(course, "new", "two")
    two = (course / "solutions" / "two.toml").read_text("utf-8")
    assert 'track = "extra"' in two
    assert "order = 2" in two
    assert 'find = "return x * weight"' in (course / "solutions" / "two.bugs.toml").read_text("utf-8")


def test_a_course_without_exercises_says_what_to_do(course: Path) -> None:
    for words in ([], ["list"], ["init", "x"], ["check"], ["stubs"]):
        assert "has no exercises yet: `grade new NAME`" in grade(course, *words, code=2)


def test_nothing_is_overwritten_and_nothing_half_written(course: Path) -> None:
    (course / "tests" / "exercises" / "test_thing.py").write_text("mine\n")
    before = files(course)
    said = grade(course, "new", "thing", code=2)
    assert "There is tests/exercises/test_thing.py in" in said
    assert "is a course already" in grade(course.parent, "new", "--course", "mine", code=2)
    assert files(course) == before
    (course.parent / "other").mkdir()
    (course.parent / "other" / "README.md").write_text("mine\n")
    assert "There is README.md in" in grade(course.parent, "new", "--course", "other", code=2)
    assert files(course.parent / "other") == {"README.md": b"mine\n"}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ([], "Name the exercise"),
        (["class"], "Python or a library has something of that name"),
        (["torch"], "Python or a library has something of that name"),
        (["random"], "Python or a library has something of that name"),
        (["Layer"], "'Layer' cannot be an exercise: use small letters"),
        (["a-b"], "'a-b' cannot be an exercise"),
        (["../up"], "'../up' cannot be an exercise"),
        (["注意"], "'注意' cannot be an exercise"),
        (["batch"], "`grade batch` is a command"),
        (["scale"], "There is an exercise 'scale' already"),
        (["fresh", "--task", "soften"], "'soften' is a task of scale already"),
        (["fresh", "--task", "def"], "'def' cannot be a task"),
        (["fresh", "--task", "a b"], "'a b' cannot be a task"),
        (["fresh", "--task", "Tensor"], "import something of that name"),
        (["fresh", "--task", "RMSNorm", "--task", "rms_norm"], "'rms_norm' and 'RMSNorm' are too alike"),
        (["fresh", "--track", "No Track"], "'No Track' cannot be a track"),
        (["fresh", "--course", "there"], "takes nothing else"),
    ],
)
def test_a_name_that_cannot_be_is_a_sentence(toy: Path, words: list[str], says: str) -> None:
    assert says in grade(toy, "new", *words, code=2)
    assert not (toy / "there").exists()
    assert files(toy).keys() == {name for name in files(TOY) if ".grade/" not in name and "__pycache__" not in name}


def test_in_a_students_folder_it_says_where_the_course_is(toy: Path) -> None:
    grade(toy, "init", "mine")
    assert "is a student's folder: go to the course" in grade(toy / "mine", "new", "fresh", code=2)
