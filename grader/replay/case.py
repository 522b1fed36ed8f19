"""A recorded case: what the process of a failed check was told to import, and what it was asked then."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grader.errors import UsageError
from grader.subject.worker import wire
from grader.subject.worker.serve import MAKERS
from grader.subject.worker.values import WireError


@dataclass(frozen=True, slots=True)
class Asked:
    op: str
    seed: int
    fields: dict[str, Any]


class Case:
    """`questions` can be read when the import has been done: some values are made by the student's files."""

    def __init__(self, path: Path) -> None:
        try:
            first, *self._rest = _frames(path.read_bytes())
            self.imported: dict[str, Any] = wire.unpack(*first, trusted={})["fields"]
        except (OSError, ValueError, WireError, KeyError) as error:
            raise UsageError(f"{path} is no recorded case ({error}); grade the exercise again.") from error

    @property
    def replaced(self) -> list[str]:
        """Tasks that right stand-ins took the place of."""
        siblings = self.imported["sources"]["siblings"].values()
        return sorted({*self.imported["rebind"], *(task for tasks in siblings for task in tasks)})

    def questions(self) -> Iterator[Asked]:
        for header, body in self._rest:
            told = wire.unpack(header, body, trusted=MAKERS)
            yield Asked(told["op"], told["seed"], told["fields"])


def _frames(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Header and body of each."""
    while data:
        if len(data) < wire.HEAD.size:
            raise ValueError("it ends in the middle")
        header, body = wire.lengths(data[: wire.HEAD.size])
        middle, end = wire.HEAD.size + header, wire.HEAD.size + header + body
        if len(data) < end:
            raise ValueError("it ends in the middle")
        yield data[wire.HEAD.size : middle], data[middle:end]
        data = data[end:]
