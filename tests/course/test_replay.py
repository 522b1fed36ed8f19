"""`grade replay` on submissions of the sample class: the snippet, run on its own, gives what the replay gave."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from grader.catalogue.folder import students_folder
from grader.catalogue.load import load_course

ROOT = Path(__file__).parents[2]
# Flat imports; parts of its own with other parameters; a class that needs nothing; a function that needs others.
CASES = {"goran": "attention", "hana": "encoder", "fatima": "layer_norm", "dmitri": "attention"}


def run(folder: Path, *words: str) -> str:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT))), "COLUMNS": "1000"}
    return subprocess.run(
        [sys.executable, "-P", *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    ).stdout


@pytest.mark.parametrize("student", CASES)
def test_the_snippet_shows_the_same_failure_in_plain_python(tmp_path: Path, student: str) -> None:
    for name, data in students_folder(load_course(ROOT)).items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(data)
    for path in (ROOT / "examples" / "class" / student).rglob("*.py"):
        shutil.copy(path, tmp_path / "exercises")
    run(tmp_path, "-m", "grader.cli.main", CASES[student])
    said = run(tmp_path, "-m", "grader.cli.main", "replay", CASES[student])
    snippet = re.search(r"^    (import .*?)\n\n", said, re.MULTILINE | re.DOTALL)
    assert snippet, said
    lines = [line.removeprefix("    ") for line in snippet[1].splitlines()]
    assert len(lines) <= 15
    given = re.findall(r"-?\d+\.\d*", said.partition("It gives")[2].partition("The verdict was")[0])
    assert given
    assert re.findall(r"-?\d+\.\d*", run(tmp_path, "-c", "\n".join(lines))) == given
