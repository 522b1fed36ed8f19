"""Look for what students must not get in what they do get: a release, pages, results."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from grader.release.readable import texts
from grader.release.secrets import LEAST, NAME, Secret, squeezed


@dataclass(frozen=True, slots=True)
class Leak:
    """`file` has the secret in this line."""

    file: str
    line: int
    secret: Secret


@dataclass(frozen=True, slots=True)
class Search:
    """What was looked through, and what was found."""

    files: int
    leaks: list[Leak]


def search(folder: Path, secrets: Sequence[Secret], own: Mapping[str, str] | None = None) -> Search:
    """All files of `folder`, or the one file. `own`: by student, what they handed in: their own lines are no leak."""
    files = sorted(path for path in folder.rglob("*") if path.is_file()) if folder.is_dir() else [folder]
    looker = Looker(secrets)
    leaks: list[Leak] = []
    for path in files:
        mine = squeezed(_own(path, folder, own or {}))
        leaks += (leak for leak in looker.leaks(path) if leak.secret.key not in mine)
    return Search(len(files), leaks)


class Looker:
    """Finds secrets by their first signs: one pass over a text, however many they are."""

    def __init__(self, secrets: Iterable[Secret]) -> None:
        self._by_head: defaultdict[str, list[Secret]] = defaultdict(list)
        self._by_name: dict[str, Secret] = {}
        for secret in secrets:
            if secret.kind == NAME:
                self._by_name |= {secret.key: secret, f"test_{secret.key}": secret}
            else:
                self._by_head[secret.key[:LEAST]].append(secret)

    def leaks(self, path: Path) -> list[Leak]:
        """Each secret once a file."""
        found: dict[tuple[str, str], Leak] = {}
        for name, text in texts(path):
            for line, secret in [*self._lines(text), *self._names(text)]:
                found.setdefault((name, secret.key), Leak(name, line, secret))
        return list(found.values())

    def _lines(self, text: str) -> Iterator[tuple[int, Secret]]:
        lines = [squeezed(line) for line in text.splitlines()]
        ends, whole = list(accumulate(map(len, lines))), "".join(lines)
        for at in range(len(whole) - LEAST + 1):
            for secret in self._by_head.get(whole[at : at + LEAST], ()):
                if whole.startswith(secret.key, at):
                    yield bisect_right(ends, at) + 1, secret

    def _names(self, text: str) -> Iterator[tuple[int, Secret]]:
        for number, line in enumerate(text.splitlines(), 1) if self._by_name else ():
            words = set(re.findall(r"\w+", line))
            yield from ((number, self._by_name[word]) for word in sorted(words & self._by_name.keys()))


def _own(path: Path, folder: Path, own: Mapping[str, str]) -> str:
    """What the student of this file handed in; of a file of the whole class, what all of them did."""
    parts = path.relative_to(folder).parts if path != folder else (path.name,)
    names = {*parts, *(Path(part).stem for part in parts)}
    mine = [text for student, text in own.items() if student in names]
    return "\n".join(mine or own.values())
