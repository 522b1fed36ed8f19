"""Finding the submissions of a class: nothing that could be one is left out silently."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.submission.discover import discover
from grader.submission.model import Submission

Write = Callable[..., Path]


def files(submissions: list[Submission]) -> dict[str, list[str]]:
    return {s.student: sorted(s.files) for s in submissions}


def test_a_folder_per_student(write: Write, tmp_path: Path, names: list[str]) -> None:
    write("grace/exercises/encoder.py")
    write("ada/attention.py")
    write("ada/encoder.py")
    write("Ömer O'Neil (late)/attention.py")
    for junk in [".git/attention.py", "__pycache__/attention.py", "__MACOSX/attention.py", "._ada_encoder.py", "a.csv"]:
        write(junk)
    found = discover(tmp_path, names)
    assert files(found) == {
        "ada": ["attention", "encoder"], "grace": ["encoder"], "Ömer O'Neil (late)": ["attention"],
    }  # fmt: skip
    assert [s.student for s in found] == ["ada", "grace", "Ömer O'Neil (late)"]
    assert not any(s.problems for s in found)


def test_flat_files_by_the_longest_exercise_name(write: Write, tmp_path: Path, names: list[str]) -> None:
    for name in [
        "ada_attention.py", "ada-encoder.py", "ada_positional_encoding.py", "grace-positional-encoding.py",
        "de la cruz_j_attention.PY", "a_attention_encoder.py",
    ]:  # fmt: skip
        write(name)
    assert files(discover(tmp_path, names)) == {
        "ada": ["attention", "encoder", "positional_encoding"],
        "grace-positional": ["encoding"],
        "de la cruz_j": ["attention"],
        "a_attention": ["encoder"],
    }


@pytest.mark.parametrize("name", ["attention.py", "_attention.py", "ada.py", "ada_atention.py", "adaattention.py"])
def test_a_flat_file_without_student_or_exercise_is_a_row(
    write: Write, tmp_path: Path, names: list[str], name: str
) -> None:
    write(name)
    (row,) = discover(tmp_path, names)
    assert (row.student, row.files) == (name, {})
    assert row.problems == (f"{name!r} names no student, or no exercise: call it like STUDENT_attention.py.",)


def test_a_folder_and_flat_files_of_one_student_are_one_row(write: Write, tmp_path: Path, names: list[str]) -> None:
    write("ada/attention.py", b"folder\n")
    write("ada_attention.py", b"flat\n")
    write("ada-encoder.py", b"first\n")
    write("ada_encoder.py", b"second\n")
    (ada,) = discover(tmp_path, names)
    assert {name: file.text for name, file in ada.files.items()} == {"attention": "folder\n", "encoder": "first\n"}
    assert ada.problems == (
        "'ada_attention.py' is not graded: there is another attention.py of 'ada'.",
        "'ada_encoder.py' is not graded: there is another encoder.py of 'ada'.",
    )


def test_empty_folders_are_rows(tmp_path: Path, names: list[str]) -> None:
    (tmp_path / "ada").mkdir()
    (row,) = discover(tmp_path, names)
    assert row.files == {}
    assert "no exercise file in 'ada'" in row.problems[0]


def test_links_are_rows_and_not_followed(write: Write, tmp_path: Path, names: list[str]) -> None:
    secret = write("elsewhere/secret/attention.py")
    write("class/ada/attention.py")
    (tmp_path / "class/grace").symlink_to(secret.parent)
    (tmp_path / "class/gone").symlink_to(tmp_path / "nowhere")
    (tmp_path / "class/linus_attention.py").symlink_to(secret)
    (tmp_path / "class/roster").symlink_to(secret)
    ada, gone, grace, linus = discover(tmp_path / "class", names)
    assert ada.files["attention"].text == "x = 1\n"
    assert gone.files == grace.files == {}
    assert "symbolic link" in gone.problems[0]
    assert "symbolic link" in grace.problems[0]
    assert linus.files["attention"].text is None
    assert "symbolic link" in (linus.files["attention"].problem or "")


def test_a_pipe_in_the_class_folder_never_blocks(write: Write, tmp_path: Path, names: list[str]) -> None:
    os.mkfifo(tmp_path / "ada_attention.py")
    os.mkfifo(tmp_path / "pipe")
    (ada,) = discover(tmp_path, names)
    assert "a named pipe" in (ada.files["attention"].problem or "")


def test_a_folder_without_rights_is_a_row(without_rights: Path, names: list[str]) -> None:
    (without_rights / "ada").mkdir(mode=0)
    (without_rights / "grace").mkdir()
    (without_rights / "grace/attention.py").touch()
    ada, grace = discover(without_rights, names)
    assert ada.files == {}
    assert "you have no rights to it" in ada.problems[0]
    assert list(grace.files) == ["attention"]


@pytest.mark.skipif(sys.platform != "linux", reason="other systems have no file names that are not Unicode")
def test_names_that_are_not_unicode_stay_two_and_printable(tmp_path: Path, names: list[str]) -> None:
    for raw in [b"ren\xe9", b"ren\\xe9", b"ren\xea"]:
        os.mkdir(os.fsencode(tmp_path) + b"/" + raw)
    found = discover(tmp_path, names)
    assert len(found) == 3
    assert all(s.student.encode().startswith(b"ren\\x") for s in found)


def test_the_results_of_a_batch_are_no_submission(write: Write, tmp_path: Path, names: list[str]) -> None:
    write("ada/attention.py")
    write("marks/students/ada/report.html")
    assert files(discover(tmp_path, names, ignore=[tmp_path / "ada/../marks"])) == {"ada": ["attention"]}


def test_two_calls_find_the_same(write: Write, tmp_path: Path, names: list[str]) -> None:
    for name in ["b/attention.py", "a_encoder.py", "c/encoder.py"]:
        write(name)
    assert discover(tmp_path, names) == discover(tmp_path, names)


def test_wrong_use(write: Write, tmp_path: Path, names: list[str]) -> None:
    with pytest.raises(UsageError, match=r"There is no folder .*none'"):
        discover(tmp_path / "none", names)
    with pytest.raises(UsageError, match="is a file, not a folder"):
        discover(write("ada.zip"), names)


def test_nobody_is_no_error_here(tmp_path: Path, names: list[str]) -> None:
    """Whoever takes in a class says so (intake/take.py)."""
    assert discover(tmp_path, names) == []


def test_no_rights_to_the_whole_folder(without_rights: Path, names: list[str]) -> None:
    (without_rights / "class").mkdir(mode=0)
    with pytest.raises(UsageError, match="no rights"):
        discover(without_rights / "class", names)
