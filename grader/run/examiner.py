"""The warm trusted process: torch, suites and references loaded once, then one fork for every submission.

Started by exec (engine.py), with one end of a control socket. It answers `ready` or a problem, then forks for every
descriptor it is sent; the fork reads a job from that descriptor and writes events to it, one JSON object a line.
"""

from __future__ import annotations

import array
import gc
import json
import os
import signal
import socket
import sys
import traceback
from pathlib import Path
from typing import Any

import msgspec

from grader.errors import CourseError, GraderError
from grader.results.schema import Isolation
from grader.run.launch import Launcher
from grader.run.plan import kinds
from grader.subject.worker.limits import die_with_parent


def main(control: socket.socket) -> None:
    start = json.loads(control.recv(1 << 16))
    try:
        hidden = [Path(start["course"])]
        launcher = Launcher(start["isolation"], others=start["others"], fork=True, hidden=hidden)
        try:
            launcher.begin()  # before suite, references and salt: a forked zygote never has them
        finally:
            salt = bytes.fromhex(json.loads(control.recv(1 << 16))["salt"])
        _collect_and_serve(control, start, launcher, salt)
    except GraderError as error:
        control.send(json.dumps({"problem": str(error), "kind": type(error).__name__}).encode())
    except BaseException as error:
        text = "".join(traceback.format_exception(error))[-3000:]
        control.send(
            json.dumps({"problem": f"{type(error).__name__}: {error}\n{text}"[:8000], "kind": "EngineError"}).encode()
        )


def _collect_and_serve(control: socket.socket, start: dict[str, Any], launcher: Launcher, salt: bytes) -> None:
    import pytest
    import torch

    from grader.catalogue.load import load_course
    from grader.run import grade, plugin
    from grader.run.suite.cases import set_salt

    torch.set_num_threads(1)
    course = load_course(Path(start["course"]), configured=start["configured"])
    sys.path.append(str(course.root))
    set_salt(salt)
    server = Server(control, course, start, launcher, grade)
    suites = [str(course.suite_path(name)) for name in start["exercises"]]
    unused = (
        part for name in ("terminal", "cacheprovider", "faulthandler", "logging") for part in ("-p", f"no:{name}")
    )
    where = ("-c", os.devnull, "--rootdir", str(course.root), "--noconftest")
    options = [*unused, *where, "--import-mode=importlib", "--capture=no"]
    code = pytest.main([*options, *suites], plugins=[plugin, server])
    if server.refusal is not None:
        raise server.refusal
    if not server.served:
        raise CourseError(server.problems or f"the suites could not be collected (pytest code {int(code)})")


class Server:
    """A pytest plugin: takes over when everything is collected, and forks for every submission."""

    def __init__(
        self, control: socket.socket, course: Any, start: dict[str, Any], launcher: Launcher, grade: Any
    ) -> None:
        self.grade = grade
        self.environment = grade.environment(start, "")
        self.control = control
        self.course = course
        self.start = start
        self.launcher = launcher
        self.served = False
        self.problems = ""
        self.refusal: GraderError | None = None

    def pytest_collectreport(self, report: Any) -> None:
        if report.failed:
            lines = [line[1:].strip() for line in str(report.longrepr).splitlines() if line.startswith("E")]
            self.problems += (
                f"{report.nodeid} cannot be loaded: {lines[-1].removeprefix('E ') if lines else report.longrepr}\n"
            )

    def pytest_runtestloop(self, session: Any) -> bool:
        self.problems = self.problems or _mismatch(self.course, self.start["exercises"], session.items)
        if self.problems:
            return True
        try:
            isolation = self._prepare(session)
        except GraderError as refusal:  # raised here, it would become a story about pytest
            self.refusal = refusal
            return True
        self.served = True
        gc.freeze()
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # forks report through their own socket
        self.control.send(msgspec.json.encode({"environment": self.environment, "isolation": isolation}))
        while True:
            message, ancillary, _, _ = self.control.recvmsg(16, socket.CMSG_LEN(4))
            if not message:
                os._exit(0)
            (fd,) = array.array("i", ancillary[0][2][:4])
            assert len(os.listdir("/proc/self/task")) == 1 if sys.platform == "linux" else True
            if self._has_zygote() and os.fork() == 0:
                self._examine(session, fd)
            os.close(fd)

    def _prepare(self, session: Any) -> Isolation:
        """Whatever can be done once is done before the first fork."""
        from grader.run.plugin import SUSPECTS

        exercises = [self.course.exercise(name) for name in self.start["exercises"]]
        secret = self.course.recorded_path if self.course.released else self.course.reference_path
        isolation = self.launcher.prove([secret(e.name) for e in exercises])
        _warm_up()
        for exercise in exercises:
            for kind in kinds(self.course, exercise).values():
                kind.standins(self.course)
        session.config.stash[SUSPECTS] = {e.name: self._suspects(e, session) for e in exercises}
        if self.start["others"]:
            if not self.course.released:
                self.grade.run_canary(session, self.course, self.start["exercises"], self.launcher)
            for exercise in exercises if self.start["diagnoses"] else ():
                session.config.stash[SUSPECTS][exercise.name].prepare()
            gc.collect()
        return isolation

    def _suspects(self, exercise: Any, session: Any) -> Any:
        from grader.run.diagnosis.suspects import Suspects
        from grader.run.plugin import BOOKS
        from grader.run.recorded.suspects import RecordedSuspects

        if not self.course.released:
            return Suspects(self.course, exercise)
        return RecordedSuspects(
            self.course, exercise, session.config.stash[BOOKS](self.course.recorded_path(exercise.name))
        )

    def _has_zygote(self) -> bool:
        """It may have been killed: then there is a new one. Without, the job gets no answer, and may be sent again."""
        try:
            self.launcher.revive()
        except GraderError:
            traceback.print_exc()
            return False
        return True

    def _examine(self, session: Any, fd: int) -> None:
        """In the fork: one submission, then the end."""
        code = 1
        try:
            die_with_parent()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            self.control.close()
            with socket.socket(fileno=fd) as channel:
                self.grade.grade_job(channel, session, self.course, self.start, self.launcher)
            code = 0
        except BaseException:
            traceback.print_exc()  # into the file that the engine reads when a job has no result
        finally:
            sys.stderr.flush()
            os._exit(code)


def _warm_up() -> None:
    """Let Hypothesis import and measure what it does on its first test, so that no fork has to."""
    from grader.run.suite.cases import Table, cases

    cases(Table.of({}))(lambda case: case.normal(1))()


def _mismatch(course: Any, names: list[str], items: list[Any]) -> str:
    """In a sentence: a check of the metadata without a test function, or the other way round; else empty."""
    from grader.run.plugin import check_of, exercise_of

    found = {(exercise_of(item), check_of(item)) for item in items}
    checks = [(name, check) for name in names for task in course.exercise(name).tasks for check in task.checks]
    listed = {(name, check.name) for name, check in checks if not (course.released and check.hidden)}
    for exercise, check in sorted(found - listed):
        return (
            f"tests/exercises/test_{exercise}.py has test_{check}, but solutions/{exercise}.toml does not list {check}"
        )
    for exercise, check in sorted(listed - found):
        return f"solutions/{exercise}.toml lists {check}, but tests/exercises/test_{exercise}.py has no test_{check}"
    return ""


if __name__ == "__main__":
    die_with_parent()  # while it loads, nobody would look at the control socket
    if os.getppid() == int(sys.argv[2]):
        main(socket.socket(fileno=int(sys.argv[1])))
