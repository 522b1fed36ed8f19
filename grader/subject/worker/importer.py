"""Import a submission from memory as the package `exercises`; `from attention import …` finds the same modules.

Nothing is written to a disk, and tracebacks show the student's own lines.
"""

from __future__ import annotations

import importlib
import linecache
import marshal
import sys
import types
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.machinery import ModuleSpec
from typing import Any

from .places import remember

PACKAGE = "exercises"


@dataclass(frozen=True)
class Sources:
    """What may be imported. Texts by module name; stand-ins as compiled code, without a source."""

    files: dict[str, str]  # the submission
    given: dict[str, str] = field(default_factory=dict)  # model_args: the course's own text wins
    standins: bytes = b""  # marshalled code that defines them all
    siblings: dict[str, list[str]] = field(default_factory=dict)  # module -> tasks that stand in for its own
    spans: dict[str, Any] = field(default_factory=dict)  # of those that were notebooks, see places.py


class SubmissionImporter:
    """A meta path finder and loader for `exercises`, its modules, and their flat names."""

    def __init__(self, sources: Sources) -> None:
        self.sources = sources
        self.names = set(sources.files) | set(sources.given) | set(sources.siblings)
        self.standins: dict[str, Any] = {}

    def install(self) -> None:
        sys.meta_path.insert(0, self)
        for name, text in {**self.sources.files, **self.sources.given}.items():
            label = file_label(name)
            linecache.cache[label] = (len(text), None, text.splitlines(keepends=True), label)
            remember(label, self.sources.spans.get(name, ()))
        if self.sources.standins:
            self.standins = {"__name__": "given_parts"}
            sys.modules["given_parts"] = types.ModuleType("given_parts")
            exec(marshal.loads(self.sources.standins), self.standins)

    def find_spec(self, name: str, path: Sequence[str] | None = None, target: Any = None) -> ModuleSpec | None:
        head, _, tail = name.partition(".")
        if name == PACKAGE:
            return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]
        if (head == PACKAGE and tail in self.names) or name in self.names:
            return ModuleSpec(name, self, origin=file_label(tail or name))  # type: ignore[arg-type]
        return None

    def create_module(self, spec: ModuleSpec) -> types.ModuleType | None:
        if spec.name in self.names:  # a flat name is the same module under a second name
            return importlib.import_module(f"{PACKAGE}.{spec.name}")
        return None

    def exec_module(self, module: types.ModuleType) -> None:
        name = module.__name__.rpartition(".")[2]
        if module.__name__ == PACKAGE or hasattr(module, "__grader_loaded__"):
            return
        module.__dict__["__grader_loaded__"] = True
        module.__file__ = file_label(name)
        if name in self.sources.siblings:
            self._stand_in(module, name)
        else:
            self._run(name, module.__dict__)

    def get_source(self, name: str) -> str | None:
        short = name.rpartition(".")[2]
        return self.sources.given.get(short) or self.sources.files.get(short)

    def _run(self, name: str, namespace: dict[str, Any]) -> None:
        text = self.sources.given[name] if name in self.sources.given else self.sources.files.get(name)
        if text is None:
            raise ModuleNotFoundError(f"the submission has no {name}.py", name=f"{PACKAGE}.{name}")
        exec(compile(text, file_label(name), "exec", dont_inherit=True), namespace)

    def _stand_in(self, module: types.ModuleType, name: str) -> None:
        """Its tasks are the grader's; all else is looked up in the student's file, run when first asked for."""
        tasks = {task: self.standins[task] for task in self.sources.siblings[name]}
        own: dict[str, Any] = {"__name__": f"{PACKAGE}.{name}", "__package__": PACKAGE}

        def look_up(attribute: str) -> Any:
            if attribute == "__path__":  # asked by the import system: this is a module, not a package
                raise AttributeError(attribute)
            if "__builtins__" not in own:
                self._run(name, own)
            if attribute == "__all__":  # a star import: the stand-ins, and what else the file defines
                return own.get("__all__") or [n for n in {**own, **tasks} if not n.startswith("_")]
            if attribute in own:
                return own[attribute]
            raise AttributeError(f"module {name!r} has no attribute {attribute!r}")

        module.__dict__.update(tasks)
        module.__dict__["__getattr__"] = look_up


def file_label(name: str) -> str:
    """What tracebacks call a file of the submission."""
    return f"{PACKAGE}/{name}.py"
