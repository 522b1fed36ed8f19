"""The salt of official runs is a file of the course that nobody can guess."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from grader.catalogue.load import load_course
from grader.catalogue.salt import LEAST, read_salt
from grader.errors import CourseError

TOY = Path(__file__).parents[1] / "data" / "toy"
SALT = "0123456789abcdef" * 2


@pytest.fixture
def root(tmp_path: Path) -> Path:
    shutil.copytree(TOY, tmp_path / "toy")
    return tmp_path / "toy"


def named(root: Path, path: str) -> bytes:
    (root / "grade.toml").write_text(f'salt = "{path}"\n', "utf-8")
    return read_salt(load_course(root))


def test_it_is_what_the_file_holds(root: Path) -> None:
    assert read_salt(load_course(root)) == b""
    (root / "official.salt").write_text(f"{SALT}\n", "utf-8")
    assert named(root, "official.salt") == SALT.encode()
    assert load_course(root).graded == ("scale", "block")
    assert read_salt(load_course(root, configured=False)) == b""


def test_one_that_is_missing_or_short_is_refused(root: Path) -> None:
    with pytest.raises(CourseError, match=r"cannot be read .* make one with `python -c"):
        named(root, "official.salt")
    (root / "official.salt").write_text(f" {SALT[: LEAST - 1]}\n", "utf-8")
    with pytest.raises(CourseError, match="has 31 signs, and a salt that short can be guessed"):
        named(root, "official.salt")


def test_one_outside_of_the_course_is_refused(root: Path) -> None:
    (root.parent / "salt").write_text(SALT, "utf-8")
    (root / "link").symlink_to(root.parent / "salt")
    (root / "own").write_text(SALT, "utf-8")
    for path in ("../salt", "link", str(root / "own"), "exercises/../own"):
        with pytest.raises(CourseError, match="should name a file in the course's own folder"):
            named(root, path)
