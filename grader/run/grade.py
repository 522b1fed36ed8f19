"""In a fork of the examiner: run the collected checks on one submission and send what they came to."""

from __future__ import annotations

import base64
import json
import platform
import socket
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import torch
from _pytest.runner import runtestprotocol

import grader
from grader.catalogue.model import Course, Exercise
from grader.catalogue.stubs import as_submission
from grader.errors import CourseError, EngineError
from grader.results import schema
from grader.run.diagnosis.explain import explain
from grader.run.diagnosis.own_parts import behind, failed_tasks
from grader.run.diagnosis.suspects import Answers
from grader.run.diagnosis.together import Together
from grader.run.illustrate import pictures
from grader.run.plugin import GRADING, MEMORY, OUTCOME, RECORDING, SECONDS, SUSPECTS, Grading, check_of, exercise_of
from grader.run.recorded.record import Recording
from grader.run.verdict import HIDDEN, Outcome, make_check, title_of, with_sums, without_own_work

HIDDEN_TITLE = "A hidden check"
TRIES = 2  # of a check whose process was killed from outside: the second verdict counts
Send = Callable[[str, Any], None]


def grade_job(channel: socket.socket, session: Any, course: Course, start: dict[str, Any], launcher: Any) -> None:
    """Read a job, grade it, write events."""
    stream = channel.makefile("rwb")
    job = json.loads(stream.readline())

    def send(event: str, value: Any) -> None:
        stream.write(msgspec.json.encode({"event": event, "value": value}, enc_hook=str) + b"\n")
        stream.flush()

    began = time.perf_counter()
    if job.get("record"):
        session.config.stash[RECORDING] = Recording(course)
    exercises = run_exercises(session, course, job, launcher, send)
    if job.get("record") and all(check.status == "passed" for row in exercises for check in row.checks):
        _record(session, course, job, send)  # of references that are right: it takes minutes
    send("results", schema.Results(
        student=job["student"],
        isolation=launcher.still_proven(),
        environment=environment(start, job["fingerprint"]),
        points=schema.total(e.points for e in exercises),
        possible=schema.total(e.possible for e in exercises),
        seconds=round(time.perf_counter() - began, 3),
        exercises=exercises,
        problems=job["problems"],
    ))  # fmt: skip


def _record(session: Any, course: Course, job: dict[str, Any], send: Send) -> None:
    """Behind the suites' questions, those of the probes; and all of it into files."""
    recording, suspects = session.config.stash[RECORDING], session.config.stash[SUSPECTS]
    for name in job["exercises"]:
        recording.finish(
            course.exercise(name),
            suspects[name],
            Path(job["record"]),
            lambda task: send("check", {"id": task, "status": "recorded"}),
        )


def run_exercises(
    session: Any, course: Course, job: dict[str, Any], launcher: Any, send: Send
) -> list[schema.Exercise]:
    """Every exercise of a job, check by check."""
    texts = {name: file["text"] for name, file in job["files"].items() if file["text"] is not None}
    spans = {name: file["spans"] for name, file in job["files"].items() if file.get("spans")}
    session.config.stash[GRADING] = Grading(course, texts, launcher, spans, job.get("tasks"))
    rows: list[schema.Exercise] = []
    suspects = session.config.stash[SUSPECTS]
    for name in job["exercises"]:
        exercise = course.exercise(name)
        items = [item for item in session.items if exercise_of(item) == name]
        checks = _one_exercise(exercise, items, job, send)
        pool_of = session.config.stash[GRADING].pool
        explained, first = ([] if job.get("brief") else checks), list[schema.Note]()
        if course.released:
            failed = failed_tasks([*checks, *(check for row in rows for check in row.checks)])
            explained, first = behind(exercise, explained, failed)
        known, notes = explain(exercise, explained, pool_of, suspects[name], notes=job.get("notes", True))
        drawn = pictures(exercise, checks, pool_of) if job.get("pictures") else []
        rows.append(_exercise_row(exercise, checks, known, [*first, *notes], drawn))
    together = Together(course, texts, rows, spans, job.get("failed", ()))
    return [_with_own_parts(course.exercise(row.name), row, together, suspects, session.config) for row in rows]


def _with_own_parts(
    exercise: Exercise, row: schema.Exercise, together: Together, suspects: dict[str, Answers], config: Any
) -> schema.Exercise:
    if together.course.released:  # it was graded with them
        return row
    notes = together.notes(exercise, suspects[row.name], config.stash[GRADING].launcher(exercise.limits))
    return msgspec.structs.replace(row, notes=[*row.notes, *notes])


