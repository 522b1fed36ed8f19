"""Lists of a class as they are: exports of platforms, and what people write into a spreadsheet."""

from __future__ import annotations

from pathlib import Path

import pytest

from grader.errors import UsageError
from grader.submission.intake.roster import Entry, read_roster

CANVAS = (
    "Student,ID,SIS User ID,SIS Login ID,Section,Homework (12),Final Score\n"
    "    Points Possible,,,,,100.00,(read only)\n"
    '"Lovelace, Ada",101,s1,ada,A,90,\n'
    '"李, 伟",102,s2,liwei,A,,\n'
    '"Student, Test",999,,,A,,\n'
)
GRADESCOPE = (
    "First Name,Last Name,SID,Email,Role,Sections\nAda,Lovelace,0012,ada@example.org,Student,A\nTim,Ta,7,t@x.org,TA,\n"
)
MOODLE = '\ufeffIdentifier,"Full name","Email address",Status\nParticipant 501,Ada Lovelace,ada@example.org,Submitted\n'
CLASSROOM = '"identifier","github_username","github_id","name"\n"s1","ada-l","77",""\n'
BY_HAND = "Vorname;E-Mail;GitHub;Name\nx;ada@example.org;ada-l;Lovelace, Ada\n\n;;;\n"


def read(folder: Path, text: str | bytes) -> list[Entry]:
    path = folder / "roster.csv"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return read_roster(path)


@pytest.mark.parametrize(
    ("text", "name", "ids"),
    [
        (CANVAS, "Ada Lovelace", {"canvas": "101", "roster": "s1", "login": "ada"}),
        (GRADESCOPE, "Ada Lovelace", {"roster": "0012", "email": "ada@example.org"}),
        (MOODLE, "Ada Lovelace", {"moodle": "501", "email": "ada@example.org"}),
        (CLASSROOM, "", {"roster": "s1", "github": "ada-l"}),
        (BY_HAND, "Ada Lovelace", {"email": "ada@example.org", "github": "ada-l"}),
        ("login\tname\nada\tAda\n", "Ada", {"login": "ada"}),
        ("姓名,学号,邮箱\n李伟,2026001,li@example.org\n", "李伟", {"roster": "2026001", "email": "li@example.org"}),
        ("Student ID\r\n0007\r\n", "", {"roster": "0007"}),
        ("name,id\nAda\n", "Ada", {}),
    ],
    ids=["canvas", "gradescope", "moodle", "classroom", "semicolons", "tabs", "chinese", "ids alone", "short row"],
)
def test_who_is_on_it(tmp_path: Path, text: str, name: str, ids: dict[str, str]) -> None:
    first = read(tmp_path, text)[0]
    assert (first.name, first.ids) == (name, ids)


def test_rows_that_are_no_students_are_left_out(tmp_path: Path) -> None:
    assert [entry.name for entry in read(tmp_path, CANVAS)] == ["Ada Lovelace", "伟 李"]
    assert len(read(tmp_path, GRADESCOPE)) == len(read(tmp_path, BY_HAND)) == 1


def test_lines_above_the_header_do_not_hide_its_separator(tmp_path: Path) -> None:
    assert read(tmp_path, "\n \nname;id\nAda, the first;1\n")[0].ids == {"roster": "1"}


def test_encodings(tmp_path: Path) -> None:
    for data in (GRADESCOPE.encode("utf-16"), b"\xef\xbb\xbf" + GRADESCOPE.encode()):
        assert read(tmp_path, data) == read(tmp_path, GRADESCOPE)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("id,name\n1,Ada\n2,Ben\n1,Eve\n", r"has the student id '1' twice, in lines 2 and 4: keep one"),
        ("name,email\nAda,a@x.org\nBen,A@X.org\n", r"has the email 'A@X.org' twice, in lines 2 and 3"),
        ("name\nAda\nBen\nada\n", r"has 'ada' twice, in lines 2 and 4, and no ids"),
        ("grade,points\n1,2\n", r"no column that says who is who \(grade, points\)"),
        ("", r"no column that says who is who"),
        ("name,id\n", r"has no student below its header"),
        (b"name\nRen\xe9\n", r"is not UTF-8: save it as CSV UTF-8"),
        (b'name\n"' + b"x" * 200_000 + b'"\n', r"is no CSV at line \d+"),
        ('name,id\n"Ada,1\nBen,2\n', r"is no CSV at line 3"),
        ("name\nA\0da\n", r""),
    ],
    ids=["id", "email", "name", "columns", "empty", "nobody", "latin-1", "field", "open quote", "nul"],
)
def test_faults_are_sentences(tmp_path: Path, text: str | bytes, sentence: str) -> None:
    if not sentence:  # a NUL is a character like any other since Python 3.11
        assert [entry.name for entry in read(tmp_path, text)] == ["A\0da"]
        return
    with pytest.raises(UsageError, match=sentence):
        read(tmp_path, text)


def test_a_roster_that_is_not_there(tmp_path: Path) -> None:
    for path in (tmp_path / "none.csv", tmp_path):
        with pytest.raises(UsageError, match=r"The roster .* cannot be read \(.*\): check the path"):
            read_roster(path)


def test_two_students_of_one_name_with_ids_are_two(tmp_path: Path) -> None:
    assert len(read(tmp_path, "name,id\nLi Wei,1\nLi Wei,2\n")) == 2
