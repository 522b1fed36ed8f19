"""Folder names: readable where they can be, safe everywhere, never shared."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from grader.batch.names import LONGEST, assign, folder_name

REPEATABLE = settings(derandomize=True, database=None, deadline=None)

PLAIN = ["ada", "Ada Lovelace", "lovelace_ada-1815 (late)", "注意", "Ömer", "हिन्दी", "a.b", "_x", "console", "com10"]


@pytest.mark.parametrize("student", PLAIN)
def test_a_safe_name_is_itself(student: str) -> None:
    assert folder_name(student) == student


ODD = {
    "a/b": "a_b", "a\\b": "a_b", "..": "_", "": "_", ".hidden": "hidden", "-rf": "rf", "- .x": "x", " ada": "ada",
    "ada.": "ada", "ada ": "ada", "ada. .": "ada", "a\nb": "a_b", 'a"b\'c': "a_b_c", "a:b*c?": "a_b_c_", "con": "_con",
    "NUL": "_NUL", "con.txt": "_con.txt", "nul .x": "_nul .x", "COM1": "_COM1", "lpt\u00b2": "_lpt\u00b2",
    "\u202egnp": "_gnp", "a\u200bb": "a_b", "e\u0301": "\u00e9", "\ud800": "_", "x" * 200: "x" * 71,
    "注" * 40: "注" * 23, "x" * 70 + ". y" * 9: "x" * 70,
}  # fmt: skip


@pytest.mark.parametrize(("student", "safe"), ODD.items(), ids=map(ascii, ODD))
def test_another_name_keeps_what_is_safe_and_gets_a_hash(student: str, safe: str) -> None:
    assert re.fullmatch(re.escape(safe) + "-[0-9a-f]{8}", folder_name(student))


def test_a_name_never_changes_between_versions() -> None:
    assert folder_name("a/b") == "a_b-c14cddc0"


@REPEATABLE
@given(st.text(st.characters()))
def test_every_name_is_safe(student: str) -> None:
    name = folder_name(student)
    assert 0 < len(name.encode()) <= LONGEST
    assert name[0] not in " .-"
    assert name[-1] not in " ."
    assert not re.search(r'[\x00-\x1f\x7f/\\:*?"<>|]', name)
    assert name == unicodedata.normalize("NFC", name)
    assert name.split(".")[0].rstrip().lower() not in {"con", "prn", "aux", "nul", "com1", "lpt9"}
    assert folder_name(student) == name


@REPEATABLE
@given(st.lists(st.text("iI/.é\u0301ß\u017f\u0131- ", max_size=3), unique=True))
def test_no_two_students_share_a_folder_on_any_file_system(students: list[str]) -> None:
    names = assign(students)
    assert list(names) == students
    assert len({unicodedata.normalize("NFD", name).casefold() for name in names.values()}) == len(students)
    assert len({name.upper() for name in names.values()}) == len(students)


def test_names_that_differ_in_case_both_get_a_hash_in_any_order() -> None:
    names = assign(["A", "a", "Ada"])
    assert names == assign(["Ada", "a", "A"])
    assert names["Ada"] == "Ada"
    assert re.fullmatch("A-[0-9a-f]{8}", names["A"])
    assert re.fullmatch("a-[0-9a-f]{8}", names["a"])


def test_a_student_called_like_anothers_folder() -> None:
    other = folder_name("a/b")
    names = assign(["a/b", other])
    assert names["a/b"] == other
    assert names[other].startswith(f"{other}-")
