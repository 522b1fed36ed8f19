"""Official runs: the salt that a course's configuration names decides the inputs of `grade batch` and `grade ci`."""

from __future__ import annotations

import itertools
import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from grader.run.engine import salt_fingerprint

from .calling import TOY, grade

SALTS = ("0123456789abcdef" * 2, "fedcba9876543210" * 2)
# What it is asked with comes back in the verdict, among what the code has printed.
TELLS = "def scale(x, factor=2.0):\n    print(x.flatten().tolist())\n    return x\n"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    shutil.copytree(TOY, tmp_path / "toy", ignore=shutil.ignore_patterns(".grade", "__pycache__"))
    (tmp_path / "toy" / "class" / "ada").mkdir(parents=True)
    (tmp_path / "toy" / "class" / "ada" / "scale.py").write_text(TELLS, "utf-8")
    return tmp_path / "toy"


def with_salt(place: Path, salt: str) -> None:
    (place / "grade.toml").write_text('exercises = ["scale"]\nsalt = "official.salt"\n', "utf-8")
    (place / "official.salt").write_text(salt, "utf-8")


def verdict(path: Path) -> tuple[str, list[Any]]:
    """The fingerprint of the salt, and all that is said of the checks but how long they took."""
    told = json.loads(path.read_bytes())
    checks = [{**check, "seconds": None} for exercise in told["exercises"] for check in exercise["checks"]]
    assert any("Printed:" in check["detail"] for check in checks)
    return told["environment"]["salt"], checks


def batch(place: Path, out: str) -> tuple[str, tuple[str, list[Any]]]:
    return grade(place, "batch", "class", "--out", out), verdict(place / out / "students" / "ada" / "results.json")


def test_one_salt_gives_one_verdict_and_another_other_inputs(place: Path) -> None:
    (place / "grade.toml").write_text('exercises = ["scale"]\n', "utf-8")
    plain = batch(place, "plain")[1]
    with_salt(place, SALTS[0])
    said, first = batch(place, "out")
    assert "Inputs are drawn with the salt in official.salt." in said
    assert batch(place, "again")[1] == first
    grade(place, "--course", str(place), "ci", "class/ada", "--out", "ci", "--exit-zero")
    assert verdict(place / "ci" / "results.json") == first
    with_salt(place, SALTS[1])
    said, _ = batch(place, "out")
    assert "1 submission: 1 graded" in said, "no verdict of another salt is kept"
    other = verdict(place / "out" / "regrade" / "ada" / "results.json")
    assert [told for told, _ in (plain, first, other)] == ["none", *(salt_fingerprint(s.encode()) for s in SALTS)]
    assert {tuple(check["status"] for check in checks) for _, checks in (plain, first, other)} == {
        ("failed", "failed", "failed", "blocked")
    }
    printed = [[check["detail"] for check in checks if check["detail"]] for _, checks in (plain, first, other)]
    assert all(mine != others for mine, others in itertools.combinations(printed, 2))


def test_nothing_that_is_written_says_the_salt(place: Path) -> None:
    with_salt(place, SALTS[0])
    batch(place, "out")
    secret = SALTS[0].encode()
    written = b"".join(path.read_bytes() for path in (place / "out").rglob("*") if path.is_file())
    assert salt_fingerprint(secret).encode() in written
    assert secret not in written
    assert secret.hex().encode() not in written


def test_students_draw_without_it(place: Path) -> None:
    """`grade` is what they have: an official run is to ask what it did not."""
    (place / "exercises" / "scale.py").write_text(TELLS, "utf-8")
    assert json.loads(grade(place, "run", "scale", "--json", code=1))["environment"]["salt"] == "none"
    with_salt(place, "short")
    assert json.loads(grade(place, "run", "scale", "--json", code=1))["environment"]["salt"] == "none"
    assert "a salt that short can be guessed" in " ".join(grade(place, "batch", "class", "--out", "o", code=3).split())
