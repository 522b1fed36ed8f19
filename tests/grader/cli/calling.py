"""Call `grade` as its users do, in a process of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[3]
TOY = Path(__file__).parents[1] / "data" / "toy"


def grade(folder: Path, *arguments: str, code: int = 0, stdin: str = "", code_from: Path = ROOT) -> str:
    """What `grade …` prints in this folder. A traceback is never right."""
    environment = {**os.environ, "NO_COLOR": "1", "COLUMNS": "100", "PYTHONPATH": str(code_from)}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "grader.cli.main", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, input=stdin, check=False,
    )  # fmt: skip
    shown = done.stdout + done.stderr
    assert "Traceback" not in shown, shown
    assert done.returncode == code, shown
    return shown
