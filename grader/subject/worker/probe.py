"""Try, from inside a subject, what must not work there. True means: closed, limited, clean.

Nothing here trusts the plan: every answer is what this process saw when it tried.
"""

from __future__ import annotations

import contextlib
import errno
import mmap
import os
import resource
import secrets
import socket
import stat
import threading
from collections.abc import Callable, Iterator
from typing import Any

from . import limits
from .kernel import capabilities, libc, seccomp_table

GIGABYTE = 1 << 30
MANY_THREADS, MANY_FILES = 400, 200
SMALL_STACK = 64 << 10
PTRACE_ATTACH, NOBODY = 16, 0x7FFFFFF0
FOLDERS = ("/", "/usr", "/etc", "/tmp", "/var/tmp", "/dev/shm", "/run")
DOORS = ("bpf", "io_uring_setup", "perf_event_open", "userfaultfd", "keyctl", "memfd_create")


def run(
    limit: dict[str, int], hidden: list[str], folders: list[str], port: int, pids: list[int], names: list[str]
) -> dict[str, bool]:
    """What must not be had: the files `hidden`, writing in `folders`, where we listen (`port`), our processes (`pids`).

    The first of `hidden` is the grader's own, which must not be written to either.
    `names`: what the environment of a process of ours may hold.
    """
    inherited = _inherited()  # before anything here opens a file
    return {
        "own process": True,  # it answers, and not from the process that asks
        "own pids": os.getpid() == 1,
        "no proc": _denied(_list_proc),
        "no rights": capabilities.none_left(),
        **limits.measured(limit),
        "memory": _denied(lambda: mmap.mmap(-1, limit["memory"] + 1, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()),
        "shared memory": _all_denied(_shared_memory()),
        "threads": _start_threads() < MANY_THREADS,
        "descriptors": not inherited and _open_files() < MANY_FILES,
        "environment": _environment() <= limits.ENVIRONMENT.keys() | set(names),
        "hidden files": all(_denied(open, path, "rb") for path in hidden),
        "read-only": _all_denied(_writes(hidden[0], [*FOLDERS, *folders])),
        "network": _all_denied(_connections(port)),
        "signals": _all_denied(_signals([p for p in pids if p != os.getpid()])),
        "processes": _all_denied(_processes()),
        "kernel": all(_closed(name) for name in DOORS) and _closed("ptrace", PTRACE_ATTACH, NOBODY),
    }


def _denied(action: Callable[..., Any], *arguments: Any) -> bool:
    try:
        result = action(*arguments)
    except (OSError, ValueError):
        return True
    if hasattr(result, "close"):
        result.close()
    return False


def _all_denied(actions: Iterator[Callable[[], Any]]) -> bool:
    return all(_denied(action) for action in actions)


def _list_proc() -> None:
    if not os.listdir("/proc"):
        raise FileNotFoundError


def _shared_memory() -> Iterator[Callable[[], Any]]:
    yield lambda: mmap.mmap(-1, 2 * GIGABYTE, mmap.MAP_SHARED | mmap.MAP_ANONYMOUS)
    yield lambda: os.close(os.memfd_create("probe"))


def _start_threads() -> int:
    """How many threads could be started, up to MANY_THREADS. All have ended when this returns."""
    enough, started = threading.Event(), []
    before = threading.stack_size(SMALL_STACK)
    with contextlib.suppress(RuntimeError, MemoryError):
        for _ in range(MANY_THREADS):
            thread = threading.Thread(target=enough.wait, daemon=True)
            thread.start()
            started.append(thread)
    enough.set()
    for thread in started:
        thread.join()
    threading.stack_size(before)
    return len(started)


def _inherited() -> list[int]:
    """Open descriptors beyond the standard streams and the channel; and any of them that is a file or a folder."""
    found = []
    for fd in range(1024):
        with contextlib.suppress(OSError):
            kind = os.fstat(fd).st_mode
            if fd > 3 or stat.S_ISDIR(kind) or stat.S_ISREG(kind):
                found.append(fd)
    return found


def _open_files() -> int:
    opened: list[int] = []
    with contextlib.suppress(OSError):
        while len(opened) < MANY_FILES:
            opened.append(os.open(os.devnull, os.O_RDONLY))
    for fd in opened:
        os.close(fd)
    return len(opened)


def _environment() -> set[str]:
    """Names in it: Python's view, and what the process was started with, where that can be read."""
    names = set(os.environ)
    with contextlib.suppress(OSError), open("/proc/self/environ", "rb") as file:
        names |= {entry.split(b"=")[0].decode("utf-8", "replace") for entry in file.read().split(b"\0") if entry}
    return names


def _writes(ours: str, folders: list[str]) -> Iterator[Callable[[], Any]]:
    name = f".probe-{secrets.token_hex(8)}"
    for folder in folders:
        yield lambda folder=folder: _create(os.path.join(folder, name))  # type: ignore[misc]
    yield lambda: _create(name)
    yield lambda: os.close(os.open(ours, os.O_WRONLY))
    yield lambda: os.chmod(ours, stat.S_IMODE(os.stat(ours).st_mode))


def _create(path: str) -> None:
    fd = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    os.close(fd)
    os.unlink(path)


def _connections(port: int) -> Iterator[Callable[[], Any]]:
    yield lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    yield lambda: socket.socket(socket.AF_UNIX)
    if port:
        yield lambda: socket.create_connection(("127.0.0.1", port), timeout=1)


def _signals(pids: list[int]) -> Iterator[Callable[[], Any]]:
    for pid in pids:
        yield lambda pid=pid: os.kill(pid, 0)  # type: ignore[misc]
        yield lambda pid=pid: libc.syscall(seccomp_table.number("tgkill"), pid, pid, 0)  # type: ignore[misc]
        yield lambda pid=pid: resource.prlimit(pid, resource.RLIMIT_NOFILE)  # type: ignore[misc]
        yield lambda pid=pid: os.sched_setaffinity(pid, os.sched_getaffinity(pid))  # type: ignore[misc]


def _processes() -> Iterator[Callable[[], Any]]:
    yield _fork
    yield _execute
    yield lambda: libc.call("unshare", 0)


def _fork() -> None:
    pid = os.fork()
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


def _execute() -> None:
    """A program that is not there: whether it may be started is asked before it is looked for."""
    with contextlib.suppress(FileNotFoundError):
        os.execv("/nonexistent", ["nonexistent"])


def _closed(name: str, *arguments: int) -> bool:
    """The kernel does not even look at the arguments."""
    try:
        fd = libc.syscall(seccomp_table.number(name), *(arguments or (0,) * 5))
    except KeyError:
        return False
    except OSError as error:
        return error.errno in (errno.EPERM, errno.ENOSYS)
    with contextlib.suppress(OSError):
        os.close(fd)
    return False
