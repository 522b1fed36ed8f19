"""The name that was meant, where Python did not find one: a misspelt variable, attribute, function, class or module."""

from __future__ import annotations

import builtins
import difflib
import re
import sys
from collections.abc import Iterable
from types import FrameType
from typing import Any

ALIKE = 0.7  # of 1; less alike is a guess
_IMPORTED = re.compile(r"cannot import name '(\w+)'")


def meant(error: BaseException, frame: FrameType | None) -> str:
    """As Python's own tracebacks say it: `. Did you mean: 'self'?`, or nothing. `frame`: where it was raised."""
    try:
        name = _meant(error, frame)
    except BaseException:  # an object of the student's may raise anything when it is asked for its names
        return ""
    return f". Did you mean: '{name}'?" if name else ""


def _meant(error: BaseException, frame: FrameType | None) -> str:
    if isinstance(error, NameError) and frame is not None:
        return _variable(str(error.name), frame)
    if isinstance(error, AttributeError) and error.name:
        return _nearest(error.name, dir(error.obj))
    if isinstance(error, ModuleNotFoundError) and error.name:
        parent, _, tail = error.name.rpartition(".")
        near = _nearest(tail, _modules(parent))
        return f"{parent}.{near}" if parent and near else near
    if isinstance(error, ImportError) and (found := _IMPORTED.match(str(error))):
        return _nearest(found[1], dir(sys.modules.get(str(error.name))))
    return ""


def _variable(name: str, frame: FrameType) -> str:
    owner = frame.f_locals.get("self")
    if owner is not None and name in dir(owner):
        return f"self.{name}"
    return _nearest(name, [*frame.f_locals, *frame.f_globals, *dir(builtins)])


def _modules(parent: str) -> Iterable[str]:
    """What could be imported below `parent`: the submission's files, or the parts of a loaded package."""
    files: set[str] = set().union(*(getattr(finder, "names", ()) for finder in sys.meta_path))
    if not parent:
        return [*files, *sys.stdlib_module_names, *(name for name in sys.modules if "." not in name)]
    return files if parent == "exercises" else dir(sys.modules.get(parent))


def _nearest(name: str, names: Iterable[Any]) -> str:
    """Of names as public as `name` itself."""
    known = {n for n in names if type(n) is str and n != name and n.startswith("_") == name.startswith("_")}
    same = next((n for n in sorted(known) if n.lower() == name.lower()), "")  # nn.linear is no nn.Bilinear
    return same or next(iter(difflib.get_close_matches(name, sorted(known), 1, ALIKE)), "")
