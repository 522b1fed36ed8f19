"""Submissions and roster: who handed in what, who nothing, and who is not certain."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.submission.intake.roster import Entry, read_roster
from grader.submission.model import Submission

from .packing import ATTENTION, Data, archive, laid_down, rows


def roster(folder: Path, text: str) -> list[Entry]:
    path = folder / "roster.csv"
    path.write_text(text, encoding="utf-8")
    return read_roster(path)


def joined(folder: Path, files: dict[str, Data], text: str) -> dict[str, Submission]:
    return rows(archive(folder, files), roster=roster(folder, text))


CANVAS = {
    "weili_123_1_attention.py": "123\n",
    "weili_LATE_124_2_attention.py": "124\n",
    "strangereve_130_3_attention.py": "130\n",
}
GRADEBOOK = (
    "Student,ID,SIS User ID,SIS Login ID,Section\n"
    '"Wei, Li",124,s2,li2,A\n"Wei, Li",123,s1,li1,A\n"Noether, Emmy",140,s9,emmy,B\n'
)


def test_a_gradebook_of_canvas_names_everyone(tmp_path: Path) -> None:
    found = joined(tmp_path, CANVAS, GRADEBOOK)
    assert list(found) == ["Li Wei (s2)", "Li Wei (s1)", "Emmy Noether", "strangereve"], "in the roster's order"
    assert found["Li Wei (s1)"].files["attention"].text == "123\n"
    assert found["Li Wei (s1)"].problems == found["Li Wei (s2)"].problems == ()
    late = found["Li Wei (s2)"].origin
    assert late is not None
    assert (late.name, late.late) == ("Li Wei", True)
    assert late.ids == {"canvas": "124", "roster": "s2", "login": "li2"}
    assert (found["Emmy Noether"].files, found["Emmy Noether"].problems) == ({}, ("Not handed in.",))
    assert found["Emmy Noether"].origin is not None
    assert found["strangereve"].files
    assert found["strangereve"].problems == ("Not on the roster.",)


def test_a_column_of_ids_that_are_canvas_own_is_pointed_at(tmp_path: Path) -> None:
    files: dict[str, Data] = {"adal_123_1_attention.py": ATTENTION, "bob_124_2_attention.py": ATTENTION}
    found = joined(tmp_path, files, "name,id\nAda Lovelace,123\nEmmy Noether,s9\n")
    assert found["adal"].problems == (
        "Not on the roster as a student id; line 2 has the number that Canvas gave: call its column `canvas id`.",
    )
    assert found["bob"].problems == ("Not on the roster.",)


def test_a_name_alone_tells_where_there_is_one_of_it(tmp_path: Path) -> None:
    files: dict[str, Data] = {"lovelaceada_1_2_attention.py": ATTENTION, "oneilanne_3_4_attention.py": ATTENTION}
    found = joined(tmp_path, files, "name,id\nAda Lovelace,s1\nAnne O'Neil,s2\n")
    assert {s: row.origin.ids.get("roster") for s, row in found.items() if row.origin} == {
        "Ada Lovelace": "s1", "Anne O'Neil": "s2",
    }  # fmt: skip


def test_of_two_of_a_name_nobody_is_taken_for_the_other(tmp_path: Path) -> None:
    found = joined(tmp_path, {"weili_123_1_attention.py": ATTENTION}, "name,id\nLi Wei,s1\nLi Wei,s2\n")
    assert found["weili"].problems == ("Not certain who this is on the roster (line 2, 3): add ids to it.",)
    assert found["weili"].files
    assert [found[f"Li Wei ({n})"].problems[0].split(":")[0] for n in ("s1", "s2")] == [
        "Line 2 of the roster fits more than one row", "Line 3 of the roster fits more than one row",
    ]  # fmt: skip
    found = joined(tmp_path, CANVAS, "name,id\nLi Wei,s1\n")
    assert [s for s, row in found.items() if "Not certain" in row.problems[0]] == [
        "weili (canvas 123)",
        "weili (canvas 124)",
    ]
    assert "fits more than one row" in found["Li Wei"].problems[0]


def test_another_id_is_another_person_of_that_name(tmp_path: Path) -> None:
    found = joined(tmp_path, {"weili_123_1_attention.py": ATTENTION}, 'Student,ID,Section\n"Wei, Li",999,A\n')
    assert {s: row.problems for s, row in found.items()} == {
        "Li Wei": ("Not handed in.",),
        "weili": ("Not on the roster.",),
    }


@pytest.mark.parametrize("folder", ["s1", "S1", "ADA@example.org", "adal", "ada-hub", "Ada  Lovelace", "Lovelace, Ada"])
def test_a_folder_is_known_by_anything_that_is_exact(tmp_path: Path, folder: str) -> None:
    laid_down(tmp_path / "class", {f"{folder}/attention.py": ATTENTION})
    text = 'id,email,login,github,name\ns1,ada@example.org,adal,ada-hub,"Lovelace, Ada"\n'
    (row,) = rows(tmp_path / "class", roster=roster(tmp_path, text)).values()
    assert (row.student, row.problems) == ("Ada Lovelace", ())
    assert row.origin is not None
    assert (row.origin.folder, row.origin.ids["roster"]) == (folder, "s1")


@pytest.mark.parametrize("folder", ["ada", "Ada Lovelacе", "s10", "s", "lovelace"])  # the second with a Cyrillic е
def test_what_is_only_alike_is_nobody(tmp_path: Path, folder: str) -> None:
    laid_down(tmp_path / "class", {f"{folder}/attention.py": ATTENTION})
    found = rows(tmp_path / "class", roster=roster(tmp_path, "id,name\ns1,Ada Lovelace\n"))
    assert {s: row.problems for s, row in found.items()} == {
        "Ada Lovelace": ("Not handed in.",), folder: ("Not on the roster.",),
    }  # fmt: skip


def test_a_stranger_of_github_is_not_the_one_whose_name_theirs_ends_in(tmp_path: Path) -> None:
    clones = [f"hw3-{user}/{path}" for user in ("mary-ann", "bob") for path in (".git/HEAD", "attention.py")]
    found = joined(tmp_path, dict.fromkeys(clones, "x\n"), "github,name\nann,Ann\nbob,Bob\n")
    assert found["mary-ann"].problems[-1] == "Not on the roster."
    assert found["Ann"].problems == ("Not handed in.",)
    assert found["Bob"].files


def test_usernames_of_github_with_the_name_of_the_assignment_before_them(tmp_path: Path) -> None:
    files: dict[str, Data] = {
        f"hw-ann-{name}/{file}": ATTENTION for name in ("lee", "kim") for file in (".git/HEAD", "attention.py")
    }
    found = joined(tmp_path, files, "github,name\nann-lee,Ann Lee\nlee,Bo Lee\nann-kim,Ann Kim\n")
    assert {s: row.origin.ids["github"] for s, row in found.items() if row.files and row.origin} == {
        "Ann Lee": "ann-lee", "Ann Kim": "ann-kim",
    }  # fmt: skip
    assert found["Bo Lee"].problems == ("Not handed in.",)


def test_a_participant_of_moodle_by_email_of_nobody_else(tmp_path: Path) -> None:
    text = "Identifier,Full name,Email address\nParticipant 502,Li Wei,l@x.org\nParticipant 503,Li Wei,m@x.org\n"
    found = joined(tmp_path, {"Li Wei_503_assignsubmission_file_/attention.py": ATTENTION}, text)
    assert found["Li Wei (moodle 503)"].files
    assert found["Li Wei (moodle 502)"].problems == ("Not handed in.",)


def test_an_email_counts_although_the_id_is_written_otherwise(tmp_path: Path) -> None:
    metadata = "submission_1:\n  :submitters:\n  - :name: Ada L.\n    :sid: '12'\n    :email: Ada@x.org\n"
    files: dict[str, Data] = {"submission_metadata.yml": metadata, "submission_1/attention.py": ATTENTION}
    found = joined(tmp_path, files, "name,sid,email\nAda Lovelace,0012,ada@x.org\n")
    assert {s: row.problems for s, row in found.items()} == {"Ada Lovelace": ()}


def test_without_a_roster_accents_and_case_are_no_difference(tmp_path: Path) -> None:
    students = ["Åsa", "adam", "Ben", "Łukasz", "Mia", "Özge", "Øystein", "Wei", "Zoë"]
    files: dict[str, Data] = {f"{student}/attention.py": ATTENTION for student in reversed(students)}
    assert list(rows(archive(tmp_path, files))) == [
        "adam",
        "Åsa",
        "Ben",
        "Łukasz",
        "Mia",
        "Øystein",
        "Özge",
        "Wei",
        "Zoë",
    ]
