"""One folder name per student: safe on every system, the same every time, never shared by two."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from collections.abc import Iterable

LONGEST = 80  # bytes, so that a path with it stays under the 260 characters of Windows
_HASH = 8
# Windows opens these as devices, with any extension.
_DEVICES = {"con", "prn", "aux", "nul"} | {f"{port}{n}" for port in ("com", "lpt") for n in "0123456789¹²³"}


def assign(students: Iterable[str]) -> dict[str, str]:
    """A folder for each student. Names that differ only in case both get a hash, whatever their order."""
    plain = {student: folder_name(student) for student in students}
    taken = Counter(_key(name) for name in plain.values())
    return {student: name if taken[_key(name)] == 1 else _hashed(student) for student, name in plain.items()}


def folder_name(student: str) -> str:
    """The student's name where it is a safe file name, else what is safe of it and a short hash of all of it."""
    return student if student == _safe(student) else _hashed(student)


def _hashed(student: str) -> str:
    digest = hashlib.sha256(student.encode("utf-8", "surrogatepass")).hexdigest()[:_HASH]
    return f"{_cut(_safe(student), LONGEST - 1 - _HASH)}-{digest}"


def _safe(student: str) -> str:
    """Letters, digits and marks of any script, and space _ - . ( ) inside; no device's name; not too long."""
    name = "".join(c if _kept(c) else "_" for c in unicodedata.normalize("NFC", student))
    name = _cut(name.lstrip(" .-"), LONGEST) or "_"
    return f"_{name}" if name.split(".")[0].rstrip().casefold() in _DEVICES else name


def _kept(char: str) -> bool:
    return char.isalnum() or char in "_ .-()" or unicodedata.category(char).startswith("M")


def _cut(name: str, size: int) -> str:
    """At most `size` bytes of UTF-8, and no dot or space at the end: Windows drops those."""
    return name.encode()[:size].decode("utf-8", "ignore").rstrip(" .")


def _key(name: str) -> str:
    """Equal for two names that some file system takes for one."""
    return unicodedata.normalize("NFC", name.casefold().upper().casefold())