def run_canary(session: Any, course: Course, names: list[str], launcher: Any) -> None:
    """Grade the references themselves, and remember what they answered (recall.py). CourseError if they do not pass.

    Here, in the process that is forked afterwards: whatever Python and torch do lazily is done now, too.
    """
    texts = {name: as_submission(course.reference_path(name).read_text("utf-8")) for name in course.names}
    job = {"files": {name: {"text": text, "problem": None} for name, text in texts.items()}, "exercises": names}
    memory = session.config.stash[MEMORY]
    memory.recording = True
    rows = run_exercises(session, course, job, launcher, lambda *_: None)
    memory.recording = False
    for check in (c for row in rows for c in row.checks if str(c.values.get("problem")).startswith("EngineError")):
        raise EngineError(f"{check.id} could not be judged: {check.message}")
    for check in (c for row in rows for c in row.checks if c.status != "passed"):
        raise CourseError(f"the reference does not pass {check.id}: {check.message} Run `grade check`.")


def _one_exercise(exercise: Exercise, items: list[Any], job: dict[str, Any], send: Send) -> list[schema.Check]:
    blocked = _cannot_run(exercise, job["files"].get(exercise.name))
    by_check = {check_of(item): item for item in items}
    checks: list[schema.Check] = []
    for task in (t for t in exercise.tasks if job.get("tasks") is None or t.name in job["tasks"]):
        rows = []
        for spec in task.checks:
            item = by_check.get(spec.name)
            if item is None:  # a hidden check of a release
                rows.append(make_check(exercise, task, spec, HIDDEN_TITLE, Outcome("blocked", HIDDEN), None))
                send("check", {"id": rows[-1].id, "status": rows[-1].status})
                continue
            following = _next(exercise, by_check, spec.name)
            outcome, seconds = (blocked, None) if blocked else _run(exercise, item, following)
            title = title_of(item.function.__doc__, spec)
            rows.append(make_check(exercise, task, spec, title, outcome, seconds))
            send("check", {"id": rows[-1].id, "status": rows[-1].status})
            if job.get("cases") and not blocked and rows[-1].status == "failed" and not spec.hidden:
                case = item.config.stash[GRADING].pool(exercise).recorded_case()
                send("case", {"id": rows[-1].id, "frames": base64.b64encode(case).decode()})
            if job.get("brief") and rows[-1].status == "failed":
                break
        checks += without_own_work(task, rows)
    return checks


def _run(exercise: Exercise, item: Any, following: Any) -> tuple[Outcome, float | None]:
    pool = item.config.stash[GRADING].pool(exercise)
    if pool.cpu_seconds() > exercise.limits.exercise:
        return Outcome("failed", "budget", {"exercise": exercise.name, "limit": exercise.limits.exercise}), None
    for _ in range(TRIES):
        runtestprotocol(item, nextitem=following, log=False)
        if not pool.killed:
            break
    if OUTCOME not in item.stash:
        return Outcome("error", "engine", {"problem": "the check did not run"}), None
    return item.stash[OUTCOME], item.stash[SECONDS]


def _cannot_run(exercise: Exercise, file: dict[str, Any] | None) -> Outcome | None:
    if file is None:
        return Outcome("not_started", "missing_file", {"file": f"{exercise.name}.py"})
    if file["text"] is None:
        return Outcome("failed", "unreadable_file", {"file": file["file"], "problem": file["problem"]})
    if file.get("untouched"):
        return Outcome("not_started", "not_started", {"task": exercise.name})
    return None


def _next(exercise: Exercise, by_check: dict[str, Any], name: str) -> Any:
    """The item that runs after this one: pytest keeps a module's fixtures up to its last item."""
    names = [c.name for t in exercise.tasks for c in t.checks if c.name in by_check]
    at = names.index(name) + 1
    return by_check[names[at]] if at < len(names) else None


def _exercise_row(
    exercise: Exercise, checks: list[schema.Check],
    diagnoses: list[schema.Diagnosis], notes: list[schema.Note], drawn: list[schema.Picture],
) -> schema.Exercise:  # fmt: skip
    row = schema.Exercise(
        name=exercise.name, title=exercise.title, track=exercise.track, status="passed", points=0, possible=0,
        checks=[], diagnoses=diagnoses, notes=notes, pictures=drawn,
    )  # fmt: skip
    return with_sums(row, checks)


def environment(start: dict[str, Any], submission: str) -> schema.Environment:
    """Everything besides the submission that a verdict may depend on; `submission` is its fingerprint."""
    return schema.Environment(
        grader=grader.__version__,
        python=platform.python_version(),
        torch=str(torch.__version__),
        platform=f"{platform.system()} {platform.machine()}",
        course=start["fingerprint"],
        submission=submission,
        salt=start["salt_fingerprint"],
        release=start["released"],
    )
