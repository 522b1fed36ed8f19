"""Which exercise a file's name means, when it is not exactly NAME.py: `attention (1)`, `hw3_attention_final`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

# What is put before or behind a name, in any order. A word that is not here makes it another name: attention_old.
_AROUND = {
    "v", "version", "hw", "homework", "ex", "exercise", "assignment", "lab", "ps", "week", "part", "task", "my",
    "final", "copy", "new", "newest", "latest", "last", "fixed", "submission", "submit", "submitted", "done",
    "checkpoint", "kopie", "copie", "copia", "副本", "最终", "最终版", "终稿", "作业",
}  # fmt: skip
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_PART = re.compile(r"[^\W\d_]+|\d+")


def meant(stem: str, names: Iterable[str]) -> str:
    """The exercise, or an empty text."""
    core = _core(stem)
    return next((name for name in names if core and core == _squeezed(name)), "")


def _core(stem: str) -> str:
    parts = _PART.findall(_CAMEL.sub("_", unicodedata.normalize("NFKC", stem)).casefold())
    while parts and _is_around(parts[0]):
        parts.pop(0)
    while parts and _is_around(parts[-1]):
        parts.pop()
    return "".join(parts)


def _is_around(part: str) -> bool:
    return part in _AROUND or part.isdecimal()


def _squeezed(name: str) -> str:
    return "".join(_PART.findall(name.casefold()))
