"""A TOML table whose entries are taken out one by one, with a sentence for each that is not what it should be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from grader.errors import CourseError


@dataclass(frozen=True, slots=True)
class Key:
    """What people may write in a table: docs/configuration.md is made of these, and nothing else is accepted."""

    kind: str
    meaning: str
    default: str = "needed"


class Table:
    """It knows where it stands, for messages."""

    def __init__(self, entries: dict[str, Any], where: str) -> None:
        self.entries = entries
        self.where = where

    def _get(self, key: str, kinds: tuple[type, ...], wanted: str, default: Any = None) -> Any:
        value = self.entries.get(key, default)
        if not isinstance(value, kinds) or isinstance(value, bool):
            raise CourseError(f"{self.where}: {key} must be {wanted}, got {key}={value!r} ({type(value).__name__})")
        return value

    def text(self, key: str) -> str:
        return str(self._get(key, (str,), "a text"))

    def number(self, key: str) -> float:
        value = self._get(key, (int, float), "a number")
        if value < 0:
            raise CourseError(f"{self.where}: {key} must not be negative, got {value}")
        return int(value) if float(value).is_integer() else float(value)

    def texts(self, key: str) -> list[str]:
        values = self._get(key, (list,), "a list of texts")
        if not all(isinstance(v, str) for v in values):
            raise CourseError(f"{self.where}: {key} must be a list of texts, got {values!r}")
        return list(values)

    def sub(self, key: str) -> Table:
        return Table(self._get(key, (dict,), "a table", {}), f"{self.where} [{key}]")

    def tables(self, key: str) -> list[Table]:
        return [
            Table(t, f"{self.where} [[{key}]] {t.get('name', '?')}")
            for t in self._get(key, (list,), "a list of tables")
        ]

    def nothing_else(self, known: Mapping[str, Key]) -> None:
        for key in self.entries:
            if key not in known:
                raise CourseError(f"{self.where}: unknown entry {key!r}; known are {', '.join(sorted(known))}")
