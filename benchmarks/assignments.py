"""What is graded: the core track, one small exercise of it, and twelve plain checks on three functions."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from grader.catalogue.load import load_course
from grader.catalogue.model import Course
from grader.catalogue.stubs import as_submission
from grader.run.plan import kinds

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Assignment:
    course: Course
    exercises: tuple[str, ...]

    @contextlib.contextmanager
    def opened(self) -> Iterator[Path]:
        """A folder with a right submission: the references, as a student would hand them in."""
        with tempfile.TemporaryDirectory() as folder:
            for name in self.course.names:
                text = as_submission(self.course.reference_path(name).read_text("utf-8"))
                Path(folder, f"{name}.py").write_text(text, "utf-8")
            yield Path(folder)


def subjects_started(assignment: Assignment) -> int:
    """Processes that a right submission of all exercises needs: one for each kind."""
    course = assignment.course
    return sum(
        len({kind.given(course.names) for kind in kinds(course, course.exercise(name)).values()})
        for name in assignment.exercises
    )


_COURSE = load_course(ROOT)
_SMALL = load_course(Path(__file__).parent / "small")
ASSIGNMENTS = {
    "core": Assignment(_COURSE, tuple(e.name for e in _COURSE.exercises if e.track == "core")),
    "layer_norm": Assignment(_COURSE, ("layer_norm",)),
    "small": Assignment(_SMALL, ("small",)),
}
