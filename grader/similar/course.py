"""A class compared, exercise by exercise: pairs of students with what they share, the most striking pair first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from grader.audit.idioms import load_idioms
from grader.catalogue.folder import stub_of
from grader.catalogue.model import Course
from grader.catalogue.stubs import as_submission
from grader.similar.pairs import Shared, compare
from grader.submission.model import Submission


@dataclass(frozen=True, slots=True)
class Pair:
    """Two students, and the exercises in which they share something, the one with most first."""

    students: tuple[str, str]
    parts: tuple[Shared, ...]

    @property
    def score(self) -> float:
        return sum(part.score for part in self.parts)


def pairs(
    course: Course, names: Sequence[str], submissions: Sequence[Submission], progress: Callable[[str], None]
) -> list[Pair]:
    """Ordered by score, then by the students' names. `progress` is told each exercise when it is done."""
    parts = defaultdict[tuple[str, str], list[Shared]](list)
    for name in names:
        files = {s.student: s.files[name] for s in submissions if name in s.files}
        for students, shared in compare(name, files, _given(course, name), len(submissions)).items():
            parts[students].append(shared)
        progress(name)
    found = [Pair(students, tuple(sorted(shared, key=_order))) for students, shared in parts.items()]
    return sorted(found, key=lambda pair: (-pair.score, pair.students))


def _given(course: Course, name: str) -> Iterator[str]:
    """What right answers may share: the stub, the reference, and right answers in other styles, if there are any."""
    yield stub_of(course, name)
    yield as_submission(course.reference_path(name).read_text("utf-8"))
    yield from (idiom.text for idiom in load_idioms(course, name))


def _order(part: Shared) -> tuple[float, str]:
    return -part.score, part.exercise
