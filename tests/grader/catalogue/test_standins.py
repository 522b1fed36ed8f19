"""Stand-ins enter the student's process as bare code: only what is needed, without text."""

from __future__ import annotations

import marshal
from pathlib import Path
from types import CodeType
from typing import Any

import pytest

from grader.catalogue.standins import compile_standins
from grader.errors import CourseError

FILE = '''"""Stand-ins."""
import math

HALF = 0.5


def outer(x):
    """Secret words."""
    return inner(x) * HALF


def inner(x):
    return math.sqrt(x)


def unrelated(x):
    return "the answer of another task"
'''


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "standins.py").write_text(FILE, "utf-8")
    return tmp_path / "standins.py"


def test_a_definition_comes_with_what_it_uses_and_nothing_else(path: Path) -> None:
    code: CodeType = marshal.loads(compile_standins(path, frozenset({"outer"})))
    scope: dict[str, Any] = {}
    exec(code, scope)
    assert scope["outer"](16.0) == 2.0
    assert "unrelated" not in scope
    assert scope["outer"].__doc__ is None


def test_neither_docstrings_nor_other_answers_are_in_the_bytes(path: Path) -> None:
    data = compile_standins(path, frozenset({"outer"}))
    assert b"Secret" not in data
    assert b"another task" not in data
    assert str(path).encode() not in data


def test_a_missing_stand_in_is_named(path: Path) -> None:
    with pytest.raises(CourseError, match="defines no nothing"):
        compile_standins(path, frozenset({"nothing"}))
