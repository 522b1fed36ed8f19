"""Grading harness of the course "write a Transformer from scratch in PyTorch".

In a notebook: `grader.check("attention")`, or `%load_ext grader` and `%grade attention`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grader.kernel.verdict import Verdict

__all__ = ["check", "load_ipython_extension"]
__version__ = "0.1.0"


def check(name: str, course: str | None = None) -> Verdict:
    """Grade exercise `name`: the last executed definitions of this kernel, or the saved file if there are none.

    The answer shows itself as a page in a notebook and as text elsewhere. `course`: the folder to grade in, by default
    the one you are in or above it.
    """
    from grader.kernel.check import check as graded  # late: `import grader` costs nothing

    return graded(name, course)


def load_ipython_extension(shell: Any) -> None:
    """What `%load_ext grader` calls."""
    from grader.kernel.magic import load

    load(shell)
