"""Grade texts of our own, several at a time, one exercise each."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from grader.catalogue.stubs import as_submission
from grader.results.schema import Check, Diagnosis
from grader.run.engine import Engine
from grader.submission.model import SourceFile, Submission


@dataclass(frozen=True, slots=True)
class File:
    """`task`: the only one that is graded, if one is named. `brief`: up to its first failed check, undiagnosed."""

    exercise: str
    name: str
    text: str
    task: str = ""
    brief: bool = False


@dataclass(frozen=True, slots=True)
class Graded:
    """What an exercise of a submission came to."""

    checks: tuple[Check, ...]
    diagnoses: tuple[Diagnosis, ...]


def grade_all(engine: Engine, files: Iterable[File], progress: Callable[[str], None]) -> list[Graded]:
    """Each as a submission of that one file, in order. `progress` is told what is done."""

    def grade(file: File) -> Graded:
        submission = Submission(file.name, {file.exercise: SourceFile(file.exercise, as_submission(file.text))})
        tasks = [file.task] if file.task else None
        (row,) = engine.grade(submission, [file.exercise], tasks=tasks, notes=False, brief=file.brief).exercises
        progress(f"{file.exercise}: {file.name}")
        return Graded(tuple(row.checks), tuple(row.diagnoses))

    with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
        return list(pool.map(grade, files))
