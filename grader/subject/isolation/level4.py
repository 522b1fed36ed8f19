"""Level 4: the zygote inside bubblewrap, where little more than torch exists, and a second set of namespaces a subject.

In bubblewrap the zygote makes itself master of a user and a process namespace of its own: so every subject becomes, in
one fork, the first process of its own numbering, in namespaces of its own. Root starts bubblewrap as root, to reach an
interpreter that only root can, and the zygote becomes an ordinary user before it does anything else.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

from grader.language import N_
from grader.subject.isolation import level2
from grader.subject.isolation.closure import NOT_OF_THE_LIBRARY, Closure, closure, keep_apart
from grader.subject.isolation.level import Level, Plan, Refused
from grader.subject.limits import Limits
from grader.subject.process import Zygote
from grader.subject.worker.kernel import landlock, seccomp_table
from grader.subject.worker.limits import ENVIRONMENT

STEPS = ("namespaces", "proc", "limits", "descriptors", "capabilities", "seccomp")
NEEDS = (*level2.NEEDS, "own pids")
THREADS = 64
NOBODY = 65534
PACKAGES, RUNNER = "/site", "/runner"  # inside
OWN_PLACES = [Path(folder, "what stands in it") for folder in (PACKAGES, RUNNER, "/dev")]
WORKER = Path(__file__).parents[1] / "worker"
START = f"from {WORKER.name}.start import main; main()"
REHEARSAL_SECONDS = 30.0
NAMESPACES = ("pid", "net", "ipc", "uts", "cgroup-try")


def plan(hidden: Sequence[Path]) -> Plan:
    if seccomp_table.architecture() is None:
        raise Refused(f"there is no table of system calls for {os.uname().machine}")
    found = closure()
    readable = (*found.library, *found.shared, PACKAGES, *level2.DEVICES)
    steps = (*STEPS, "landlock") if landlock.version() else STEPS  # a second wall here
    return Plan(steps, read=tuple(map(str, readable)), write=(os.devnull,), threads=THREADS)


def start(plan: Plan, hidden: Sequence[Path]) -> Zygote:
    """A zygote in bubblewrap that has locked a child in. It goes on to import torch."""
    program = shutil.which("bwrap")
    if program is None:
        raise Refused("bubblewrap is not installed (the program bwrap)")
    found = closure()
    keep_apart([*found.library, *found.shared, *found.packages.values(), WORKER], hidden)
    problems = []
    for user in ([level2.ORDINARY] if level2.root_can_become(level2.ORDINARY) else []) + [None]:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            zygote = Zygote(ours, _popen(program, found, theirs.fileno(), user))
        problem = zygote.use(plan.message(), Limits(), REHEARSAL_SECONDS)
        if problem is None:
            return zygote
        zygote.close()
        problems.append(problem)
    raise Refused("; ".join(dict.fromkeys(problems)))


def _popen(program: str, found: Closure, control: int, user: int | None) -> subprocess.Popen[bytes]:
    inside = [str(found.python), "-S", "-s", "-P", "-B", "-u", "-c", START, str(control), str(user or "-")]
    options = os.memfd_create("options")
    try:
        os.write(options, b"".join(os.fsencode(word) + b"\0" for word in arguments(found, user)))
        os.lseek(options, 0, os.SEEK_SET)
        return subprocess.Popen(
            [program, "--args", str(options), "--", *inside],
            pass_fds=[control, options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,  # never a file of ours: its path would show inside
            env={**ENVIRONMENT, "PYTHONPATH": f"{PACKAGES}:{RUNNER}"},
            start_new_session=True,
        )
    finally:
        os.close(options)


def arguments(found: Closure, user: int | None) -> Iterator[str]:
    """bubblewrap's options: namespaces one by one, since `--unshare-all` only tries the user namespace.

    `user`: whom the zygote will become, when root starts it; else it is in a user namespace from the beginning.
    """
    yield from (f"--unshare-{name}" for name in NAMESPACES)
    yield from ("--die-with-parent", "--new-session", "--hostname", "sandbox", "--chdir", "/")
    yield from ("--cap-drop", "ALL")
    if user is None:
        yield from ("--unshare-user", "--uid", str(NOBODY), "--gid", str(NOBODY))
    else:
        yield from ("--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID")
        yield from _passable([*found.shared, found.python, *found.library, *OWN_PLACES])
    for path in found.shared:
        if path.is_symlink() and path.parent == Path("/"):
            yield from ("--symlink", os.readlink(path), str(path))
        else:
            yield from _bind(path, path)
    yield from _bind(found.python, found.python)
    for folder in found.library:
        yield from _bind(folder, folder)
        for name in NOT_OF_THE_LIBRARY:
            if (folder / name).is_dir():
                yield from ("--tmpfs", str(folder / name), "--remount-ro", str(folder / name))
    for name, path in found.packages.items():
        yield from _bind(path, Path(PACKAGES, name))
    yield from _bind(WORKER, Path(RUNNER, WORKER.name))
    yield from ("--proc", "/proc")
    for device in (os.devnull, *level2.DEVICES):  # not `--dev`: it brings a writable /dev/shm
        yield from ("--dev-bind", device, device)
    yield from ("--remount-ro", "/")  # last: the root that holds the places of all these


def _passable(places: Sequence[Path]) -> Iterator[str]:
    """The folders on the way there, open to the ordinary user that the zygote will be."""
    for folder in sorted({parent for place in places for parent in place.parents} - {Path("/")}):
        yield from ("--perms", "0755", "--dir", str(folder))


def _bind(source: Path, place: Path) -> tuple[str, str, str]:
    return "--ro-bind", os.path.realpath(source), str(place)


LEVEL = Level(4, N_("bubblewrap and namespaces"), NEEDS, plan, start)
