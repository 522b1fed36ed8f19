"""Namespaces of one's own: process numbers, mounts, network, users, shared memory, host name."""

from __future__ import annotations

import ctypes
import os

from .libc import PR_SET_DUMPABLE, call, prctl

NEWNS, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET = 0x20000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REC, MS_PRIVATE = 1, 2, 4, 8, 1 << 14, 1 << 18


def unshare(flags: int) -> None:
    call("unshare", flags)


def enter(fd: int, kind: int) -> None:
    """Go (back) to the namespace that `fd` names."""
    call("setns", fd, kind)


def unshare_user(others: int) -> None:
    """A user namespace with this one user and group in it, under the numbers they have outside, and `others`."""
    uid, gid = os.getuid(), os.getgid()
    prctl(PR_SET_DUMPABLE, 1)  # else the maps belong to root
    unshare(NEWUSER | others)
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as file:
            file.write(text)


def own_mounts() -> None:
    """Nothing mounted from here on is seen outside this mount namespace."""
    _mount(None, "/", None, MS_REC | MS_PRIVATE, None)


def cover(folder: str) -> None:
    """Hide a folder behind an empty one that cannot be written."""
    _mount("tmpfs", folder, "tmpfs", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, "size=4k")


def _mount(source: str | None, target: str, kind: str | None, flags: int, data: str | None) -> None:
    source_, target_, kind_, data_ = (None if t is None else os.fsencode(t) for t in (source, target, kind, data))
    call("mount", source_, target_, kind_, ctypes.c_ulong(flags), data_)
