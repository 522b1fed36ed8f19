"""Lock this process in, step by step, before any of the student's code runs.

Which steps is a plan made on the trusted side (grader/subject/isolation). All that can be prepared is prepared once, in
the zygote: after the fork nothing is imported, no path looked up and no filter built.
"""

from __future__ import annotations

import fcntl
import os
from typing import Any

from . import limits
from .kernel import capabilities, landlock, namespaces, seccomp

FIRST_CLOSED = 5  # 0 to 2 are the standard streams, 3 is the channel, 4 this process' own pidfd
HIGH = 100  # prepared descriptors start here, above the ones a subject arranges anew
NAMESPACES = namespaces.NEWNS | namespaces.NEWNET | namespaces.NEWIPC | namespaces.NEWUTS


class Confinement:
    """`plan`: the fields of isolation/level.py's Plan. Raises OSError where the kernel lacks what a step needs."""

    def __init__(self, plan: dict[str, Any]) -> None:
        self.steps = frozenset(plan["steps"])
        self._threads: int | None = plan["threads"]
        self._user: int | None = plan["user"]
        self._used: dict[str, int] = {}
        self._prepared: list[int] = []
        self._highest = limits.highest_descriptor()
        if "namespaces" in self.steps:
            self._own_pids = self._keep(os.open("/proc/self/ns/pid", os.O_RDONLY))
        if "landlock" in self.steps:
            self._rules = self._keep(landlock.ruleset(plan["read"], plan["names"], plan["write"]))
        if "seccomp" in self.steps:
            self._filter = seccomp.prepare()

    def ready(self) -> None:
        """The zygote has everything in memory now: limits on address space and threads count from here."""
        self._used["address"] = limits.address_space()
        if self._threads is not None:  # a user namespace of one's own starts at none
            self._used["threads"] = self._threads + (0 if "namespaces" in self.steps else limits.tasks_of_this_user())

    def fork(self) -> int:
        """As os.fork; with namespaces the child is the first process of a numbering of its own."""
        if "namespaces" not in self.steps:
            return os.fork()
        namespaces.unshare(namespaces.NEWPID)  # of the children to come
        try:
            pid = os.fork()
        except OSError:
            pid = -1
        if pid:
            namespaces.enter(self._own_pids, namespaces.NEWPID)
        if pid < 0:
            raise OSError("fork was refused")
        return pid

    def enter(self, wanted: dict[str, int]) -> None:
        """In the child: the steps, the ones that need the most rights first."""
        if "namespaces" in self.steps:
            self._own_namespaces()
        if self._user is not None:
            become(self._user)
        if "limits" in self.steps:
            limits.apply({**wanted, **self._used})
        if "landlock" in self.steps:
            landlock.restrict_self(self._rules)
        if "capabilities" in self.steps:
            capabilities.drop_all()
        if "descriptors" in self.steps:
            os.closerange(FIRST_CLOSED, self._highest)
        limits.die_with_parent()  # the steps before, a change of user or namespace, would have undone it
        if "seccomp" in self.steps:
            seccomp.install(self._filter, os.getpid())

    def close(self) -> None:
        """Another plan takes over."""
        for fd in self._prepared:
            os.close(fd)

    def _keep(self, fd: int) -> int:
        moved = fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, HIGH)
        os.close(fd)
        self._prepared.append(moved)
        return moved

    def _own_namespaces(self) -> None:
        namespaces.unshare_user(NAMESPACES)
        namespaces.own_mounts()
        if "proc" in self.steps:
            namespaces.cover("/proc")


def become(user: int) -> None:
    """Root gives up being root."""
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)


def rehearse(confinement: Confinement, wanted: dict[str, int]) -> str | None:
    """Lock a child in that does nothing else. The reason why that did not work, or None."""
    here, there = os.pipe()
    try:
        pid = confinement.fork()
    except OSError as error:
        return str(error)
    if pid == 0:
        _rehearse(confinement, wanted, there)
    os.close(there)
    with os.fdopen(here, "rb") as answer:
        problem = answer.read(1000).decode("utf-8", "replace")
    code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    return problem or (None if code == 0 else f"a rehearsal ended with code {code}")


def _rehearse(confinement: Confinement, wanted: dict[str, int], answer: int) -> None:
    try:
        confinement.enter(wanted)
        os._exit(0)
    except OSError as error:
        os.write(answer, str(error).encode())
    finally:
        os._exit(1)
