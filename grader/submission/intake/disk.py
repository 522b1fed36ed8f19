"""Look into a folder: its files, without what systems leave behind, and never through a link."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from grader.errors import UsageError
from grader.language import N_
from grader.submission.files import bytes_of, listing
from grader.submission.intake.model import Item, Source, junk

MOST = 5_000  # files below one folder at the root
DEEPEST = 12


def open_folder(root: Path, ignore: Iterable[Path] = ()) -> Source:
    """What is in `root`. UsageError if it cannot be listed. Folders in `ignore` are not looked at."""
    ignored = tuple(path.resolve() for path in ignore)
    items: list[Item] = []
    folders: list[str] = []
    clones: set[str] = set()
    said: dict[str, tuple[str, ...]] = {}
    for entry in listing(root):
        if junk(entry.name) or Path(entry.path).resolve() in ignored:
            continue
        if entry.is_dir(follow_symlinks=False):
            folders.append(entry.name)
            below, problems = _below(Path(entry.path), entry.name)
            items += below
            said[entry.name] = tuple(problems)
            if os.path.isdir(os.path.join(entry.path, ".git")):
                clones.add(entry.name)
        else:
            items.append(_item(Path(entry.path), entry.name))
    return Source(root.resolve().name, tuple(items), tuple(folders), frozenset(clones), root, (), said, ignored)


def _below(folder: Path, path: str) -> tuple[list[Item], list[str]]:
    found: list[Item] = []
    for file, below in _walk(folder, path):
        if len(found) == MOST:
            return found, [N_(f"It holds more than {MOST:,} files: only the first ones were looked at.")]
        found.append(_item(file, below))
    return found, []


def _walk(folder: Path, path: str, depth: int = 0) -> Iterator[tuple[Path, str]]:
    """Files first, then folders, each by name. What cannot be listed is empty here: read_folder says so."""
    try:
        entries = [entry for entry in listing(folder) if not junk(entry.name)]
    except UsageError:
        return
    yield from ((Path(e.path), f"{path}/{e.name}") for e in entries if not e.is_dir(follow_symlinks=False))
    for entry in entries if depth < DEEPEST else ():
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(Path(entry.path), f"{path}/{entry.name}", depth + 1)


def _item(file: Path, path: str) -> Item:
    return Item(path, partial(bytes_of, file))
