"""Import the student's own files as they stand, and turn what they raise into a sentence with the student's line."""

from __future__ import annotations

import contextlib
import importlib
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from grader.errors import UsageError
from grader.language import N_

PACKAGE = "exercises"


class Files:
    """The files of a course's exercises/ folder, importable as the package and as plain modules."""

    def __init__(self, root: Path) -> None:
        self.folder = root / PACKAGE
        sys.path[:0] = [str(root), str(self.folder)]
        sys.dont_write_bytecode = True  # nothing is left in the student's folder

    def get(self, exercise: str, name: str) -> Any:
        """A function or class of one file. UsageError if it cannot be had."""
        path = self.folder / f"{exercise}.py"
        if not path.is_file():
            raise UsageError(f"{path} is missing: `grade reset {exercise}` brings the stub back.")
        with self.running(f"{exercise}.py"):
            module = importlib.import_module(f"{PACKAGE}.{exercise}")
        if not hasattr(module, name):
            raise UsageError(f"{path} defines no {name}.")
        return getattr(module, name)

    @contextlib.contextmanager
    def running(self, what: str) -> Iterator[None]:
        """While code of the student's runs."""
        try:
            yield
        except NotImplementedError as error:
            raise UsageError(f"{what} is not written yet: {error}") from error
        except UsageError:
            raise
        except Exception as error:
            raise UsageError(f"{what} raised {type(error).__name__}: {error}{self._where(error)}") from error

    def _where(self, error: Exception) -> str:
        """The last line of the student's that was on the way."""
        if isinstance(error, SyntaxError):
            return N_(f" ({Path(error.filename or '?').name}, line {error.lineno})")
        frames = [f for f in traceback.extract_tb(error.__traceback__) if Path(f.filename).parent == self.folder]
        if not frames:
            return ""
        return N_(f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno}: `{frames[-1].line}`)")
