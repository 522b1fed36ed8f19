"""Restrict this process for good, before any of the student's code runs. Level 1: resource limits."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys

PR_SET_PDEATHSIG, SIGKILL = 1, 9


def apply(limits: dict[str, int]) -> dict[str, bool]:
    """Set the limits and say which of them hold. `limits`: memory (bytes), cpu (s), file (bytes), files (number)."""
    try:
        import resource
    except ImportError:  # Windows
        return {"memory": False, "cpu": False, "files": False}
    wanted = {
        "RLIMIT_DATA": limits["memory"],
        "RLIMIT_CPU": limits["cpu"],
        "RLIMIT_FSIZE": limits["file"],
        "RLIMIT_NOFILE": limits["files"],
        "RLIMIT_CORE": 0,
    }
    for name, value in wanted.items():
        with contextlib.suppress(AttributeError, ValueError, OSError):
            number = getattr(resource, name)
            ceiling = resource.getrlimit(number)[1]
            value = value if ceiling == resource.RLIM_INFINITY else min(value, ceiling)
            resource.setrlimit(number, (value, value))
    return measured(limits)


def measured(limits: dict[str, int]) -> dict[str, bool]:
    """What the kernel now reports, not what was asked for."""
    import resource

    def holds(number: int, value: int) -> bool:
        soft, hard = resource.getrlimit(number)
        return 0 <= soft <= value and 0 <= hard <= value

    return {
        "memory": sys.platform == "linux" and holds(resource.RLIMIT_DATA, limits["memory"]),
        "cpu": holds(resource.RLIMIT_CPU, limits["cpu"]),
        "files": holds(resource.RLIMIT_FSIZE, limits["file"]) and holds(resource.RLIMIT_NOFILE, limits["files"]),
    }


def die_with_parent() -> None:
    """When the process that forked this one ends, so does this one (Linux)."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, SIGKILL)


def only_these(keep: int, output: int) -> int:
    """Standard input from /dev/null, both outputs into `output`, descriptor 3 for `keep`, everything else closed."""
    null = os.open(os.devnull, os.O_RDONLY)
    kept, out = os.dup2(keep, 198), os.dup2(output, 199)
    os.dup2(null, 0)
    os.dup2(out, 1)
    os.dup2(out, 2)
    os.dup2(kept, 3)
    os.closerange(4, 4096)
    return 3
