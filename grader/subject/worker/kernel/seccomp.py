"""Seccomp: a filter that the kernel asks before every system call of this process, in plain bytes of BPF.

A list of what is refused, not of what is allowed: allow lists break with every new C library, and files, processes
and memory have walls of their own.
"""

from __future__ import annotations

import ctypes
import errno
import struct

from .libc import PR_SET_NO_NEW_PRIVS, prctl
from .seccomp_table import DENIED, LAST, architecture, number

LOAD, EQUAL, AT_LEAST, ANY_BIT, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
ALLOW, KILL = 0x7FFF0000, 0x80000000
REFUSE, UNKNOWN = 0x50000 | errno.EPERM, 0x50000 | errno.ENOSYS
PR_SET_SECCOMP, MODE_FILTER = 22, 2

CLONE_THREAD = 0x10000
NEW_NAMESPACES = 0x20000 | 0x2000000 | 0x4000000 | 0x8000000 | 0x10000000 | 0x20000000 | 0x40000000 | 0x80
MAP_SHARED, MAP_ANONYMOUS = 1, 0x20
SIGNAL_OWNERS = (8, 10, 15)  # F_SETOWN, F_SETSIG, F_SETOWN_EX: signals through a descriptor
OWN_PID = 0x5EC0_11D1  # stands in the prepared program where the number of the process will


def prepare() -> bytes:
    """The program, with OWN_PID still to be filled in."""
    found = architecture()
    if found is None:
        raise OSError(errno.ENOSYS, "no table of system calls for this kind of machine")
    code = [_load(4), *_if(EQUAL, found[0], 1, 0), _return(KILL), _load(0)]
    code += [*_if(AT_LEAST, 0x40000000, 0, 1), _return(KILL)]  # the x32 numbers of x86_64
    code += [*_if(AT_LEAST, LAST + 1, 0, 1), _return(UNKNOWN)]
    code += _when("clone3", _return(UNKNOWN))  # the C library then uses clone, whose flags can be read
    code += _when("clone", _argument(0), *_any(NEW_NAMESPACES, REFUSE), *_any(CLONE_THREAD, ALLOW), _return(REFUSE))
    code += _when("mmap", _argument(3), *_none(MAP_ANONYMOUS, ALLOW), *_any(MAP_SHARED, REFUSE), _return(ALLOW))
    for name in ("prlimit64", "sched_setaffinity"):
        code += _when(name, _argument(0), *_is(0, ALLOW), *_is(OWN_PID, ALLOW), _return(REFUSE))
    code += _when("tgkill", _argument(0), *_is(OWN_PID, ALLOW), _return(REFUSE))
    owners = [line for value in SIGNAL_OWNERS for line in _is(value, REFUSE)]
    code += _when("fcntl", _argument(1), *owners, _return(ALLOW))
    for refused in sorted(n[found[1]] or -1 for n in DENIED.values()):
        code += _is(refused, REFUSE) if refused >= 0 else []
    return b"".join([*code, _return(ALLOW)])


def install(program: bytes, pid: int) -> None:
    """From now on, for this process, all its threads to come, and whatever it could start."""
    filled = program.replace(struct.pack("=I", OWN_PID), struct.pack("=I", pid))
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    prctl(PR_SET_SECCOMP, MODE_FILTER, ctypes.byref(_Program(len(filled) // 8, filled)))


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_char_p)]


def _line(code: int, value: int, then: int = 0, otherwise: int = 0) -> bytes:
    return struct.pack("=HBBI", code, then, otherwise, value)


def _load(offset: int) -> bytes:
    return _line(LOAD, offset)


def _argument(index: int) -> bytes:
    """The low half of an argument (little endian)."""
    return _load(16 + 8 * index)


def _return(verdict: int) -> bytes:
    return _line(RETURN, verdict)


def _if(test: int, value: int, skip_when_true: int, skip_when_false: int) -> list[bytes]:
    return [_line(test, value, skip_when_true, skip_when_false)]


def _is(value: int, verdict: int) -> list[bytes]:
    return [*_if(EQUAL, value, 0, 1), _return(verdict)]


def _any(bits: int, verdict: int) -> list[bytes]:
    return [*_if(ANY_BIT, bits, 0, 1), _return(verdict)]


def _none(bits: int, verdict: int) -> list[bytes]:
    return [*_if(ANY_BIT, bits, 1, 0), _return(verdict)]


def _when(name: str, *then: bytes) -> list[bytes]:
    """`then` ends with a return: what follows is reached by the other calls only."""
    return [*_if(EQUAL, number(name), 0, len(then)), *then]
