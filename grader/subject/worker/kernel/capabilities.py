"""Give up every capability, for good."""

from __future__ import annotations

import contextlib
import ctypes
import struct

from .libc import PR_GET_NO_NEW_PRIVS, call, prctl

PR_CAPBSET_DROP = 24
VERSION_3 = 0x20080522
LAST = 63  # the kernel knows fewer; the first unknown one ends the loop
SETS = 24  # bytes: effective, permitted and inheritable, twice
_OWN = struct.pack("=Ii", VERSION_3, 0)


def drop_all() -> None:
    """Without CAP_SETPCAP the bounding set stays as it is; there is then nothing to raise from it either."""
    with contextlib.suppress(OSError):
        for capability in range(LAST + 1):
            prctl(PR_CAPBSET_DROP, capability)
    call("capset", _OWN, bytes(SETS))


def none_left() -> bool:
    """Whether this process has no capability, and cannot get one by starting a program."""
    found = ctypes.create_string_buffer(SETS)
    call("capget", _OWN, found)
    return found.raw == bytes(SETS) and call("prctl", PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1
