"""What a worker needs to grade as the command itself would: the course's files, and the options of the run."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from grader.catalogue.model import Course
from grader.catalogue.pack import packed


@dataclass(frozen=True, slots=True)
class Kit:
    """`files` by their path in the course. Two equal kits have one `key`, and a worker keeps one engine for both."""

    files: tuple[tuple[str, bytes], ...]
    exercises: tuple[str, ...]
    configured: bool
    salt: bytes
    isolation: str

    @property
    def key(self) -> str:
        digest = hashlib.sha256(repr((self.exercises, self.configured, self.salt, self.isolation)).encode())
        for path, data in self.files:
            digest.update(f"{path}\0{len(data)}\0".encode() + data)
        return digest.hexdigest()[:16]


def pack(course: Course, exercises: tuple[str, ...], salt: bytes, isolation: str) -> Kit:
    """The course as it lies on this machine; workers need no common disk."""
    return Kit(packed(course.root), exercises, course.configured, salt, isolation)


def unpack(kit: Kit, folder: Path) -> None:
    """The same folder somewhere else."""
    for name, data in kit.files:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
