"""`grader.check` and `%grade` in a real IPython shell: what was executed last is graded, and shown safely."""

from __future__ import annotations

import html
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.kernel.verdict import Verdict
from grader.results.schema import Results

ROOT = Path(__file__).parents[3]
TOY = Path(__file__).parents[1] / "data" / "toy"
RIGHT = "def scale(x, factor):\n    return x * factor\n"
WRONG = "def scale(x, factor):\n    return x + factor\n"
SCRIPT = """
import json, os, sys
from IPython.core.interactiveshell import InteractiveShell

shell = InteractiveShell.instance()
cells = json.load(sys.stdin)
told = []
for cell in cells:
    ran = shell.run_cell(cell, store_history=True, silent=False)
    value = ran.result
    told.append(None if not hasattr(value, "results") else {
        "where": value.where, "text": repr(value), "html": value._repr_html_(),
        "checks": {c.id: [c.status, c.message, c.points] for c in value.exercise.checks},
    })
heavy = [name for name in ("torch", "pytest", "hypothesis") if name in sys.modules]
sys.stderr.flush()
print("\\nTOLD" + json.dumps({"told": told, "heavy": heavy}))
"""


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    shutil.copytree(TOY, tmp_path / "toy", ignore=shutil.ignore_patterns(".grade", "__pycache__"))
    return tmp_path / "toy"


def kernel(folder: Path, *cells: str) -> tuple[list[Any], str, list[str]]:
    """What each cell gave, all that was printed, and which heavy modules the kernel holds at the end."""
    pytest.importorskip("IPython")
    environment = {**os.environ, "NO_COLOR": "1", "PYTHONPATH": str(ROOT), "IPYTHONDIR": str(folder / ".ipython")}
    done = subprocess.run(
        [sys.executable, "-P", "-c", SCRIPT],
        cwd=folder, env=environment, capture_output=True, text=True, input=json.dumps(cells), check=False,
    )  # fmt: skip
    printed, _, told = done.stdout.rpartition("\nTOLD")
    assert told, done.stderr
    answer = json.loads(told)
    return answer["told"], printed + done.stderr, answer["heavy"]


def test_the_last_executed_definitions_are_graded(toy: Path) -> None:
    told, _, heavy = kernel(
        toy, "import grader\n%load_ext grader", "%grade scale", WRONG, "grader.check('scale')", RIGHT, "scale(1, 2)",
        "def scale(x, factor:\n", "grader.check('scale')",
        "%%time\ndef soften(x):\n    !ls\n    return x * nothing\n", "%grade scale",
    )  # fmt: skip
    saved, wrong, right, raised = (told[i] for i in (1, 3, 7, 9))
    assert saved["where"] == "the saved file"
    assert {check[0] for check in saved["checks"].values()} == {"not_started"}
    assert wrong["where"] == "the cells of this kernel"
    assert wrong["checks"]["scale.scale_values"][0] == "failed"
    assert "you add the factor instead of multiplying" in wrong["text"]
    assert right["checks"]["scale.scale_values"][0] == "passed"
    assert {check[0] for name, check in right["checks"].items() if "soften" in name} <= {"not_started"}
    said = " ".join(check[1] for check in raised["checks"].values())
    assert "(In [9], line 4: `return x * nothing`)" in said
    assert heavy == []  # the engine has them, in processes of its own
    known = json.loads((toy / ".grade" / "results.json").read_text("utf-8"))
    assert known["exercises"][0]["name"] == "scale"


def test_wrong_use_is_one_line(toy: Path) -> None:
    _, printed, _ = kernel(toy, "import grader\n%load_ext grader", "grader.check('scal')", "%grade", "%grade a b")
    assert "grade: No exercise 'scal'. Did you mean 'scale'?" in printed
    assert printed.count("grade: Name one exercise: `%grade attention`.") == 2
    assert "Traceback" not in printed


def test_without_any_file_it_says_what_to_do(toy: Path) -> None:
    (toy / "exercises" / "scale.py").unlink()
    _, printed, _ = kernel(toy, "import grader", "grader.check('scale')")
    assert "grade: No cell that was run defines anything of scale, and there is no scale.py" in printed


def test_the_page_is_shut_in(toy: Path) -> None:
    told, _, _ = kernel(
        toy, "import grader", WRONG.replace("x +", "'</iframe><script>alert(1)</script>\"' +"), "grader.check('scale')"
    )
    shown = told[2]["html"]
    assert shown.startswith('<iframe srcdoc="')
    assert shown.count("<") == 2  # the frame's own tags: everything else is escaped
    assert " sandbox " in shown
    page = html.unescape(shown.split('srcdoc="')[1].split('"')[0])
    assert "<script" not in page
    assert "http" not in page.replace("http-equiv", "")
    assert "default-src 'none'" in page
    assert "Every number is multiplied by the factor." in page


def test_import_grader_is_cheap() -> None:
    code = (
        "import sys; before = set(sys.modules); import grader; new = set(sys.modules) - before\n"
        "print(sorted(name for name in new if name.startswith('grader')), len(new) < 30)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-P", "-c", code], env=environment, capture_output=True, text=True, check=True
    )  # fmt: skip
    assert done.stdout.strip() == "['grader'] True"


def test_its_public_names_are_these() -> None:
    import grader

    assert sorted(grader.__all__) == ["check", "load_ipython_extension"]
    assert all(callable(getattr(grader, name)) for name in grader.__all__)


def test_hostile_text_stays_text_in_the_terminal_form() -> None:
    import msgspec

    sample = Path(__file__).parents[1] / "report" / "sample.json"
    results = msgspec.json.decode(sample.read_bytes(), type=Results)
    shown = repr(Verdict(msgspec.structs.replace(results, problems=["\x1b[2J[red]x[/red]"]), "the saved file"))
    assert "\x1b" not in shown
    assert "! \\x1b[2J[red]x[/red]" in shown


def test_a_saved_notebook_is_a_saved_file(toy: Path) -> None:
    cell = {"cell_type": "code", "metadata": {}, "source": RIGHT}
    made = {"cells": [cell], "nbformat": 4, "nbformat_minor": 5, "metadata": {}}
    (toy / "week1.ipynb").write_text(json.dumps(made), "utf-8")
    told, _, _ = kernel(toy, "import grader", "grader.check('scale')")
    assert told[1]["where"] == "the saved file"
    assert told[1]["checks"]["scale.scale_values"][0] == "passed"
