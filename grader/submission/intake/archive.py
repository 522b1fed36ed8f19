"""Look into a .zip without unpacking it: names are checked, sizes counted while reading, nothing is written."""

from __future__ import annotations

import io
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from grader.errors import UsageError
from grader.language import N_
from grader.submission.files import Unreadable, too_large
from grader.submission.intake.model import Item, Source, junk, shown

MOST_SENTENCES = 5
_UTF8 = 0x800  # the flag of a member whose name is known to be UTF-8
_ENCRYPTED = 0x1
_ENTRY = 46  # bytes of a directory entry, without its name
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)  # the others unpack without a bound on memory
_DAMAGED = (
    zipfile.BadZipFile,
    struct.error,
    zlib.error,
    EOFError,
    ValueError,
    NotImplementedError,
    RuntimeError,
    OSError,
)
_DRIVE = re.compile(r"[A-Za-z]:")


@dataclass(frozen=True, slots=True)
class Limits:
    members: int
    total: int  # bytes that are read in all, unpacked


CLASS = Limits(members=50_000, total=16 << 30)
STUDENT = Limits(members=5_000, total=256 << 20)
PACKED = 128 << 20  # bytes of an archive in an archive
LONGEST = 4096  # characters of a path


@dataclass
class _Budget:
    """Bytes that may still be read. It counts what comes out: what an archive says of itself may be a lie."""

    left: int

    def spend(self, size: int) -> None:
        self.left -= size
        if self.left < 0:
            raise Unreadable("its archive unpacks to more than is allowed; hand in the code without data")


@contextmanager
def open_class(path: Path) -> Iterator[Source]:
    """The archive of a whole class, open as long as it is asked. UsageError if it cannot be read, or asks too much."""
    try:
        data = path.open("rb")
    except OSError as error:
        raise UsageError(f"The archive {str(path)!r} cannot be read ({error.strerror or error}): check it.") from None
    with data:
        try:
            source = listed(data, path.stem, CLASS)
        except Unreadable as reason:
            raise UsageError(f"The archive {str(path)!r} cannot be read: {reason}.") from None
        yield source


def opened(item: Item) -> Source:
    """An archive that a student handed in. Unreadable if it is damaged, or asks too much."""
    return listed(io.BytesIO(item.read(PACKED)), item.stem, STUDENT)


def listed(data: IO[bytes], name: str, limits: Limits) -> Source:
    """The members of an archive, each read only when it is asked for. Unsafe ones are sentences."""
    archive = _archive(data, limits)
    budget, problems = _Budget(limits.total), list[str]()
    items: dict[str, Item] = {}
    folders: dict[str, None] = {}
    git: set[str] = set()
    for info in archive.infolist():
        path = _path(info)
        file = shown(path)
        if reason := _unsafe(path):
            problems.append(N_(f"{file} is left out: {reason}."))
        elif junk(path):
            git |= {path.partition("/.git/")[0]} if "/.git/" in path else set()
        else:
            folders |= dict.fromkeys(_folders(path))
            if path.endswith("/"):
                continue
            if path in items:
                problems.append(N_(f"{file} is in the archive more than once: the last one counts."))
            items[path] = Item(path, _reader(archive, info, budget))
    return Source(name, tuple(items.values()), tuple(folders), frozenset(git), None, tuple(_few(problems)))


def _folders(path: str) -> list[str]:
    """All that lead to a file, or to a folder that ends in /."""
    return [path[:i] for i, char in enumerate(path) if char == "/"]


def _archive(file: IO[bytes], limits: Limits) -> zipfile.ZipFile:
    too_many = Unreadable(f"it holds more than {limits.members:,} files; hand in the code alone")
    try:
        end = zipfile._EndRecData(file)  # type: ignore[attr-defined]  # ZipFile itself reads all before it can be asked
        if end and end[zipfile._ECD_SIZE] > limits.members * (_ENTRY + 200):  # type: ignore[attr-defined]
            raise too_many
        archive = zipfile.ZipFile(file)
    except _DAMAGED as error:
        raise Unreadable(f"it is no sound .zip archive ({str(error) or type(error).__name__}); pack it again") from None
    if len(archive.infolist()) > limits.members:
        raise too_many
    return archive


def _path(info: zipfile.ZipInfo) -> str:
    """Its name with / between the parts. Names without the flag are cp437 by the book, and UTF-8 in the world.

    `./ada/attention.py` is what some packers write: such a dot is no hidden folder.
    """
    name = info.filename
    if not info.flag_bits & _UTF8:
        with suppress(UnicodeError):
            name = name.encode("cp437").decode("utf-8")
    path = name.replace("\\", "/")
    return "/".join(part for part in path.split("/") if part != ".") or path


def _unsafe(path: str) -> str:
    """Why a path is not to be trusted; empty if it is."""
    parts = path.split("/")
    if path.startswith("/") or _DRIVE.match(path) or ".." in parts:
        return N_("its path leads out of the archive")
    if not path.strip("/") or len(path) > LONGEST or "" in parts[:-1]:
        return N_("its path is none")
    return ""


def _reader(archive: zipfile.ZipFile, info: zipfile.ZipInfo, budget: _Budget) -> Callable[[int], bytes]:
    def read(limit: int) -> bytes:
        if stat.S_ISLNK(info.external_attr >> 16):
            raise Unreadable("it is a symbolic link, and links are not followed; hand in the file itself")
        if info.flag_bits & _ENCRYPTED:
            raise Unreadable("it is locked with a password; pack it without one")
        if info.compress_type not in _METHODS:
            raise Unreadable(f"it is packed by a method that is not read here ({info.compress_type}); pack it as .zip")
        try:
            with archive.open(info) as member:
                data = member.read(limit + 1)
        except _DAMAGED as error:
            reason = str(error)[:120] or type(error).__name__
            raise Unreadable(f"it is damaged in its archive ({shown(reason)}); pack it again") from None
        budget.spend(len(data))
        if len(data) > limit:
            raise too_large(limit)
        return data

    return read


def _few(problems: list[str]) -> list[str]:
    more = len(problems) - MOST_SENTENCES
    return [*problems[:MOST_SENTENCES], *([N_(f"{more} more of this kind.")] if more > 0 else [])]
