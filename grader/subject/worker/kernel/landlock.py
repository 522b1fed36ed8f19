"""Landlock: name the files that this process may still open; everything else on any disk is closed to it.

What this kernel's version does not cover (stat, chmod, times) is left to seccomp; see docs/security.md.
"""

from __future__ import annotations

import os
import struct
from collections.abc import Iterable

from .libc import PR_SET_NO_NEW_PRIVS, prctl, syscall

CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # the same number on every architecture
WRITE_FILE, READ_FILE, READ_DIR, TRUNCATE, IOCTL_DEV = 1 << 1, 1 << 2, 1 << 3, 1 << 14, 1 << 15
FIRST_RIGHTS = (1 << 13) - 1
ADDED = {2: 1 << 13, 3: TRUNCATE, 5: IOCTL_DEV}  # by version: moving between folders, truncate, device ioctls
TCP, SCOPES = 3, 3  # bind and connect; signals and abstract sockets to processes outside
OF_FILES = WRITE_FILE | READ_FILE | TRUNCATE | IOCTL_DEV


def version() -> int:
    """Of the kernel's Landlock; 0 where there is none."""
    try:
        return syscall(CREATE_RULESET, None, 0, 1)
    except OSError:
        return 0


def ruleset(read: Iterable[str], names: Iterable[str], write: Iterable[str]) -> int:
    """A descriptor of rules: contents below `read`, names of files below `names`, and the single files of `write`.

    No rule lets a program be executed. Paths that are not there are left out.
    """
    known = version()
    handled = FIRST_RIGHTS | sum(right for since, right in ADDED.items() if known >= since)
    attributes = struct.pack("=Q", handled) + (struct.pack("=Q", TCP) if known >= 4 else b"")
    attributes += struct.pack("=Q", SCOPES) if known >= 6 else b""
    rules = syscall(CREATE_RULESET, attributes, len(attributes), 0)
    for paths, rights in ((read, READ_FILE | READ_DIR), (names, READ_DIR), (write, OF_FILES)):
        for path in paths:
            _allow(rules, path, rights & handled)
    return rules


def restrict_self(rules: int) -> None:
    """From now on, for this process and whatever it starts."""
    prctl(PR_SET_NO_NEW_PRIVS, 1)
    syscall(RESTRICT_SELF, rules, 0)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except FileNotFoundError:
        return
    try:
        allowed = rights if os.path.isdir(path) else rights & OF_FILES
        if allowed:
            syscall(ADD_RULE, rules, 1, struct.pack("=Qi", allowed, fd), 0)
    finally:
        os.close(fd)
