"""What was handed in, as data: files that can be read, whose they are, and what is wanted of them."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

from grader.results.schema import Origin
from grader.submission.files import IsStub
from grader.submission.model import SourceFile

CODE = (".py", ".ipynb")
OTHER_ARCHIVES = (".rar", ".7z", ".tar", ".gz", ".tgz", ".bz2", ".xz")  # that are not opened
_JUNK = {"__macosx", "__pycache__", "thumbs.db", "desktop.ini", "node_modules", "site-packages", "venv"}


@dataclass(frozen=True, slots=True)
class Item:
    """A file that was handed in. `read` takes a limit in bytes, and raises Unreadable or OSError."""

    path: str  # with / between its parts, below the folder or archive it was found in
    read: Callable[[int], bytes]

    @property
    def name(self) -> str:
        return self.path.rpartition("/")[2]

    @property
    def suffix(self) -> str:
        """In lower case, with its dot."""
        return PurePosixPath(self.name).suffix.lower()

    @property
    def stem(self) -> str:
        return PurePosixPath(self.name).stem

    @property
    def top(self) -> str:
        """The folder it lies in, directly below the root; empty for a file at the root."""
        return self.path.partition("/")[0] if "/" in self.path else ""


@dataclass(frozen=True, slots=True)
class Source:
    """All that was handed out, before it is known whose it is."""

    name: str  # of the folder, or of the archive without .zip
    items: tuple[Item, ...]
    paths: tuple[str, ...]  # of folders, also the empty ones
    git: frozenset[str] = frozenset()  # paths of folders that hold a .git
    root: Path | None = None  # None: an archive
    problems: tuple[str, ...] = ()  # sentences that belong to nobody
    by_folder: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # sentences on one folder at the root
    ignored: tuple[Path, ...] = ()

    @property
    def folders(self) -> list[str]:
        """Those at the root."""
        return [path for path in self.paths if "/" not in path]

    @property
    def clones(self) -> list[str]:
        """Folders at the root that hold a .git."""
        return sorted(path for path in self.git if path and "/" not in path)

    def below(self, folder: str) -> Source:
        """What is in a folder at the root of an archive."""
        start = f"{folder}/"
        items = tuple(Item(item.path[len(start) :], item.read) for item in self.items if item.path.startswith(start))
        paths = tuple(path[len(start) :] for path in self.paths if path.startswith(start))
        git = frozenset(path[len(start) :] for path in self.git if path.startswith(start))
        return Source(folder, items, paths, git, None, self.problems)


@dataclass(frozen=True, slots=True)
class Handin:
    """What one student handed in, before it is known which file is which exercise."""

    student: str
    items: tuple[Item, ...] = ()
    origin: Origin | None = None
    problems: tuple[str, ...] = ()
    found: Mapping[str, SourceFile] = field(default_factory=dict)  # files whose exercise is known already
    packed: int = 0  # how many archives its files lie in


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a course asks for."""

    names: tuple[str, ...]  # all exercises
    tasks: Mapping[str, str]  # functions and classes by which a file is known, and the exercise they belong to
    given: frozenset[str]  # files that come with the course: no answers, and no mistakes
    is_stub: IsStub

    @property
    def by_exercise(self) -> dict[str, list[str]]:
        """The tasks of each exercise."""
        return {name: [t for t, exercise in self.tasks.items() if exercise == name] for name in self.names}


def junk(path: str) -> bool:
    """What systems and editors leave behind: resource forks, caches, checkpoints, everything that begins with a dot."""
    return any(part.startswith((".", "~$")) or part.lower() in _JUNK for part in path.split("/"))


def shown(name: str) -> str:
    """A name that others gave, fit for a sentence: one line, without controls, not too long."""
    text = printable(name)
    return text if len(text) <= 100 else f"{text[:60]}…{text[-30:]}"


def label(name: str) -> str:
    """What a student is called. A name that cannot be printed is escaped, with a hash so that two of them stay two."""
    text = printable(name)
    if text == name:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogateescape" if _from_system(name) else "surrogatepass"))
    return f"{text} [{digest.hexdigest()[:8]}]"


def printable(name: str) -> str:
    """Without controls, marks that turn the line round, and bytes that are no text."""
    if _from_system(name):
        name = os.fsencode(name).decode("utf-8", "backslashreplace")
    return "".join(c if _is_printable(c) else c.encode("unicode_escape").decode() for c in name)


def same_name(name: str) -> str:
    """Equal for names that a reader takes for one."""
    text = unicodedata.normalize("NFKC", name).casefold().replace("\u200c", "").replace("\u200d", "")
    return " ".join(text.split())


def by_top(items: Sequence[Item]) -> dict[str, list[Item]]:
    """The files of every folder at the root, with their paths below it."""
    found: dict[str, list[Item]] = {}
    for item in items:
        if item.top:
            found.setdefault(item.top, []).append(Item(item.path[len(item.top) + 1 :], item.read))
    return found


def _is_printable(char: str) -> bool:
    """Blanks of any script too, and the two marks that Persian and Indian names are joined by."""
    return char.isprintable() or unicodedata.category(char) == "Zs" or char in "\u200c\u200d"


def _from_system(name: str) -> bool:
    """Bytes of a file name that are no UTF-8, as Python hands them on."""
    return any("\udc80" <= c <= "\udcff" for c in name)
