"""A class of a thousand: every row is right, a second run costs a twentieth, and a killed one ends like any other.

GRADE_CLASS=N for another number.
"""

from __future__ import annotations

import csv
import os
import sys
import time
from pathlib import Path

import pytest

from ..grader.run.killing import start_batch, tree
from . import a_class

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the samples are hostile to Linux")

SIZE = int(os.environ.get("GRADE_CLASS", "1000"))
SHARE = 0.05  # of the first run's time


def run(folder: Path, out: Path, home: Path) -> float:
    """Seconds it took."""
    began = time.monotonic()
    batch = start_batch(folder, out, home)
    said = batch.communicate()[0]
    assert batch.returncode == 0, said[-2000:]
    return time.monotonic() - began


def wrong_rows(out: Path, given: list[tuple[a_class.Given, str]]) -> list[object]:
    with (out / "gradebook.csv").open(encoding="utf-8", newline="") as file:
        found = [(line["student"], line["points"], line["status"]) for line in csv.DictReader(file)]
    wanted = [a_class.expected_row(one, way) for one, way in given]
    assert len(found) == len(wanted)
    return [pair for pair in zip(found, wanted, strict=True) if pair[0] != pair[1]]


def test_a_class(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    given = a_class.write(tmp_path / "class", SIZE)
    first = run(tmp_path / "class", tmp_path / "out", home)
    assert wrong_rows(tmp_path / "out", given) == []
    before = tree(tmp_path / "out")
    second = run(tmp_path / "class", tmp_path / "out", home)
    assert tree(tmp_path / "out") == before
    print(f"\n{SIZE} submissions: first {first:.1f} s, second {second:.1f} s ({second / first:.1%})")
    assert second < SHARE * first


def test_a_class_whose_first_run_is_killed_in_the_middle(tmp_path: Path) -> None:
    size, home = SIZE, tmp_path / "home"
    home.mkdir()
    given = a_class.write(tmp_path / "class", size)
    run(tmp_path / "class", tmp_path / "undisturbed", home)
    batch, out = start_batch(tmp_path / "class", tmp_path / "out", home), tmp_path / "out"
    while len(list(out.glob("students/*/results.json"))) < size // 2 and batch.poll() is None:
        time.sleep(0.02)
    batch.kill()
    batch.communicate()
    assert size // 2 <= len(list(out.glob("students/*/results.json"))) < size - 1
    run(tmp_path / "class", out, home)
    assert wrong_rows(out, given) == []
    assert tree(out) == tree(tmp_path / "undisturbed")
