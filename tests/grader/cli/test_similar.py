"""`grade similar DIR`: what it prints, and the page it writes."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchmarks.disguises import all_of_it

from .calling import ROOT, grade

VERDICTS = ("plagiar", "cheat", "guilty", "suspect")


@pytest.fixture
def handed_in(tmp_path: Path) -> Path:
    """The sample class; zoe hands in what ada wrote, in disguise, and yan a file that is none."""
    shutil.copytree(ROOT / "examples" / "class", tmp_path / "class")
    (tmp_path / "class" / "zoe").mkdir()
    original = (tmp_path / "class" / "ada" / "attention.py").read_text("utf-8")
    (tmp_path / "class" / "zoe" / "attention.py").write_text(all_of_it(original, 1), "utf-8")
    (tmp_path / "class" / "yan").mkdir()
    (tmp_path / "class" / "yan" / "attention.py").write_bytes(b"x = 1\0")
    return tmp_path / "class"


def test_the_pair_comes_first_and_both_files_are_shown_side_by_side(handed_in: Path) -> None:
    said = grade(ROOT, "similar", str(handed_in), "--out", str(handed_in.parent / "page.html"))
    first = next(line for line in said.splitlines() if "·" in line)
    assert "ada · zoe" in first
    assert "attention" in first
    assert "yan: attention.py is not compared: line 1 holds a NUL byte" in said
    assert "Look at these together" in said
    page = (handed_in.parent / "page.html").read_text("utf-8")
    assert page.index("ada · zoe") < page.index("fatima")
    assert 'class="like' in page
    assert "v1_" in page
    assert "This is a list to read, not a finding about anybody." in page
    for text in (said.lower(), page.lower()):
        assert not [word for word in VERDICTS if word in text]
    again = handed_in.parent / "again.html"
    grade(ROOT, "similar", str(handed_in), "--out", str(again))
    assert again.read_text("utf-8") == page


def test_a_roster_gives_names_and_a_file_keeps_its_own(handed_in: Path) -> None:
    (handed_in / "zoe" / "attention.py").rename(handed_in / "zoe" / "my_attn.py")
    roster, out = handed_in.parent / "class.csv", handed_in.parent / "page.html"
    roster.write_text("name,id,login\nAda Berg,1,ada\nZoe Lind,2,zoe\nXu Wei,3,xu\n", "utf-8")
    words = ("--exercise", "attention", "--roster", str(roster), "--out", str(out))
    said = grade(ROOT, "similar", str(handed_in), *words)
    assert "Ada Berg · Zoe Lind" in said
    assert "Xu Wei" not in said  # who handed in nothing is compared with nobody
    page = out.read_text("utf-8")
    assert "Zoe Lind, my_attn.py" in page
    assert "Ada Berg, attention.py" in page


def test_one_exercise_and_the_first_pairs_only(handed_in: Path) -> None:
    said = grade(ROOT, "similar", str(handed_in), "--exercise", "attention", "--top", "1")
    assert said.count("·") == 1
    assert "generate" not in said
    assert "No two of" in grade(ROOT, "similar", str(handed_in), "--exercise", "backprop")


def test_wrong_use_is_a_sentence(handed_in: Path) -> None:
    assert "No exercise 'atention'. Did you mean" in grade(
        ROOT, "similar", str(handed_in), "--exercise", "atention", code=2
    )
    assert "There is no folder 'nowhere'" in grade(ROOT, "similar", "nowhere", code=2)
    assert "is a folder: name the page" in grade(ROOT, "similar", str(handed_in), "--out", str(handed_in), code=2)
    assert "cannot be written" in grade(
        ROOT, "similar", str(handed_in), "--out", str(handed_in / "ada" / "attention.py" / "p"), code=2
    )


def test_names_and_code_of_others_are_escaped(tmp_path: Path) -> None:
    first = "def f(x):\n    y = x.sum(0) + '<script>alert(1)</script>\u202e'\n"
    text = first + "    z = y * y - 2\n    return z.sqrt() / y * 3\n"
    for student in ("<b>ada", "ben"):
        (tmp_path / "in" / student).mkdir(parents=True)
        (tmp_path / "in" / student / "masking.py").write_text(text, "utf-8")
    assert "<b>ada · ben" in grade(ROOT, "similar", str(tmp_path / "in"), "--out", str(tmp_path / "page.html"))
    page = (tmp_path / "page.html").read_text("utf-8")
    assert "<script" not in page
    assert "<b>" not in page
    assert "\u202e" not in page


def test_without_a_pair_nothing_is_side_by_side_and_a_small_class_has_no_common_passages(tmp_path: Path) -> None:
    shutil.copytree(ROOT / "examples" / "class", tmp_path / "class")
    for student in sorted((tmp_path / "class").iterdir())[2:]:
        shutil.rmtree(student) if student.is_dir() else student.unlink()
    page = tmp_path / "page.html"
    said = grade(ROOT, "similar", str(tmp_path / "class"), "--exercise", "backprop", "--out", str(page))
    assert "No two of" in said
    assert "side by side" not in said
    assert "this one is too small to tell" in page.read_text("utf-8")
    assert "have (5 %" not in page.read_text("utf-8")
