"""`%load_ext grader`, then `%grade attention` in any cell."""

from __future__ import annotations

import shlex
from typing import Any

from grader.errors import UsageError
from grader.kernel.check import check
from grader.kernel.verdict import Verdict


def grade(line: str) -> Verdict:
    """Grade what the cells of this kernel have defined: `%grade attention`."""
    try:
        names = shlex.split(line)
    except ValueError:
        names = []
    if len(names) != 1:
        raise UsageError("Name one exercise: `%grade attention`.")
    return check(names[0])


def load(shell: Any) -> None:
    shell.register_magic_function(grade, "line", "grade")
