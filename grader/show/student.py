"""Import the student's own files as they stand, and turn what they raise into a sentence with the student's line."""

from __future__ import annotations

import contextlib
import importlib
import sys
import traceback
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from grader.errors import UsageError
from grader.language import N_
from grader.show.notebooks import follow
from grader.submission.notebook.extract import Tasks

PACKAGE = "exercises"


class Files:
    """The files of a course's exercises/ folder, importable as the package and as plain modules.

    `notebooks`: those that the student works in instead of a file, by exercise.
    """

    def __init__(self, root: Path, notebooks: Mapping[str, Path] | None = None, tasks: Tasks | None = None) -> None:
        self.folder = root / PACKAGE
        self._paths = dict(notebooks or {})
        self._notebooks = follow(PACKAGE, self._paths, tasks or {})
        sys.path[:0] = [str(root), str(self.folder)]
        sys.dont_write_bytecode = True  # nothing is left in the student's folder

    def get(self, exercise: str, name: str) -> Any:
        """A function or class of one file. UsageError if it cannot be had."""
        path = self._paths.get(exercise, self.folder / f"{exercise}.py")
        if not path.is_file():
            raise UsageError(f"{path} is missing: `grade reset {exercise}` brings the stub back.")
        with self.running(path.name):
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
            stands, line = self._place(error.filename or "?", error.lineno or 0)
            return N_(f" ({stands}, line {line})")
        frames = [f for f in traceback.extract_tb(error.__traceback__) if self._is_own(f.filename)]
        if not frames:
            return ""
        stands, line = self._place(frames[-1].filename, frames[-1].lineno or 0)
        source = frames[-1].line
        return N_(f" ({stands}, line {line}: `{source}`)")

    def _is_own(self, filename: str) -> bool:
        return Path(filename).parent == self.folder or self._notebooks.place(filename, sys.maxsize) is not None

    def _place(self, filename: str, line: int) -> tuple[str, int]:
        """What the student calls it."""
        return self._notebooks.place(filename, line) or (Path(filename).name, line)
