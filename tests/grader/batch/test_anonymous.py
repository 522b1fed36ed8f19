"""`grade batch --anonymous`: no name in the folder of results, and the way back beside it."""

from __future__ import annotations

import csv
import random
import re
import stat
import sys
import unicodedata
from pathlib import Path
from typing import Any

import pytest

from grader.batch.anonymous import named, names_beside, numbered
from grader.batch.pages import standard
from grader.errors import UsageError
from grader.results.schema import Origin
from grader.submission.intake.labels import distinct
from grader.submission.intake.people import with_roster
from grader.submission.intake.roster import Entry
from grader.submission.model import SourceFile, Submission

STUDENTS = [f"student {letter}" for letter in "abcdefghijklmnopqrst"]


def handed_in(students: list[str] = STUDENTS) -> list[Submission]:
    return [
        Submission(student, {"attention": SourceFile("attention", f"# {n}\n")}) for n, student in enumerate(students)
    ]


def by_text(submissions: list[Submission]) -> dict[str | None, str]:
    """Numbers by what was handed in."""
    return {submission.files["attention"].text: submission.student for submission in submissions}


def who(out: Path) -> dict[str, str]:
    with names_beside(out).open(encoding="utf-8", newline="") as file:
        return {line["number"]: line["student"] for line in csv.DictReader(file)}


def test_the_way_back_is_beside_the_results_and_for_its_owner_alone(out: Path) -> None:
    found = numbered(handed_in(), out)
    assert names_beside(out) == out.parent / "out-names.csv"
    assert sorted(who(out).values()) == STUDENTS
    assert {f"Student {number}" for number in who(out)} == {submission.student for submission in found}
    if sys.platform != "win32":
        assert stat.S_IMODE(names_beside(out).stat().st_mode) == 0o600


def test_numbers_and_order_say_nothing_of_the_alphabet(tmp_path: Path) -> None:
    orders = set()
    for seed in range(5):
        found = numbered(handed_in(), tmp_path / str(seed), random.Random(seed))
        assert [s.student for s in found] == sorted(s.student for s in found)
        orders.add(tuple(s.files["attention"].text for s in found))
    assert len(orders) == 5


def test_numbers_stay_when_students_come_and_go(out: Path) -> None:
    first = by_text(numbered(handed_in(), out))
    written = names_beside(out).read_bytes()
    assert by_text(numbered(handed_in(), out)) == first
    assert names_beside(out).read_bytes() == written
    fewer = by_text(numbered(handed_in()[:5], out))
    assert fewer.items() <= first.items()
    more = by_text(numbered([*handed_in(), Submission("zoe", {"attention": SourceFile("attention", "z")})], out))
    assert first.items() <= more.items()
    assert len(set(more.values())) == 21
    assert len(who(out)) == 21


def test_a_class_of_thousands_has_enough_numbers(out: Path) -> None:
    many = [Submission(str(n)) for n in range(1200)]
    assert len({submission.student for submission in numbered(many, out)}) == 1200


def test_names_that_look_alike_once_they_are_safe_have_two_numbers(out: Path) -> None:
    odd = ["a b", "a\nb", "=a", "'=a", "\ud800", "注意"]
    first = by_text(numbered(handed_in(odd), out))
    assert len(set(first.values())) == len(odd)
    assert by_text(numbered(handed_in(odd), out)) == first
    assert "'=a" in who(out).values()


def test_what_names_the_person_is_gone_but_for_the_time(out: Path) -> None:
    origin = Origin(
        name="Ada Lovelace", ids={"login": "alovelace", "canvas": "12"}, submitted="2024-05-01T10:00:00+02:00",
        late=True, folder="lovelaceada_12",
    )  # fmt: skip
    problems = (
        "There is no exercise file in 'ada': it is empty.",
        "'ada_notes.py' of Lovelace names no exercise, says alovelace; see lovelaceada_12/x, line 12.",
    )
    (found,) = numbered([Submission("ada", {}, problems, origin)], out)
    label = found.student
    assert found.origin == Origin(submitted="2024-05-01T10:00:00+02:00", late=True)
    assert found.problems == (
        f"There is no exercise file in '{label}': it is empty.",
        f"'{label}_notes.py' of {label} names no exercise, says {label}; see {label}/x, line 12.",
    )


def test_a_name_is_found_in_any_case_and_written_as_one_word(out: Path) -> None:
    """Students call their files so; Canvas writes a name as one word."""
    problems = ("LOVELACE_final.py, AdaLovelace.zip and lovelaceada-2.py are not graded.",)
    told = Submission("ada", {}, problems, Origin(name="Ada Lovelace"))
    (found,) = numbered([told], out)
    label = found.student
    assert found.problems == (f"{label}_final.py, {label}.zip and {label}-2.py are not graded.",)


def test_the_name_of_a_notebook_names_nobody(out: Path) -> None:
    place = "Ada_week1.ipynb, cell 3"
    file = SourceFile("attention", "x = 1\n", None, True, ((1, place, 1),), (), "Ada_week1.ipynb")
    (found,) = numbered([Submission("ada", {"attention": file})], out)
    assert found.files["attention"].file == f"{found.student}_week1.ipynb"
    assert found.files["attention"].spans == ((1, f"{found.student}_week1.ipynb, cell 3", 1),)
    assert found.files["attention"].text == file.text


