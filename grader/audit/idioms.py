"""Right answers in other styles, from tests/course/idioms/NAME: nothing of them may be held against anybody."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from grader.audit.finding import Finding
from grader.audit.grading import Graded
from grader.catalogue.model import Course, Exercise
from grader.errors import CourseError

SHORTCUTS = "shortcuts"  # folder of those that take from PyTorch what the student should write


@dataclass(frozen=True, slots=True)
class Idiom:
    """A whole file. `shortcut`: right in every value, and not the student's own work."""

    name: str
    exercise: str
    text: str
    shortcut: bool


def load_idioms(course: Course, exercise: str) -> list[Idiom]:
    """In alphabetical order."""
    folder = course.root / "tests" / "course" / "idioms" / exercise
    found = []
    for path in sorted(folder.rglob("*.py")):
        text = path.read_text("utf-8")
        if not text.startswith('"""'):
            raise CourseError(f"{path} should begin with a sentence on what is different in it, in triple quotes")
        found.append(Idiom(path.stem, exercise, text, path.parent.name == SHORTCUTS))
    return found


def findings(exercise: Exercise, accepted: Sequence[tuple[Idiom, Graded]]) -> Iterator[Finding]:
    """Idioms that are not accepted. They are graded on several inputs: what fails on more than one is said once."""
    told = set[tuple[str, str]]()
    own_work = {t.own_work.check for t in exercise.tasks if t.own_work}
    for idiom, result in accepted:
        failed = [c for c in result.checks if c.status != "passed"]
        caught = [c for c in failed if c.id.partition(".")[2] in own_work and c.code == "forbidden"]
        # A stack built on a forbidden layer waits for that layer.
        wrong = [c for c in failed if c not in caught and c.status != "blocked"] if idiom.shortcut else failed
        for check in (c for c in wrong if (idiom.name, c.id) not in told):
            told.add((idiom.name, check.id))
            yield Finding(exercise.name, f"right answer {idiom.name} fails {check.id}: {check.message}")
        if idiom.shortcut and not caught:
            yield Finding(exercise.name, f"shortcut {idiom.name} passes for the student's own work")
        for diagnosis in result.diagnoses:
            yield Finding(exercise.name, f"right answer {idiom.name} is called {diagnosis.bug} of {diagnosis.task}")
