"""Level 2: a process that shuts itself off by Landlock and seccomp. Needs no rights, no namespaces and no program."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from grader.language import N_
from grader.subject.isolation import level1
from grader.subject.isolation.closure import closure, keep_apart
from grader.subject.isolation.level import Level, Plan, Refused
from grader.subject.worker.kernel import landlock, seccomp_table

STEPS = ("limits", "descriptors", "capabilities", "landlock", "seccomp")
NEEDS = (
    *level1.NEEDS,
    "environment",
    "no proc",
    "no rights",
    "hidden files",
    "read-only",
    "network",
    "signals",
    "processes",
    "kernel",
    "shared memory",
)
DEVICES = ("/dev/urandom", "/dev/random")
THREADS = 256
ORDINARY = 61000  # whom root becomes: a number that no system gives to anybody


def plan(hidden: Sequence[Path]) -> Plan:
    if seccomp_table.architecture() is None:
        raise Refused(f"there is no table of system calls for {os.uname().machine}")
    if not landlock.version():
        raise Refused("the kernel has no Landlock, or it is switched off")
    found = closure()
    read = [path for folder in found.library for path in found.entries(folder)]
    read += [*found.shared, *found.packages.values()]
    keep_apart(read, hidden)
    names = {*found.library, *(path.parent for path in found.packages.values())}
    return Plan(
        STEPS,
        read=(*map(str, read), *DEVICES),
        names=tuple(sorted(map(str, names))),
        write=(os.devnull,),
        threads=THREADS,
        user=ORDINARY if root_can_become(ORDINARY) and all(map(_open_to_others, read)) else None,
    )


def root_can_become(user: int) -> bool:
    """This process is root, and knows more users than that one: in a container it may not."""
    if os.geteuid() != 0:
        return False
    ranges = [line.split() for line in Path("/proc/self/uid_map").read_text("ascii").splitlines()]
    return any(int(first) <= user < int(first) + int(count) for first, _, count in ranges)


def _open_to_others(path: Path) -> bool:
    real = Path(os.path.realpath(path))
    return all(parent.stat().st_mode & 0o001 for parent in real.parents) and bool(real.stat().st_mode & 0o004)


LEVEL = Level(2, N_("Landlock and seccomp"), NEEDS, plan)
