"""The C library through ctypes, with errors as OSError."""

from __future__ import annotations

import ctypes
import os
from typing import Any

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS, PR_GET_NO_NEW_PRIVS = 1, 4, 38, 39
SIGKILL = 9

_libc = ctypes.CDLL(None, use_errno=True) if os.name == "posix" else None


def call(name: str, *arguments: Any) -> int:
    """The C function `name`. Python integers cross as C ints; wider ones come as ctypes objects."""
    result = int(getattr(_libc, name)(*arguments))
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{name}: {os.strerror(number)}")
    return result


def syscall(number: int, *arguments: Any) -> int:
    """A system call that the C library may have no function for."""
    return call("syscall", *_wide(number, *arguments))


def prctl(option: int, *values: Any) -> None:
    call("prctl", option, *_wide(*values, *(0,) * (4 - len(values))))


def die_with_parent() -> None:
    """When the process that forked this one ends, so does this one."""
    prctl(PR_SET_PDEATHSIG, SIGKILL)


def _wide(*values: Any) -> list[Any]:
    return [ctypes.c_long(v) if isinstance(v, int) else v for v in values]
