"""Grades submissions through the warm trusted process. Imports no torch; safe to call from several threads."""

from __future__ import annotations

import array
import base64
import contextlib
import hashlib
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

import grader
from grader.catalogue.bugs import bugs_path
from grader.catalogue.folder import stub_of
from grader.catalogue.home import RELEASE
from grader.catalogue.model import Course
from grader.errors import CourseError, EngineError, GraderError, UsageError
from grader.results.schema import Environment, Isolation, Results
from grader.run.keys import ENGINE, PACKAGE
from grader.run.launch import warm_environment
from grader.submission.model import SourceFile, Submission
from grader.submission.notebook.definitions import same

OnCheck = Callable[[str, str], None]  # the check's id and its status
OnCase = Callable[[str, bytes], None]  # the id of a failed check, and frames


class Engine:
    """A context manager: the examiner is started on entry and ended on exit, or when the thread that entered ends.

    `salt` makes the inputs of an official run unforeseeable; it is never written anywhere, only its fingerprint is.
    `isolation`: a level, or auto; `others`: the code is other people's, so auto takes the best level there is.
    `diagnoses`: many will be asked for, so that what sets known bugs apart is computed beforehand.
    """

    def __init__(
        self, course: Course, exercises: Sequence[str], *, salt: bytes = b"", isolation: str = "auto",
        others: bool = False, diagnoses: bool = True,
    ) -> None:  # fmt: skip
        self.course = course
        self.exercises = exercises
        self.salt = salt
        self.requested = isolation
        self.others = others
        self.diagnoses = diagnoses
        self.isolation: Isolation | None = None  # what the self-test found, once `ready` has returned
        self.fingerprint = course_fingerprint(course)
        self._environment: Environment | None = None
        self._stubs = {name: _stub(course, name) for name in exercises}

    def __enter__(self) -> Engine:
        self._errors = tempfile.TemporaryFile()
        self._control, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self._process = subprocess.Popen(  # its output is only read if it dies
                [sys.executable, "-P", "-m", "grader.run.examiner", str(theirs.fileno()), str(os.getpid())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=self._errors,
                stderr=self._errors,
                env=warm_environment(),
                start_new_session=True,  # Ctrl-C is for the command, which ends this one in its own time
            )
        with contextlib.suppress(ConnectionError):  # it is gone already, and `ready` says so
            self._send_start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._control.close()
        if kind is not None:
            self._process.kill()  # interrupted, perhaps while it loads; its children end with it
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._errors.close()

    def ready(self) -> Environment:
        """Wait until suites and references are loaded. Raises what is wrong with the course."""
        if self._environment is not None:
            return self._environment
        answer = b""
        with contextlib.suppress(ConnectionError):  # it ended before it had read what it was sent
            answer = self._control.recv(1 << 16)
        if not answer:
            raise EngineError(f"the grading process ended while starting: {self._last_words()}")
        message = json.loads(answer)
        if "problem" in message:
            kind: type[GraderError] = {"CourseError": CourseError, "UsageError": UsageError}.get(
                message["kind"], EngineError
            )
            raise kind(message["problem"])
        self._environment = msgspec.convert(message["environment"], Environment)
        self.isolation = msgspec.convert(message["isolation"], Isolation)
        return self._environment

    def grade(
        self, submission: Submission, exercises: Sequence[str] | None = None, on_check: OnCheck | None = None,
        *, on_case: OnCase | None = None, tasks: list[str] | None = None, notes: bool = True, brief: bool = False,
        failed: Collection[str] = (),
    ) -> Results:  # fmt: skip
        """Everything the suites say about a submission, or about some `tasks` of it.

        `on_case` gets what was asked in the case that failed, of every failed check (grader/replay). `notes`: help
        beyond the checks, and pictures of one's own code, which a class would wait for. `brief`: of every task only up
        to its first failed check, without a diagnosis. `failed`: tasks of exercises that are not graded now, which an
        earlier run saw fail: a note says where they break a right one.

        Raises EngineError when our own processes failed twice.
        """
        job = self._job(submission, exercises or self.exercises)
        job |= {"tasks": tasks, "notes": notes, "brief": brief, "cases": on_case is not None, "failed": sorted(failed)}
        job["pictures"] = notes and not brief and tasks is None and not self.others
        try:
            results = self._grade(job, on_check, on_case)
        except EngineError:
            results = self._grade(job, on_check, on_case)
        return msgspec.structs.replace(results, origin=submission.origin)

    def record(self, references: Submission, folder: Path, on_check: OnCheck | None = None) -> Results:
        """Grade the references themselves, and write into `folder` what they answered (recorded/record.py).

        `on_check` hears of every check, and then of every task whose known bugs were recorded.
        """
        job = self._job(references, self.exercises) | {"notes": False, "record": str(folder.resolve())}
        return self._grade(job, on_check, None)

    def _send_start(self) -> None:
        start = {
            "course": str(self.course.root),
            "configured": self.course.configured,
            "exercises": self.exercises,
            "salt_fingerprint": salt_fingerprint(self.salt),
            "isolation": self.requested,
            "others": self.others,
            "diagnoses": self.diagnoses,
            "released": self.course.released,
            "fingerprint": self.fingerprint,
        }
        self._control.send(json.dumps(start).encode())
        self._control.send(json.dumps({"salt": self.salt.hex()}).encode())  # read after the zygote has been forked

    def _grade(self, job: dict[str, Any], on_check: OnCheck | None, on_case: OnCase | None) -> Results:
        ours, theirs = socket.socketpair()
        with ours, theirs:
            sent = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [theirs.fileno()]))]
            try:
                self._control.sendmsg([b"job"], sent)
            except OSError as error:
                raise EngineError(f"the grading process is gone: {self._last_words()}") from error
            theirs.close()
            with contextlib.suppress(ConnectionError):  # the other end was closed before it read everything
                for event in _events(ours, job):
                    if event["event"] == "results":
                        return _converted(event["value"])
                    if event["event"] == "case":
                        if on_case is not None:
                            on_case(event["value"]["id"], base64.b64decode(event["value"]["frames"]))
                    elif on_check is not None:
                        on_check(event["value"]["id"], event["value"]["status"])
        raise EngineError(f"grading {job['student']!r} ended without a result: {self._last_words()}")

    def _job(self, submission: Submission, exercises: Sequence[str]) -> dict[str, Any]:
        files = {
            name: {
                "text": f.text, "problem": f.problem, "untouched": self._untouched(f),
                "file": f.file, "spans": f.spans,
            }
            for name, f in submission.files.items()
        }  # fmt: skip
        return {
            "student": submission.student,
            "files": files,
            "problems": list(submission.problems),
            "exercises": exercises,
            "fingerprint": submission.fingerprint(),
        }

    def _untouched(self, file: SourceFile) -> bool:
        """Nothing of the stub has been written yet. A notebook holds more than it: only what is defined counts."""
        stub = self._stubs.get(file.name)
        if stub is None or file.text is None or file.text == stub:
            return file.text == stub
        return file.notebook and same(file.text, stub)

    def _last_words(self) -> str:
        size = os.fstat(self._errors.fileno()).st_size
        text = os.pread(self._errors.fileno(), 20_000, max(0, size - 20_000)).decode("utf-8", "replace").strip()
        if os.environ.get("GRADE_DEBUG"):
            return text
        return text.splitlines()[-1] if text else "it said nothing"


