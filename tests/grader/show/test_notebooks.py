"""Exercises that a student writes in notebooks, imported by `grade show`: in a process, since it changes imports."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
SCRIPT = """
import sys
from pathlib import Path
from grader.errors import UsageError
from grader.show.student import Files

root = Path(sys.argv[1])
tasks = {"one": ["f"], "two": ["g"], "three": ["h"]}
files = Files(root, {"one": root / "week.ipynb", "two": root / "week.ipynb"}, tasks)
try:
    with files.running("your code"):
        print(files.get("three", "h")(), sys.modules.get("two") in (None, sys.modules["exercises.two"]))
except UsageError as error:
    print(error)
"""
THREE = "from exercises.two import g\nfrom two import g as same\n\ndef h():\n    assert g is same\n    return g(1)\n"


def shown(folder: Path, *cells: str) -> str:
    (folder / "exercises").mkdir()
    (folder / "exercises" / "three.py").write_text(THREE)
    (folder / "exercises" / "one.py").write_text("raise SystemExit('the stub')")
    rows = [{"cell_type": "code", "metadata": {}, "source": cell} for cell in cells]
    (folder / "week.ipynb").write_text(json.dumps({"cells": rows, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}))
    command = [sys.executable, "-P", "-c", SCRIPT, str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def test_definitions_are_imported_and_nothing_else_is_run(tmp_path: Path) -> None:
    cells = ("print('tried')\noops", "def f(x):\n    return x + 1", "def g(x):\n    return f(x) * 10")
    assert shown(tmp_path, *cells) == "20 True"


@pytest.mark.parametrize(
    ("cell", "says"),
    [
        ("def g(x):\n    # a line\n    return x.y", "(week.ipynb, cell 2, line 3: `return x.y`)"),
        ("def g(x):\n    return x x", "(week.ipynb, cell 2, line 2)"),
        ("def f(x): 1", "cannot import name 'g' from 'exercises.two' (<two in week.ipynb>) (three.py, line 1:"),
        (
            "import nothing_of_that_name as n\ndef g(x): return n.y",
            "(week.ipynb, cell 2, line 1: `import nothing_of_that_name",
        ),
    ],
)
def test_what_is_wrong_is_told_with_its_cell(tmp_path: Path, cell: str, says: str) -> None:
    assert says in shown(tmp_path, "def f(x):\n    return x", cell)
