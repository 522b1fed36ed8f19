"""Start the zygote that subjects are forked from, at the isolation level that the run takes.

A zygote is forked off this process while that holds nothing but torch: one torch import serves both sides. It is
started by exec where the level needs that, or when this process already holds a course.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from grader.errors import EngineError, UsageError
from grader.language import N_
from grader.results.schema import Isolation
from grader.subject.failure import CheckFailed, SubjectLost
from grader.subject.isolation.ladder import candidates
from grader.subject.isolation.level import Level, Refused
from grader.subject.limits import Limits
from grader.subject.process import FIRST_SECONDS, START_SECONDS, SubjectProcess, Zygote
from grader.subject.worker.limits import ENVIRONMENT

if TYPE_CHECKING:
    from grader.subject.remote import Remote

KEPT = ("PATH", "HOME", "USER", "LOGNAME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "LD_LIBRARY_PATH", "HF_HOME")
PACKAGE_PARENT = Path(__file__).resolve().parents[2]


class Launcher:
    """Makes subjects. `begin` early, `prove` before the first submission, then call it.

    `others`: the code is other people's. `fork`: this process holds nothing that a student may not see. `hidden`: what
    must not be readable, a course's folder.
    """

    def __init__(
        self, requested: str = "auto", *, others: bool = False, fork: bool = False, hidden: Sequence[Path] = ()
    ) -> None:
        self.requested = requested
        self.isolation: Isolation | None = None
        self._waiting = candidates(requested, others=others)
        self._downgrades: list[str] = []
        self._may_fork = fork
        self._others = others
        self._hidden = hidden
        self._level: Level | None = None
        self._proven: Level | None = None
        self._tried_again = False
        self._secrets: Sequence[Path] = ()
        self._zygote: Zygote | None = None
        self._plain: Zygote | None = None  # one whose subjects lock themselves in, by whatever plan

    def begin(self) -> None:
        """Start a zygote for the best level that starts at all."""
        while self._level is None:
            level = self._waiting.pop(0)
            try:
                self._zygote = self._start(level)
                self._level = level
            except Refused as reason:
                self._give_up(level, str(reason))

    def prove(self, secrets: Sequence[Path] = ()) -> Isolation:
        """Measure in a real subject what holds there, and keep to it. `secrets`: files that must not open."""
        self._secrets = secrets
        while self.isolation is None:
            self.begin()
            self._may_fork = False  # from here on a course may be loaded
            assert self._level is not None
            level, self._level = self._level, None
            features, reason = self._measured(level)
            if reason:
                if not features and not self._tried_again:  # a process was lost, perhaps by accident
                    self._tried_again = True
                    self.close()
                    self._waiting.insert(0, level)
                    continue
                if self._zygote is not self._plain or (self._plain and self._plain.is_gone()):
                    self.close()
                self._give_up(level, reason)
                continue
            self._proven = level
            self.isolation = Isolation(
                level=level.number, name=level.name, requested=self.requested,
                features=features, downgrades=self._downgrades,
            )  # fmt: skip
        return self.isolation

    def __call__(self, limits: Limits) -> Remote:
        """A new subject, locked in."""
        if self.isolation is None:
            self.prove()
        return self._subject(limits)

    def still_proven(self) -> Isolation:
        """What the self-test found, if the zygote of that time is still there: else no verdict may stand on it."""
        if self.isolation is None or self._zygote is None or self._zygote.is_gone():
            raise EngineError("the zygote process is gone; start the run again")
        return self.isolation

    def revive(self) -> None:
        """If the zygote is gone, put a new one in its place, at the same level."""
        if self._zygote is not None and self._proven is not None and not self._zygote.answers():
            self.close()
            self.isolation = None
            self._waiting = [self._proven]
            self.prove(self._secrets)

    def close(self) -> None:
        """End the zygotes, and with them every subject."""
        if self._plain is not None and self._plain is not self._zygote:
            self._plain.close()
        if self._zygote is not None:
            self._zygote.close()
        self._zygote = self._plain = None

    def _subject(self, limits: Limits, seconds: float = START_SECONDS) -> Remote:
        from grader.subject.remote import Remote

        assert self._zygote is not None
        return Remote(SubjectProcess(self._zygote.control, limits, seconds), limits)

    def _measured(self, level: Level) -> tuple[dict[str, bool], str]:
        """What the self-test found, and why that is not this level, or nothing."""
        from grader.run.probe import measure

        try:
            features = measure(self._subject(Limits(), FIRST_SECONDS), self._secrets, self._hidden)
        except (EngineError, SubjectLost, CheckFailed) as error:
            words = self._zygote.last_words() if self._zygote else ""
            return {}, f"{error} {words}".strip()
        missing = level.missing(features)
        return features, f"the self-test could not confirm: {', '.join(missing)}" if missing else ""

    def _start(self, level: Level) -> Zygote:
        plan = level.plan(self._hidden)
        if level.start is not None:
            return level.start(plan, self._hidden)
        self._plain = self._plain or (forked_zygote(self._others) if self._may_fork else exec_zygote())
        problem = self._plain.use(plan.message(), Limits())
        if problem is not None:
            raise Refused(problem)
        return self._plain

    def _give_up(self, level: Level, reason: str) -> None:
        if self.requested != "auto":
            raise UsageError(f"Isolation level {level.number} is not to be had on this machine: {reason}.")
        if not self._waiting:
            raise EngineError(f"no process of its own can be started for a submission: {reason}")
        self._downgrades.append(N_(f"not level {level.number}: {reason}"))


def forked_zygote(many: bool = True) -> Zygote:
    """A fork of this process. Call it before any suite or reference is loaded. `many` subjects will be asked for."""
    from grader.subject.worker import start, zygote
    from grader.subject.worker.limits import die_with_parent, highest_descriptor

    zygote.warm_up()
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    if os.fork() == 0:
        try:
            die_with_parent()
            os.setsid()
            control = os.dup2(theirs.fileno(), 3)
            os.closerange(4, highest_descriptor())
            start.serve(socket.socket(fileno=control), many)
        finally:
            os._exit(0)
    theirs.close()
    return Zygote(ours)


def exec_zygote() -> Zygote:
    """A fresh interpreter that imports torch for itself."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    code = "from grader.subject.worker.start import main; main()"
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-P", "-c", code, str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            env=warm_environment(),
            start_new_session=True,
        )
    return Zygote(ours, process)


def warm_environment() -> dict[str, str]:
    """For processes that import torch and are forked later. Nothing of the caller's but what finds files and words."""
    return {
        **{name: os.environ[name] for name in KEPT if name in os.environ},
        **{name: value for name, value in ENVIRONMENT.items() if name not in KEPT},
        "PYTHONPATH": str(PACKAGE_PARENT),
        "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        "HYPOTHESIS_STORAGE_DIRECTORY": os.devnull,  # nothing is stored, and nothing can be
    }


def can_fork() -> bool:
    """Whether this system has what the warm processes need."""
    return hasattr(os, "fork") and hasattr(os, "pidfd_open") and hasattr(socket, "AF_UNIX")
