"""Resource limits and descriptors of this process, and what it starts with."""

from __future__ import annotations

import contextlib
import fcntl
import os
import sys

from .kernel import libc

try:
    import resource
except ImportError:  # Windows
    resource = None  # type: ignore[assignment]

STACK = 8 << 20  # what Linux gives by default; elsewhere endless recursion in C would end differently
SPARE = 100  # where descriptors wait while 0 to 4 are arranged

# All that a subject finds in its environment, at every level. One thread: a forked child of a process that has used
# more would hang.
ENVIRONMENT = {
    "PATH": "/usr/bin",
    "HOME": "/",
    "LANG": "C.UTF-8",
    "TZ": "UTC0",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "4",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    "CUDA_VISIBLE_DEVICES": "",
    "TORCHINDUCTOR_CACHE_DIR": "/",  # torch makes this folder when it is imported; this one is there
}


def apply(limits: dict[str, int]) -> None:
    """Set what this system knows of: memory (bytes), cpu (s), file (bytes), files (number).

    Also, where given, address (bytes already mapped, beyond which `memory` counts) and threads (of this user).
    """
    wanted = {
        "RLIMIT_DATA": limits["memory"],
        "RLIMIT_CPU": limits["cpu"],
        "RLIMIT_FSIZE": limits["file"],
        "RLIMIT_NOFILE": limits["files"],
        "RLIMIT_CORE": 0,
        "RLIMIT_MEMLOCK": 0,
        "RLIMIT_MSGQUEUE": 0,
        "RLIMIT_STACK": STACK,
    }
    if "address" in limits:
        wanted["RLIMIT_AS"] = limits["address"] + limits["memory"]
    if "threads" in limits:
        wanted["RLIMIT_NPROC"] = limits["threads"]
    for name, value in wanted.items():
        with contextlib.suppress(AttributeError, ValueError, OSError):
            number = getattr(resource, name)
            ceiling = resource.getrlimit(number)[1]
            value = value if ceiling == resource.RLIM_INFINITY else min(value, ceiling)
            resource.setrlimit(number, (value, value))


def measured(limits: dict[str, int]) -> dict[str, bool]:
    """What the kernel now reports, not what was asked for."""
    if resource is None:
        return {"memory": False, "cpu": False, "files": False}

    def holds(number: int, value: int) -> bool:
        soft, hard = resource.getrlimit(number)
        return 0 <= soft <= value and 0 <= hard <= value

    return {
        "memory": sys.platform == "linux" and holds(resource.RLIMIT_DATA, limits["memory"]),
        "cpu": holds(resource.RLIMIT_CPU, limits["cpu"]),
        "files": holds(resource.RLIMIT_FSIZE, limits["file"]) and holds(resource.RLIMIT_NOFILE, limits["files"]),
    }


def address_space() -> int:
    """Bytes mapped by this process (Linux)."""
    with open("/proc/self/statm", encoding="ascii") as file:
        return int(file.read().split()[0]) * os.sysconf("SC_PAGE_SIZE")


def tasks_of_this_user() -> int:
    """Processes and threads that count against the user's limit now (Linux)."""
    found = 0
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            if os.stat(f"/proc/{name}").st_uid == os.getuid():
                found += len(os.listdir(f"/proc/{name}/task"))
    return found


def die_with_parent() -> None:
    """When the process that forked this one ends, so does this one (Linux)."""
    if sys.platform == "linux":
        libc.die_with_parent()


def arrange(output: int, *more: int) -> None:
    """Standard input from /dev/null, both outputs into `output`, and `more` from descriptor 3 on."""
    null = os.open(os.devnull, os.O_RDONLY)
    waiting = [fcntl.fcntl(fd, fcntl.F_DUPFD, SPARE) for fd in (null, output, output, *more)]
    for place, fd in enumerate(waiting):
        os.dup2(fd, place)
        os.close(fd)


def highest_descriptor() -> int:
    """Ask before the limit on them is lowered. Where there is no close_range, closing takes as many system calls."""
    return min(os.sysconf("SC_OPEN_MAX"), 1 << 16)
