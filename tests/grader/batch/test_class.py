"""A hundred of the thousand of tests/proof/test_class.py: every row is right, and nothing is graded twice."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from ...proof import a_class
from ...proof.test_class import wrong_rows
from ..run.killing import start_batch, tree

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="the samples are hostile to Linux")


def test_a_hundred(tmp_path: Path) -> None:
    home, out = tmp_path / "home", tmp_path / "out"
    home.mkdir()
    given = a_class.write(tmp_path / "class", 100)
    results = []
    for told in ("99 graded", "99 kept"):
        batch = start_batch(tmp_path / "class", out, home)
        said = batch.communicate()[0]
        assert batch.returncode == 0, said
        assert f"100 submissions: {told}, 1 no results, in" in said
        results.append(tree(out))
    assert wrong_rows(out, given) == []
    assert results[0] == results[1]
