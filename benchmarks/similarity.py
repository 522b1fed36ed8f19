"""How well `grade similar` tells copies in disguise from right answers that were written apart.

`python -m benchmarks.similarity` prints the table of docs/similarity.md; with `--students 1000` it makes a class of
that size, puts copies into it, and says where these are in the list and how long it took.
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from benchmarks.disguises import DISGUISES, all_of_it, rewritten
from grader.audit.idioms import load_idioms
from grader.catalogue.folder import stub_of
from grader.catalogue.load import load_course
from grader.catalogue.model import Course
from grader.similar.course import pairs
from grader.similar.pairs import compare
from grader.submission.model import SourceFile, Submission

ROOT = Path(__file__).parents[1]
HEAD = """\
| what was changed in the copy | copies | found | first in the list | lowest copy | highest pair written apart |
| --- | ---: | ---: | ---: | ---: | ---: |"""


@dataclass(frozen=True)
class Measured:
    """Scores of copies with what they were made from, and of right answers written apart, of all exercises."""

    copies: tuple[float, ...]
    apart: tuple[float, ...]

    @property
    def found(self) -> int:
        return sum(score > 0 for score in self.copies)

    @property
    def precision(self) -> float:
        """Of the list, as far down as there are copies: how many of these pairs are copies."""
        ranked = sorted([(-score, True) for score in self.copies] + [(-score, False) for score in self.apart])
        return sum(is_copy for _, is_copy in ranked[: len(self.copies)]) / len(self.copies)


def answers(course: Course, name: str) -> list[str]:
    """Right answers in other styles, whose authors stand for students. They are not taken out here."""
    return [idiom.text for idiom in load_idioms(course, name) if not idiom.shortcut]


def measure(course: Course, names: Sequence[str], disguise: str) -> Measured:
    """Every answer and its copy, all in one class for each exercise."""
    copies, apart = list[float](), list[float]()
    for name in names:
        texts = answers(course, name)
        files = {f"{n:02}": SourceFile(name, text) for n, text in enumerate(texts)}
        files |= {f"{n:02} copy": SourceFile(name, DISGUISES[disguise](text, n)) for n, text in enumerate(texts)}
        given = [stub_of(course, name), course.reference_path(name).read_text("utf-8")]
        found = compare(name, files, given)
        for pair in combinations(sorted(files), 2):
            score = found[pair].score if pair in found else 0.0
            (copies if pair[0][:2] == pair[1][:2] else apart).append(score)
    return Measured(tuple(copies), tuple(apart))


def table(course: Course, names: Sequence[str]) -> Iterator[str]:
    yield from HEAD.splitlines()
    for disguise in DISGUISES:
        m = measure(course, names, disguise)
        cells = [disguise, len(m.copies), m.found, f"{m.precision:.0%}", f"{min(m.copies):.1f}", f"{max(m.apart):.1f}"]
        yield f"| {' | '.join(map(str, cells))} |"


def crowd(course: Course, names: Sequence[str], students: int, copies: int) -> tuple[list[Submission], set[str]]:
    """Students who rewrite one of the course's right answers each in their own way; the last ones copy somebody."""
    chance = random.Random(0)
    made = [
        Submission(f"s{n:04}", {e: SourceFile(e, rewritten(chance.choice(answers(course, e)), n)) for e in names})
        for n in range(students - copies)
    ]
    for n, victim in enumerate(chance.sample(made, copies), students - copies):
        files = {e: SourceFile(e, all_of_it(f.text or "", n)) for e, f in victim.files.items()}
        made.append(Submission(f"s{n:04} of {victim.student}", files))
    return made, {s.student for s in made[-copies:]}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--students", type=int, default=0)
    parser.add_argument("--copies", type=int, default=20)
    arguments = parser.parse_args()
    course = load_course(ROOT)
    if not arguments.students:
        print(*table(course, course.graded), sep="\n")
        return
    submissions, copied = crowd(course, course.graded, arguments.students, arguments.copies)
    began, used = time.monotonic(), time.process_time()
    found = pairs(course, course.graded, submissions, lambda name: None)
    seconds, cpu = time.monotonic() - began, time.process_time() - used
    right = [any(s in copied and s.endswith(pair.students[0]) for s in pair.students) for pair in found]
    print(f"{len(submissions)} students, {len(course.graded)} exercises: {cpu:.0f} s of one core ({seconds:.0f} s).")
    print(f"Of {len(copied)} copies {sum(right[: len(copied)])} are among the first {len(copied)} pairs;")
    print(f"scores of copies from {min(p.score for p, r in zip(found, right, strict=True) if r):.1f},", end=" ")
    print(f"of others up to {max(p.score for p, r in zip(found, right, strict=True) if not r):.1f}.")


if __name__ == "__main__":
    main()
