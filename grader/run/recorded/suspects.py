"""Diagnosis in a release: known bugs and right answers as they were recorded."""

from __future__ import annotations

from collections.abc import Iterator

from grader.catalogue.bugs import KnownBug
from grader.catalogue.model import Course, Exercise
from grader.catalogue.release import released_bugs
from grader.run.diagnosis.answers import Answer
from grader.run.diagnosis.landmarks import Way
from grader.run.diagnosis.suspects import Answers
from grader.run.recorded.book import RIGHT, Book
from grader.run.recorded.transport import Recorded
from grader.subject.proxy import Proxy


class RecordedSuspects(Answers):
    def __init__(self, course: Course, exercise: Exercise, book: Book) -> None:
        bugs = released_bugs(course.root, exercise.name)
        super().__init__(course, exercise, bugs, Proxy(Recorded(book.answer_to)))
        self.book = book

    def together(self, first: KnownBug, second: KnownBug) -> Iterator[Answer] | None:
        return self.book.probed_pair(first.task, (first.name, second.name))

    def ways(self, task: str, index: int) -> list[Way]:
        return self.book.ways_of(task, index)

    def _found(self, task: str, bug: KnownBug | None, index: int) -> Answer:
        return self.book.probed(task, bug.name if bug else RIGHT, index)