def _converted(value: Any) -> Results:
    try:
        return msgspec.convert(value, Results)
    except msgspec.ValidationError as error:
        raise EngineError(f"the grading process sent results that are none ({error}); report this") from error


def salt_fingerprint(salt: bytes) -> str:
    return hashlib.sha256(b"salt" + salt).hexdigest()[:8] if salt else "none"


def course_fingerprint(course: Course) -> str:
    """Of everything of ours that a verdict depends on: suites, references, stand-ins, metadata, and the engine."""
    digest = hashlib.sha256(grader.__version__.encode())
    digest.update(repr([(t.name, t.points) for e in course.exercises for t in e.tasks]).encode())
    paths = [course.standins_path, course.root / "exercises" / "model_args.py"]
    paths += [course.root / RELEASE, *sorted((course.root / "recorded").glob("*"))]
    for e in course.exercises:
        paths += [
            course.reference_path(e.name),
            course.reference_path(e.name).with_suffix(".toml"),
            course.suite_path(e.name),
            course.probes_path(e.name),
            bugs_path(course, e.name),
        ]
    paths += sorted((course.root / "tests" / "course" / "bugs").glob("*.py"))
    paths += sorted((course.root / "exercises").glob("*.txt"))  # what is given beside the stubs
    paths += sorted(path for part in ENGINE for path in (PACKAGE / part).rglob("*.py"))
    for path in paths:
        digest.update(path.name.encode() + b"\0" + (path.read_bytes() if path.is_file() else b"") + b"\0")
    return digest.hexdigest()[:16]


def _events(channel: socket.socket, job: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Send a job; what the examiner's fork says about it, until it closes the channel."""
    with channel.makefile("rwb") as stream:
        stream.write(json.dumps(job).encode() + b"\n")
        stream.flush()
        for line in stream:
            yield msgspec.json.decode(line)


def _stub(course: Course, name: str) -> str:
    path: Path = course.reference_path(name)
    if not course.released and not path.is_file():
        raise CourseError(f"{path} is missing: every exercise has a reference")
    return stub_of(course, name)
