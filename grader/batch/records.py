"""The files of each student: read before the run, written when a student is done."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from grader.batch.adjust import adjusted
from grader.batch.decide import Fate, fate
from grader.batch.history import History
from grader.batch.outcome import REGRADE, RESULTS, STUDENTS, in_language, read, remove, write
from grader.batch.overrides import Overrides
from grader.batch.pages import Pages
from grader.language import current
from grader.results.schema import Results
from grader.results.store import dump, encoded


@dataclass(frozen=True, slots=True)
class Found:
    """What is on the disk of a student: the results that count, and those that wait to be accepted."""

    student: str
    counts: Results | None
    staged: Results | None

    @property
    def newest_last(self) -> list[Results]:
        return [results for results in (self.counts, self.staged) if results is not None]


@dataclass(frozen=True, slots=True)
class Prepared:
    """Everything to write for a student, made beforehand: what cannot be shown or saved changes nothing."""

    student: str
    counts: Results
    is_staged: bool
    is_replaced: bool
    writes: list[tuple[Path, bytes, bytes]] = field(default_factory=list)  # folder, page and data


class Records:
    def __init__(self, out: Path, folders: dict[str, str], pages: Pages, overrides: Overrides) -> None:
        self.out = out
        self.folders = folders
        self.pages = pages
        self.overrides = overrides
        self.history = History(out, "a batch with changed submissions")

    def find(self, student: str) -> Found:
        counts, staged = (read(self.folder(kind, student), student) for kind in (STUDENTS, REGRADE))
        return Found(student, counts, staged)

    def prepare(self, found: Found, new: Results) -> Prepared:
        """Decide what becomes of `new`, and make the files."""
        decided = fate(found.counts, new)
        is_staged = decided is Fate.STAGE
        is_old = found.counts is not None and decided in (Fate.STAGE, Fate.SAME)
        counts = adjusted(found.counts if is_old and found.counts else new, self.overrides)
        writes = self._changed(STUDENTS, counts, found.counts)
        if is_staged:
            staged = found.staged if found.staged and fate(found.staged, new) is Fate.SAME else new
            writes += self._changed(REGRADE, adjusted(staged, self.overrides), found.staged)
        return Prepared(found.student, counts, is_staged, decided is Fate.REPLACE, writes)

    def unchanged(self, found: Found, counts: Results) -> Prepared:
        """For a student that this run does not look at: only the adjustments are made anew."""
        new = adjusted(counts, self.overrides)
        return Prepared(found.student, new, found.staged is not None, False, self._changed(STUDENTS, new, counts))

    def forget(self, found: Found, nothing: str) -> None:
        """Results that only overrides had made of an empty submission (`nothing`: its fingerprint), once those go."""
        if found.counts is not None and found.counts.environment.submission == nothing:
            remove(self.folder(STUDENTS, found.student))
            remove(self.folder(REGRADE, found.student))

    def commit(self, prepared: Prepared) -> None:
        if prepared.is_replaced:
            self.history.keep(self.folder(STUDENTS, prepared.student) / RESULTS)
        for folder, page, data in prepared.writes:
            write(folder, page, data)
        if not prepared.is_staged:
            remove(self.folder(REGRADE, prepared.student))

    def folder(self, kind: str, student: str) -> Path:
        return self.out / kind / self.folders[student]

    def _changed(self, kind: str, results: Results, on_disk: Results | None) -> list[tuple[Path, bytes, bytes]]:
        folder = self.folder(kind, results.student)
        if results == on_disk and in_language(folder, current()):
            return []
        return [(folder, encoded(self.pages.student(results)), dump(results))]