@pytest.mark.parametrize(
    ("name", "file"),
    [
        ("Piet van den Berg", "vandenbergpiet"),  # Canvas's, from `van den Berg, Piet`
        ("Anna Maria Schmidt", "SchmidtAnnaMaria"),
        ("Zoë Núñez", "zoe_nunez"),
        ("Zoë Núñez", unicodedata.normalize("NFD", "Zoë Núñez")),  # as macOS writes it
    ],
)
def test_a_name_is_found_as_platforms_and_systems_write_it(out: Path, name: str, file: str) -> None:
    told = Submission("x1", {}, (f"There is no exercise file in {file!r}.",), Origin(name=name))
    (found,) = numbered([told], out)
    assert found.student in found.problems[0]
    assert re.fullmatch(r"There is no exercise file in '(Student \d+|_)+'\.", found.problems[0])


def test_what_the_platform_called_a_student_is_no_word_when_the_roster_gives_another_name(out: Path) -> None:
    """Found by their id; and of one whose folder is called by a login of two letters."""
    canvas = Submission("jansenpiet", {}, ("There is no exercise file in 'jansenpiet'.",), Origin(ids={"canvas": "12"}))
    plain = Submission("pj", {}, ("pj_notes.py is not graded.",))
    roster = [
        Entry(2, "Pieter de Vries", "de Vries, Pieter", {"canvas": "12", "email": "pvries@example.org"}),
        Entry(3, "Po Jo", "Jo, Po", {"login": "pj"}),
    ]
    found = numbered(with_roster([canvas, plain], roster), out)
    assert {one.problems[0] for one in found} == {
        f"There is no exercise file in {found[n].student!r}." if "no exercise" in found[n].problems[0]
        else f"{found[n].student}_notes.py is not graded."
        for n in (0, 1)
    }  # fmt: skip
    assert not [one for one in found if one.called]


def test_of_an_address_the_part_before_the_at_is_a_name_too(out: Path) -> None:
    told = Submission(
        "Ada", {}, ("alovelace_final.zip is no archive.",), Origin(ids={"email": "alovelace@example.org"})
    )
    (found,) = numbered([told], out)
    assert found.problems == (f"{found.student}_final.zip is no archive.",)


def test_of_two_students_of_one_name_the_sentences_name_nobody(out: Path) -> None:
    twice = [
        Submission("Wei Li", {}, (f"There is no exercise file in 'Wei Li' ({n}).",), Origin(ids={"canvas": str(n)}))
        for n in (1, 2)
    ]
    found = numbered(distinct(twice), out)
    assert not [one for one in found if "Wei" in one.problems[0]]


def test_part_of_a_word_is_no_name(out: Path) -> None:
    (found,) = numbered([Submission("an", {}, ("There is another file of 'an'.",))], out)
    assert found.problems == (f"There is another file of '{found.student}'.",)


def test_nothing_that_a_batch_writes_holds_a_name(batch: Any, fake: Any, out: Path) -> None:
    origin = Origin(name="Grace Hopper", ids={"email": "grace@example.org"})
    broken = Submission("hopper.grace", {}, ("There is no exercise file in 'hopper.grace'.",), origin)
    good = Submission("lovelace.ada", {"attention": SourceFile("attention", "x = 1\n")})
    fails = Submission("turing.alan", {"attention": SourceFile("attention", "x = 2\n")})

    def grade(submission: Submission) -> Any:
        if submission.files["attention"].text == "x = 2\n":
            raise UsageError(f"{submission.student} could not be graded.")
        return fake.results(submission)

    batch(numbered([broken, good, fails], out), grade, pages=standard())
    assert "email" not in (out / "gradebook.csv").read_text("utf-8").partition("\n")[0]
    files = [path for path in out.rglob("*") if path.is_file()]
    assert len(files) >= 4
    for path in out.rglob("*"):
        text = str(path.relative_to(out)) + (path.read_text("utf-8") if path.is_file() else "")
        assert not [name for name in ("hopper", "grace", "lovelace", "turing") if name in text.lower()]


def test_names_and_numbers_are_not_mixed_in_one_folder(out: Path) -> None:
    (out / "students" / "ada").mkdir(parents=True)
    with pytest.raises(UsageError, match="called by a name"):
        numbered(handed_in(), out)
    assert not names_beside(out).exists()
    assert named(handed_in(), out) == handed_in()
    (out / "students" / "ada").rmdir()
    numbered(handed_in(), out)
    with pytest.raises(UsageError, match="add --anonymous"):
        named(handed_in(), out)


def test_numbers_of_results_whose_names_were_lost_are_not_given_again(out: Path) -> None:
    for n in range(1, 999):
        (out / "students" / f"Student {n:03}").mkdir(parents=True)
    (found,) = numbered(handed_in(["ada"]), out)
    assert not (out / "students" / found.student).exists()


@pytest.mark.parametrize("text", ["number,student\n1,ada\n", "number,student,name,key\nx,ada,,k\n", "number\n\xff,1\n"])
def test_a_broken_list_of_names_is_refused_and_kept(out: Path, text: str) -> None:
    names_beside(out).write_bytes(text.encode("latin-1"))
    with pytest.raises(UsageError, match=r"out-names\.csv"):
        numbered(handed_in(), out)
    assert names_beside(out).read_bytes() == text.encode("latin-1")
