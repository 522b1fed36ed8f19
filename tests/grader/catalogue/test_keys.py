"""Every key that a file may have stands in a table, with what it means; docs/configuration.md is made of them."""

from __future__ import annotations

import ast
from dataclasses import asdict
from pathlib import Path

import pytest

import grader.catalogue
from grader.catalogue import bugs, config, load
from grader.errors import CourseError
from grader.subject.limits import Limits

FOLDER = Path(grader.catalogue.__file__).parent
TABLES = {"KEYS": config, "EXERCISE_KEYS": load, "LIMIT_KEYS": load, "TASK_KEYS": load, "CHECK_KEYS": load,
          "OWN_WORK_KEYS": load, "BUG_KEYS": bugs}  # fmt: skip


def test_what_is_accepted_comes_from_a_table_of_keys() -> None:
    """`nothing_else` gets a table by its name, never a set of its own that no page would know of."""
    nodes = (node for path in FOLDER.glob("*.py") for node in ast.walk(ast.parse(path.read_text("utf-8"))))
    calls = [node for node in nodes if isinstance(node, ast.Call)]
    given = [n.args[0] for n in calls if isinstance(n.func, ast.Attribute) and n.func.attr == "nothing_else"]
    names = {argument.id if isinstance(argument, ast.Name) else ast.unparse(argument) for argument in given}
    assert len(names) >= 6
    assert names <= TABLES.keys(), "list the new table here and in docs/_ext/configuration.py"


@pytest.mark.parametrize("name", TABLES)
def test_every_key_says_what_it_means(name: str) -> None:
    keys = getattr(TABLES[name], name)
    assert keys
    for key in keys.values():
        assert all((key.kind, key.meaning, key.default))


def test_the_limits_are_those_of_a_subject() -> None:
    assert {name: float(key.default) for name, key in load.LIMIT_KEYS.items()} == asdict(Limits())


def test_an_unknown_limit_is_named(tmp_path: Path) -> None:
    path = tmp_path / "scale.toml"
    path.write_text('title = "t"\ntrack = "core"\norder = 1\nsummary = "s"\n[limits]\nseconds = 3\n', "utf-8")
    with pytest.raises(CourseError, match="unknown entry 'seconds'; known are call"):
        load.load_exercise(path)
