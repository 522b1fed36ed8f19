"""Import the exercises that a student writes in notebooks: their definitions, without running anything else."""

from __future__ import annotations

import importlib.abc
import importlib.util
import linecache
import sys
from collections.abc import Mapping, Sequence
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from grader.errors import UsageError
from grader.submission.files import read_source
from grader.submission.model import SourceFile
from grader.submission.notebook.extract import Tasks


class Notebooks(importlib.abc.MetaPathFinder):
    """Finds `PACKAGE.NAME` and plain `NAME` for every NAME in `paths`; both are one module."""

    def __init__(self, package: str, paths: Mapping[str, Path], tasks: Tasks) -> None:
        self._package = package
        self._paths = paths
        self._tasks = tasks
        self._files: dict[str, SourceFile] = {}  # by the name that Python gives to where the code stands

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        name = fullname.removeprefix(f"{self._package}.")
        if name not in self._paths:
            return None
        return importlib.util.spec_from_loader(fullname, _Loader(self._read(name), fullname == name and self._package))

    def place(self, filename: str, line: int) -> tuple[str, int] | None:
        """`attention.ipynb, cell 3` and the line in that; None for a line of any other file."""
        file = self._files.get(filename)
        spans = [span for span in file.spans if span[0] <= line] if file is not None else []
        return (spans[-1][1], line - spans[-1][0] + spans[-1][2]) if spans else None

    def _read(self, name: str) -> SourceFile:
        file = read_source(self._paths[name], name, self._tasks)
        if file.text is None:
            raise UsageError(f"{file.file} cannot be read: {file.problem}.")
        filename = _filename(file)
        self._files[filename] = file
        linecache.cache[filename] = (len(file.text), None, file.text.splitlines(True), filename)
        return file


class _Loader(importlib.abc.InspectLoader):
    """`package`: the module is asked for by its plain name, and is the one of this package."""

    def __init__(self, file: SourceFile, package: str | bool) -> None:
        self._file = file
        self._package = package

    def get_source(self, fullname: str) -> str:
        return self._file.text or ""

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return importlib.import_module(f"{self._package}.{self._file.name}") if self._package else None

    def exec_module(self, module: ModuleType) -> None:
        if not self._package:
            module.__file__ = _filename(self._file)
            exec(compile(self.get_source(""), module.__file__, "exec"), module.__dict__)


def _filename(file: SourceFile) -> str:
    return f"<{file.name} in {file.file}>"


def follow(package: str, paths: Mapping[str, Path], tasks: Tasks) -> Notebooks:
    """From here on, imports find these notebooks first."""
    found = Notebooks(package, paths, tasks)
    sys.meta_path.insert(0, found)
    return found
