"""Which pairs of a class share passages that not everybody has, by an inverted index of fingerprints.

Files are never compared one with another: a fingerprint leads to the files that have it, and what many have is taken
out first. So the work grows with what is shared, not with the number of pairs.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from grader.similar import tree, words
from grader.similar.fingerprints import Fingerprints, Place, every, fingerprints
from grader.similar.symbols import Unit
from grader.submission.model import SourceFile

COMMON = 0.05  # of the class: what more have is no evidence
LEAST = 1.0  # a score below this is what any two right answers may have in common
FEW = 5  # so many may always have it, however small the class is


@dataclass(frozen=True, slots=True)
class Passage:
    """A run of symbols that both files have. `held`: how many of the class have it."""

    left: Place
    right: Place
    held: int


@dataclass(frozen=True, slots=True)
class Shared:
    """What two files of an exercise have in common.

    `own`: passages of the file that has fewer, once what many have is out.
    `as_text`: one of them is no Python, so they were compared by their tokens.
    """

    exercise: str
    left: SourceFile
    right: SourceFile
    passages: tuple[Passage, ...]
    own: int
    as_text: bool = False

    @property
    def score(self) -> float:
        """A passage that only these two have counts 1, one that n have 2 / n; times the part of `own` they share."""
        return sum(2 / passage.held for passage in self.passages) * len(self.passages) / self.own


Prints = dict[str, Fingerprints]  # by student


def common_above(students: int) -> int:
    """What more files than this have is taken out."""
    return max(FEW, int(COMMON * students))


def compare(
    exercise: str, files: Mapping[str, SourceFile], given: Iterable[str], students: int = 0
) -> dict[tuple[str, str], Shared]:
    """By the two students, in alphabetical order.

    `given`: texts whose passages are no evidence, such as the stub and the reference.
    `students`: how many the class has; by default as many as there are files.
    """
    known, most = list(given), common_above(students or len(files))
    trees = _prints(files, tree.units)
    found = _compared(exercise, files, _without(trees, known, tree.units, most))
    broken = set(files) - set(trees)
    if broken:
        texts = _without(_prints(files, words.units), known, words.units, most)
        by_text = _compared(exercise, files, texts, as_text=True)
        found |= {pair: shared for pair, shared in by_text.items() if not broken.isdisjoint(pair)}
    return found


def _prints(files: Mapping[str, SourceFile], read: Callable[[str], list[Unit] | None]) -> Prints:
    """Of the files that can be read so. Equal texts are read once."""
    by_text: dict[str, Fingerprints | None] = {}
    for file in files.values():
        if file.text is not None and file.text not in by_text:
            units = read(file.text)
            by_text[file.text] = None if units is None else fingerprints(units)
    found = {student: by_text[file.text] for student, file in sorted(files.items()) if file.text is not None}
    return {student: prints for student, prints in found.items() if prints is not None}


def _without(prints: Prints, given: Iterable[str], read: Callable[[str], list[Unit] | None], most: int) -> Prints:
    """Less what was given, and what more than `most` have."""
    holders = defaultdict[int, int](int)
    for mine in prints.values():
        for value in mine:
            holders[value] += 1
    out = {value for value, n in holders.items() if n > most}
    for text in given:
        out |= every(read(text) or ())
    return {student: {v: p for v, p in mine.items() if v not in out} for student, mine in prints.items()}


def _compared(
    exercise: str, files: Mapping[str, SourceFile], prints: Prints, as_text: bool = False
) -> dict[tuple[str, str], Shared]:
    index = defaultdict[int, list[str]](list)
    for student, mine in prints.items():  # in alphabetical order, so the lists are too
        for value in mine:
            index[value].append(student)
    values = defaultdict[tuple[str, str], list[int]](list)
    for value, students in index.items():
        for pair in combinations(students, 2):
            values[pair].append(value)
    found = {}
    for (a, b), shared in values.items():
        own = min(len(prints[a]), len(prints[b]))
        if len(shared) ** 2 >= LEAST * own:  # no score is higher than this
            passages = (Passage(prints[a][value], prints[b][value], len(index[value])) for value in shared)
            ordered = tuple(sorted(passages, key=lambda passage: (passage.left, passage.right)))
            found[a, b] = Shared(exercise, files[a], files[b], ordered, own, as_text)
    return {pair: shared for pair, shared in found.items() if shared.score >= LEAST}
