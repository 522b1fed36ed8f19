"""Write down what the references of a course answer: to the suites, and to the probes with every known bug."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

from grader.catalogue.model import Course, Exercise
from grader.run.diagnosis.answers import ask
from grader.run.diagnosis.pairs import likely
from grader.run.diagnosis.suspects import Suspects
from grader.run.recorded.book import RIGHT, Book
from grader.run.recorded.transport import Recorder
from grader.subject.local import Local
from grader.subject.proxy import Proxy

OnTask = Callable[[str], None]


class Recording:
    """The books of a run over the suites, one for each exercise."""

    def __init__(self, course: Course) -> None:
        self.course = course
        self._books: dict[str, Book] = {}

    def transport(self, exercise: str, local: Local) -> Recorder:
        """To the reference of an exercise, for its suite or for what a probe asks beside the submission."""
        book = self._books.setdefault(exercise, Book())
        return Recorder(local, book.answers, book.keep)

    def finish(self, exercise: Exercise, suspects: Suspects, folder: Path, on_task: OnTask) -> None:
        """Add the answers to the probes, and write the book of an exercise into `folder`."""
        book = self._books.setdefault(exercise.name, Book())
        for task in exercise.tasks:
            self._probe(book, suspects, task.name)
            on_task(f"{exercise.name}.{task.name}")
        book.save(folder / f"{exercise.name}.safetensors")

    def _probe(self, book: Book, suspects: Suspects, task: str) -> None:
        bugs = [bug for bug in suspects.of(task) if not bug.invariant]
        cases = suspects.cases(task)
        book.keep_probed(task, RIGHT, suspects.right(task))
        for bug in bugs:
            book.keep_probed(task, bug.name, suspects.answers(bug))
        for first, second in itertools.combinations(bugs, 2):
            answers = list(suspects.together(first, second) or ())
            if answers and likely(suspects, task, (first, second), answers):  # else nobody would be told of these two
                book.keep_pair(task, (first.name, second.name), answers)
        book.ways[task] = [[book.keep_way(way) for way in suspects.ways(task, n)] for n in range(len(cases))]
        recorder = Recorder(suspects.local(), book.answers, book.keep)
        beside, side = Proxy(recorder), Proxy(suspects.local())
        for probe, case in cases:  # what a submission's probes ask of the reference
            recorder.start_check("")
            ask(probe, case, side, beside)
