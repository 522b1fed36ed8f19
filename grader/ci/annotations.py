"""Annotations on the student's lines: an error for each task that failed, and what else is to be known."""

from __future__ import annotations

import re
from collections.abc import Iterator

from grader.ci.ending import warning
from grader.ci.workflow_commands import LEVELS, MOST, Annotation
from grader.language import _, ngettext, said
from grader.report import words
from grader.report.exports.verdicts import diagnoses, to_tell, verdict
from grader.report.tasks import Task, tasks, whole_file
from grader.report.text import clean_line
from grader.results.schema import Check, Exercise, Results

Files = dict[str, tuple[str, str]]  # of an exercise: the path of its file in the checkout, and its text
# What remote.py puts behind an error of the student's own code. In a notebook a cell stands between: no line counts.
_WHERE = re.compile(r" \((?P<file>\w+)\.py, line (?P<line>\d{1,6}): ")
LONG = 3000  # characters of a message


def annotate(results: Results, files: Files) -> list[Annotation]:
    """At most as many of each level as are shown; the last one then says how many are left out."""
    made = [*_errors(results, files), *_warnings(results), _notice(results)]
    return [shown for level in LEVELS for shown in _first([a for a in made if a.level == level])]


def _first(made: list[Annotation]) -> list[Annotation]:
    if len(made) <= MOST:
        return made
    n = len(made) - MOST + 1
    more = ngettext("{n} more is in the summary of this step.", "{n} more are in the summary of this step.", n)
    return [*made[: MOST - 1], Annotation(made[0].level, "grade", more.format(n=n))]


def _errors(results: Results, files: Files) -> Iterator[Annotation]:
    for exercise in results.exercises:
        failed = [task for task in tasks(exercise) if task.status == "failed"]
        for task in failed[:1] if whole_file(exercise) else failed:
            yield _of_task(exercise, task, files)


def _of_task(exercise: Exercise, task: Task, files: Files) -> Annotation:
    check = to_tell(exercise, task)[0]
    told = verdict(check)
    known = next(iter(diagnoses(exercise, task.name)), "")
    try_ = _("Try: ") + told.help if told.help else ""
    message = "\n".join(filter(None, (told.title, known, told.what, try_)))
    path, text = files.get(exercise.name, ("", ""))
    line = line_of(exercise, check, files) if path.endswith(".py") else 0
    title = f"{exercise.name}: {task.name}"
    return Annotation("error", title, message[:LONG], path, line if 0 < line <= text.count("\n") + 1 else 0)


def line_of(exercise: Exercise, check: Check, files: Files) -> int:
    """Where the student's own code raised; else where its values go wrong; else where the task begins. 0: unknown."""
    text = files[exercise.name][1]
    if check.hidden:
        return _definition(check.task, text)
    where = _WHERE.match(str(check.values.get("where", "")))
    if where and where["file"] == exercise.name:
        return int(where["line"])
    for note in exercise.notes:
        line = note.values.get("line")
        if note.task == check.task and type(line) is int:
            return line
    return _definition(check.task, text)


def _definition(task: str, text: str) -> int:
    found = re.search(rf"^(?:class|def)\s+{re.escape(task)}\b", text, re.MULTILINE)
    return text.count("\n", 0, found.start()) + 1 if found else 0


def _warnings(results: Results) -> Iterator[Annotation]:
    yield from (Annotation("warning", "grade", told) for told in warning(results.isolation))
    for problem in results.problems:
        yield Annotation("warning", "grade", clean_line(said(problem), LONG))


def _notice(results: Results) -> Annotation:
    points = words.points(results.final, results.possible)
    return Annotation("notice", points, f"{points}. {words.summary(results)}")
