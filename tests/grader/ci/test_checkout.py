"""Which files of a checkout are the submission, and whose Gradescope says it is."""

from __future__ import annotations

from pathlib import Path

import nbformat
import pytest

from grader.ci.checkout import of_gradescope, read_checkout
from grader.submission.model import Submission

TASKS = {"scale": ["scale"], "block": ["Block"]}


def put(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(f"# {path}\n", "utf-8")


def paths(root: Path) -> dict[str, str]:
    found = read_checkout(root, TASKS, "ada", lambda name, text: False)
    assert set(found.files) == set(found.submission.files)
    return {name: path for name, (path, _) in found.files.items()}


def test_the_top_and_exercises_come_first(tmp_path: Path) -> None:
    put(tmp_path, "scale.py", "exercises/block.py", "work/scale.py", "work/block.py")
    assert paths(tmp_path) == {"scale": "scale.py", "block": "exercises/block.py"}


def test_else_the_folder_with_most_files(tmp_path: Path) -> None:
    put(
        tmp_path,
        "a/scale.py",
        "b/c/exercises/scale.py",
        "b/c/exercises/block.py",
        "__MACOSX/x/scale.py",
        ".git/scale.py",
    )
    assert paths(tmp_path) == {"scale": "b/c/exercises/scale.py", "block": "b/c/exercises/block.py"}
    problems = read_checkout(tmp_path, TASKS, "ada", lambda name, text: False).submission.problems
    assert problems[0].startswith("The files in 'b/c' are graded")


def test_a_notebook_of_several_exercises_is_found_as_elsewhere(tmp_path: Path) -> None:
    sources = ["def scale(x):\n    return x", "class Block:\n    pass"]
    nb = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    (tmp_path / "week1.ipynb").write_text(nbformat.writes(nb), "utf-8")
    assert paths(tmp_path) == {"scale": "week1.ipynb", "block": "week1.ipynb"}


def test_links_are_not_followed(tmp_path: Path) -> None:
    put(tmp_path / "secret", "scale.py")
    (tmp_path / "checkout").mkdir()
    (tmp_path / "checkout" / "work").symlink_to(tmp_path / "secret")
    (tmp_path / "checkout" / "exercises").symlink_to(tmp_path / "secret")
    assert paths(tmp_path / "checkout") == {}


def test_gradescope_says_whose_it_is(tmp_path: Path) -> None:
    file = tmp_path / "metadata.json"
    file.write_text('{"id": 7, "created_at": "2026-01-02T03:04:05-08:00", "users": [{"name": "Ada"}, {"name": "Bo"}]}')
    told = of_gradescope(Submission("submission"), file)
    assert told.student == "Ada, Bo"
    assert told.origin
    assert (told.origin.ids, told.origin.submitted) == ({}, "2026-01-02T03:04:05-08:00")


def test_one_person_is_known_by_the_address(tmp_path: Path) -> None:
    file = tmp_path / "metadata.json"
    file.write_text('{"id": 7, "users": [{"id": 3, "name": "Ada", "email": "ada@example.org"}]}')
    told = of_gradescope(Submission("submission"), file)
    assert told.origin
    assert told.origin.ids == {"email": "ada@example.org"}


@pytest.mark.parametrize("text", ["", "[]", "{", '{"users": 3}', '{"users": [null, {"name": []}]}', "[" * 100_000])
def test_a_strange_file_changes_nothing_else(tmp_path: Path, text: str) -> None:
    file = tmp_path / "metadata.json"
    file.write_text(text)
    assert of_gradescope(Submission("submission"), file).student == "submission"
    assert of_gradescope(Submission("submission"), tmp_path / "none").student == "submission"
