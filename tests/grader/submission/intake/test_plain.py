"""No platform: folders, files and archives called like their students, on the disk and in an archive."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.submission.intake.take import take_in

from .packing import ATTENTION, MASKING, WANTED, archive, both_ways, laid_down, packed, rows, texts

CLASS = {
    "ada/attention.py": ATTENTION,
    "ben/exercises/attention.py": ATTENTION,
    "chloe/hw/my_attn.py": ATTENTION,
    "dmitri/work.zip": packed({"attention.py": ATTENTION, ".ipynb_checkpoints/attention-checkpoint.ipynb": "x"}),
    "elif.zip": packed({"hw 3/attention.py": ATTENTION, "hw 3/__pycache__/attention.cpython-311.pyc": b"\0"}),
    "fatima_attention.py": ATTENTION,
    "goran/": "",
    "hana/attention.pdf": b"%PDF",
    "ivan/homework.rar": b"Rar!",
    "kofi.tar.gz": b"\x1f\x8b",
    "ada/.ipynb_checkpoints/attention.py": "x",
    "ada/._attention.py": b"\0\5",
    "__MACOSX/ada/._attention.py": b"\0\5",
    ".DS_Store": b"\0",
}


def test_every_shape_at_once(tmp_path: Path) -> None:
    for path in both_ways(tmp_path, CLASS):
        found = rows(path)
        graded = ["ada", "ben", "chloe", "dmitri", "elif", "fatima"]
        assert list(found) == [*graded, "goran", "hana", "ivan", "kofi.tar"]
        assert [student for student in found if texts(found[student]) == {"attention": ATTENTION}] == graded
        said = {student: row.problems for student, row in found.items() if row.problems}
        assert said == {
            "chloe": ("my_attn.py is graded as attention: it defines softmax, attention.",),
            "goran": (
                "There is no exercise file in 'goran': put files like attention.py there, or into exercises/ below it.",
            ),
            "hana": (
                "What was handed in is no code: attention.pdf.",
                "There is no exercise file in 'hana': put files like attention.py there, or into exercises/ below it.",
            ),
            "kofi.tar": ("kofi.tar.gz is not opened: only .zip archives are. Hand in the files.",),
            "ivan": ("homework.rar is not opened: only .zip archives are. Hand in the files.",),
        }  # fmt: skip


def test_a_folder_around_the_class(tmp_path: Path) -> None:
    wrapped = {f"submissions/{name}": data for name, data in CLASS.items()}
    assert list(rows(archive(tmp_path, wrapped))) == list(rows(archive(tmp_path, CLASS, "b.zip")))
    assert list(rows(archive(tmp_path, {"all/ada_attention.py": "1", "all/ben_attention.py": "2"}))) == ["ada", "ben"]
    assert list(rows(archive(tmp_path, {"ada/my_attention.py": "1", "ada/masking.py": "2"}))) == ["ada"]


def test_the_archive_of_one_student(tmp_path: Path) -> None:
    for files in ({"attention.py": ATTENTION}, {"exercises/attention.py": ATTENTION}):
        (row,) = rows(archive(tmp_path, files, "ada lovelace.zip")).values()
        assert (row.student, texts(row)) == ("ada lovelace", {"attention": ATTENTION})


def test_a_folder_and_an_archive_of_one_name_stay_two(tmp_path: Path) -> None:
    laid_down(tmp_path, {"ada/attention.py": "folder\n", "ada.zip": packed({"attention.py": "archive\n"})})
    found = rows(tmp_path)
    assert {student: texts(row)["attention"] for student, row in found.items()} == {
        "ada (ada)": "folder\n", "ada (ada.zip)": "archive\n",
    }  # fmt: skip


def test_flat_files_join_their_folder(tmp_path: Path) -> None:
    for path in both_ways(tmp_path, {"ada/attention.py": ATTENTION, "ada_masking.py": MASKING, "ben_masking.py": "x"}):
        found = rows(path)
        assert {student: sorted(row.files) for student, row in found.items()} == {
            "ada": ["attention", "masking"], "ben": ["masking"],
        }  # fmt: skip
        assert not any(row.problems for row in found.values())


def test_a_folder_full_of_files_is_looked_at_up_to_a_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("grader.submission.intake.disk.MOST", 3)
    laid_down(tmp_path, {"ada/attention.py": ATTENTION, **{f"ada/data/{n}.txt": "" for n in range(9)}})
    row = rows(tmp_path)["ada"]
    assert list(row.files) == ["attention"]
    assert row.problems == ("It holds more than 3 files: only the first ones were looked at.",)


def test_pipes_links_and_loops_on_the_disk(tmp_path: Path) -> None:
    laid_down(tmp_path, {"ada/attention.py": ATTENTION, "secret/masking.py": MASKING})
    os.mkfifo(tmp_path / "ada/x.py")
    (tmp_path / "ada/loop").symlink_to(tmp_path / "ada")
    (tmp_path / "ada/layer_norm.py").symlink_to(tmp_path / "secret/masking.py")
    (tmp_path / "ben").symlink_to(tmp_path / "secret")
    found = rows(tmp_path)
    assert texts(found["ada"]) == {"attention": ATTENTION, "layer_norm": None}
    assert "symbolic link" in found["ben"].problems[0]
    assert found["ada"].problems == ("x.py cannot be read: it is a named pipe, not a file; hand in a text file.",)


def test_results_of_an_earlier_batch_are_no_submission(tmp_path: Path) -> None:
    laid_down(tmp_path, {"ada/attention.py": ATTENTION, "out/students/ada/report.html": ""})
    assert [s.student for s in take_in(tmp_path, WANTED, ignore=[tmp_path / "out"]).submissions] == ["ada"]


def test_what_was_taken_in_is_counted(tmp_path: Path) -> None:
    intake = take_in(
        archive(tmp_path, {"a_1_2_attention.py": "", "a_1_3_masking.py": "", "b_2_4_masking.py": ""}), WANTED
    )
    assert (intake.title, intake.students, intake.files, intake.problems) == ("Canvas download", 2, 3, ())
    assert take_in(laid_down(tmp_path / "f", {"ada_masking.py": ""}), WANTED).title == "Files of students"
    assert take_in(laid_down(tmp_path / "g", {"ada/masking.py": ""}), WANTED).title == "Folders of students"


def test_a_shape_can_be_forced(tmp_path: Path) -> None:
    path = archive(tmp_path, {"hw_1_2_attention.py": ATTENTION})
    assert list(rows(path)) == ["hw"]
    assert list(rows(path, "files")) == ["hw_1_2"]


def test_two_calls_find_the_same(tmp_path: Path) -> None:
    path = archive(tmp_path, CLASS)
    assert take_in(path, WANTED) == take_in(path, WANTED)


def test_nothing_is_a_sentence(tmp_path: Path) -> None:
    for path in (
        archive(tmp_path, {}),
        archive(tmp_path, {"readme.txt": ""}, "b.zip"),
        laid_down(tmp_path / "c", {"x/": ""}) / "x",
    ):
        with pytest.raises(UsageError, match=r"There is no submission in .*put a folder per student there"):
            take_in(path, WANTED)
    with pytest.raises(UsageError, match=r"is a file, not a folder or a \.zip archive"):
        take_in(laid_down(tmp_path, {"ada.py": ATTENTION}) / "ada.py", WANTED)
    with pytest.raises(UsageError, match="There is no folder"):
        take_in(tmp_path / "none.zip", WANTED)
