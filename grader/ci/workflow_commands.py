"""GitHub's workflow commands: lines that the runner of a job obeys, wherever they come from.

It reads all that a step prints. So what a student's code can reach is printed between `::stop-commands::TOKEN` and
`::TOKEN::`, with a token that cannot be foreseen, and our own commands stand outside, with everything in them escaped.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Literal

from grader.report.text import clean_output

Level = Literal["error", "warning", "notice"]
LEVELS: tuple[Level, ...] = ("error", "warning", "notice")
MOST = 10  # annotations of a level; the runner ignores any more
LONG = 4096  # of a message, counted as the runner does, in units of UTF-16


@dataclass(frozen=True, slots=True)
class Annotation:
    """`file`: relative to the repository. `line`: from 1 on, or 0 where none is known."""

    level: Level
    title: str
    message: str
    file: str = ""
    line: int = 0


@dataclass(frozen=True, slots=True)
class Quiet:
    """The lines around text that must not be obeyed."""

    token: str = field(default_factory=lambda: secrets.token_hex(16))

    @property
    def begin(self) -> str:
        return f"::stop-commands::{self.token}"

    @property
    def end(self) -> str:
        return f"::{self.token}::"


def command(annotation: Annotation) -> str:
    """One line, whatever is in it."""
    fields = {"file": annotation.file, "line": str(annotation.line or ""), "title": annotation.title}
    properties = ",".join(f"{key}={_property(value)}" for key, value in fields.items() if value)
    return f"::{annotation.level} {properties}::{_data(_cut(annotation.message))}"


def output(name: str, value: str) -> str:
    """The lines of an output in the file GITHUB_OUTPUT, behind a delimiter that the value cannot hold."""
    delimiter = f"grade_{secrets.token_hex(16)}"
    return f"{name}<<{delimiter}\n{value}\n{delimiter}\n"


def _data(text: str) -> str:
    shown = clean_output(text)
    return shown.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _cut(text: str) -> str:
    shown = clean_output(text)
    units = shown.encode("utf-16-le", "backslashreplace")
    if len(units) <= 2 * LONG:
        return shown
    return units[: 2 * (LONG - 1)].decode("utf-16-le", "ignore") + "…"
