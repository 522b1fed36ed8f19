"""The misconceptions of a class: which known bugs were recognised, and in whose work."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from grader.report.rows import Row
from grader.results.schema import Diagnosis


@dataclass(frozen=True, slots=True)
class Misconception:
    exercise: str
    diagnosis: Diagnosis  # of the first student: its evidence is theirs alone
    rows: list[Row] = field(default_factory=list)  # each student once, in the order of the class

    @property
    def students(self) -> int:
        return len(self.rows)


def misconceptions(rows: Sequence[Row]) -> list[Misconception]:
    """The commonest first."""
    found: dict[tuple[str, str, str], Misconception] = {}
    for row in rows:
        for exercise in row.results.exercises if row.results else ():
            for diagnosis in {(d.task, d.bug): d for d in exercise.diagnoses}.values():
                key = (exercise.name, diagnosis.task, diagnosis.bug)
                found.setdefault(key, Misconception(exercise.name, diagnosis)).rows.append(row)
    return [one for _, one in sorted(found.items(), key=lambda item: (-item[1].students, item[0]))]
