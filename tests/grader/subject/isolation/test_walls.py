"""Levels 4 and 2: hostile code reaches nothing outside, and the next honest submission is none the worse for it."""

from __future__ import annotations

import errno
import mmap
import os
import socket
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from grader.run.launch import Launcher
from grader.subject.failure import CheckFailed, SubjectLost
from grader.subject.limits import Limits
from grader.subject.worker.kernel.seccomp_table import number

from .conftest import WALLED, attack, launcher_of

pytestmark = pytest.mark.parametrize("level", WALLED)
Run = Callable[..., Any]

HONEST = """
import torch
def attack(n):
    return torch.softmax(torch.arange(n).float(), -1)
"""

IMPORTS = """
import importlib
def attack(names):
    found = []
    for name in names:
        try:
            importlib.import_module(name)
            found.append(name)
        except (ImportError, PermissionError):
            pass
    return found
"""

OURS = """
import sys
def attack():
    loaded = [n for n, m in sys.modules.items() if n.split(".")[0] in ("grader", "worker", "solutions") and m]
    for name in ("grader", "worker", "solutions", "tests"):
        try:
            __import__(name)
            loaded.append(name)
        except ImportError:
            pass
    return loaded, [p for p in sys.path if "runner" in p], sys.argv
"""

ENVIRONMENT = """
import ctypes, os
def attack():
    block = ctypes.POINTER(ctypes.c_char_p).in_dll(ctypes.CDLL(None), "environ")
    raw = [block[i] for i in range(len(os.environ))] if block else []
    return dict(os.environ), [entry.decode() for entry in raw if entry]
"""

DESCRIPTORS = """
import os, stat
def attack():
    found = []
    for fd in range(2000):
        try:
            found.append([fd, stat.S_IFMT(os.fstat(fd).st_mode)])
        except OSError:
            pass
    return found
"""

SYSTEM_CALLS = """
import ctypes
from ctypes import c_long
def attack(numbers):
    libc = ctypes.CDLL(None, use_errno=True)
    found = []
    for number in numbers:
        ctypes.set_errno(0)
        result = libc.syscall(c_long(number), *[c_long(0)] * 5)
        found.append([number, result, ctypes.get_errno()])
    return found
"""

MEMORY = """
import torch
def attack():
    kept = []
    while True:
        kept.append(torch.empty(1 << 24))
"""

MAPPING = """
import mmap
def attack(flags):
    try:
        mmap.mmap(-1, 3 << 30, flags | mmap.MAP_ANONYMOUS)
    except OSError:
        return "OSError"
    return "done"
"""

THREADS = """
import threading
def attack(n):
    event, count = threading.Event(), 0
    threading.stack_size(65536)
    try:
        for count in range(n):
            threading.Thread(target=event.wait, daemon=True).start()
    except RuntimeError:
        pass
    return count
"""

FILES = """
import os
def attack():
    kept = []
    try:
        while len(kept) < 5000:
            kept.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        pass
    return len(kept)
"""

DEAF = """
import signal
def attack():
    for number in range(1, 65):
        try:
            signal.signal(number, signal.SIG_IGN)
        except (OSError, ValueError):
            pass
    while True:
        pass
"""


@pytest.fixture(autouse=True)
def _honest_work_passes_afterwards(launcher: Launcher, run: Run) -> Iterator[None]:
    yield
    assert float(run(HONEST, 4).sum()) == pytest.approx(1.0)


def refused(body: str, imports: str = "") -> str:
    """Code that tries `body` and says what stopped it; "done" when nothing did."""
    indented = "\n".join(f"        {line}" for line in body.splitlines())
    return f"import os{imports}\ndef attack(*args):\n    try:\n{indented}\n" + (
        "    except (OSError, ValueError, RuntimeError) as e:\n        return type(e).__name__\n    return 'done'\n"
    )


def test_a_canary_beside_the_course_cannot_be_read(run: Run, tmp_path: Path) -> None:
    canary = tmp_path / "canary"
    canary.write_text("CANARY", "utf-8")
    assert run(refused("open(args[0]).read()"), str(canary)) in ("PermissionError", "FileNotFoundError")
    assert run(refused("os.listdir(args[0])"), str(tmp_path)) in ("PermissionError", "FileNotFoundError")


def test_neither_the_course_nor_the_harness_can_be_read(run: Run) -> None:
    for path in (Path(__file__), Path(__file__).parents[4] / "pyproject.toml"):
        assert run(refused("open(args[0]).read()"), str(path)) in ("PermissionError", "FileNotFoundError")


def test_test_tools_cannot_be_imported(run: Run) -> None:
    names = ["pytest", "hypothesis", "click", "grader.run.engine", "grader.results.codes", "solutions.scale"]
    assert run(IMPORTS, names) == []


def test_nothing_of_the_grader_is_loaded_or_importable(run: Run) -> None:
    assert run(OURS) == ([], [], [""])


def test_nothing_can_be_written(run: Run, tmp_path: Path) -> None:
    places = ["/", "/usr/lib", "/tmp", "/var/tmp", "/dev/shm", "/run", "/site", str(tmp_path), os.path.expanduser("~")]
    for place in places:
        assert run(refused("open(os.path.join(args[0], 'mark'), 'w')"), place) != "done", place
    assert run(refused("tempfile.TemporaryFile()", ", tempfile")) == "FileNotFoundError"
    assert list(tmp_path.iterdir()) == []


def test_files_outside_keep_their_mode_times_and_names(run: Run, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("x", "utf-8")
    before = victim.stat()
    for body in (
        "os.chmod(args[0], 0)",
        "os.utime(args[0], (1, 1))",
        "os.truncate(args[0], 0)",
        "os.rename(args[0], args[0] + 'x')",
        "os.unlink(args[0])",
        "os.symlink(args[0], args[0] + 'y')",
        "os.setxattr(args[0], 'user.x', b'1')",
        "os.mkdir(args[0] + 'd')",
    ):
        assert run(refused(body), str(victim)) in ("PermissionError", "FileNotFoundError"), body
    after = victim.stat()
    assert (after.st_mode, after.st_mtime_ns, after.st_size) == (before.st_mode, before.st_mtime_ns, before.st_size)


def test_the_null_device_still_takes_everything(run: Run) -> None:
    assert run(refused("print('x', file=open(os.devnull, 'w'))")) == "done"


def test_a_listener_hears_nothing(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.setblocking(False)
        port = server.getsockname()[1]
        assert run(refused("socket.create_connection(('127.0.0.1', args[0]), 2)", ", socket"), port) != "done"
        assert run(refused("socket.socket(socket.AF_UNIX)", ", socket")) == "PermissionError"
        with pytest.raises(BlockingIOError):
            server.accept()


def test_no_other_process_can_be_touched(run: Run) -> None:
    for body in (
        "os.kill(args[0], 0)",
        "os.pidfd_open(args[0])",
        "resource.prlimit(args[0], resource.RLIMIT_NOFILE)",
        "os.setpriority(os.PRIO_PROCESS, args[0], 19)",
        "os.sched_setaffinity(args[0], [0])",
        "os.sched_setscheduler(args[0], os.SCHED_BATCH, os.sched_param(0))",
        "open(f'/proc/{args[0]}/mem', 'r+b')",
        "open(f'/proc/{args[0]}/environ', 'rb')",
    ):
        assert run(refused(body, ", resource"), os.getpid()) != "done", body


def test_no_process_can_be_started(run: Run) -> None:
    assert run(refused("os.fork()")) == "PermissionError"
    assert run(refused("os.posix_spawn('/bin/true', ['true'], {})")) != "done"
    assert run(refused("os.execv('/bin/true', ['true'])")) in ("PermissionError", "FileNotFoundError")
    assert run(refused("subprocess.run(['/bin/true'])", ", subprocess")) != "done"
    assert run(refused("multiprocessing.Process(target=print).start()", ", multiprocessing")) != "done"


def test_no_daemon_outlives_its_subject(run: Run, tmp_path: Path) -> None:
    mark = tmp_path / "daemon"
    body = "if os.fork() == 0:\n    os.setsid()\n    while True:\n        open(args[0], 'a').write('x')"
    assert run(refused(body), str(mark)) == "PermissionError"
    time.sleep(0.2)
    assert not mark.exists()


def test_the_environment_holds_no_token(level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    launcher_of(level)
    monkeypatch.setenv("COURSE_TOKEN", "CANARY")
    launcher = Launcher(level)
    try:
        names, raw = attack(launcher, ENVIRONMENT)
    finally:
        launcher.close()
    assert names["HOME"] == "/"
    assert not [entry for entry in (*names, *names.values(), *raw) if "TOKEN" in entry or "CANARY" in entry]


def test_only_channel_and_standard_streams_are_open(run: Run) -> None:
    kinds = dict(run(DESCRIPTORS))
    assert set(kinds) == {0, 1, 2, 3}
    assert not set(kinds.values()) & {stat.S_IFDIR, stat.S_IFREG}


def test_rare_doors_of_the_kernel_are_shut(run: Run) -> None:
    names = ["bpf", "io_uring_setup", "perf_event_open", "userfaultfd", "keyctl", "memfd_create", "ptrace", "mount",
             "unshare", "setns", "process_vm_readv", "name_to_handle_at", "shmget", "mq_open"]  # fmt: skip
    for name, (_, result, code) in zip(names, run(SYSTEM_CALLS, [number(name) for name in names]), strict=True):
        assert (result, code) == (-1, errno.EPERM), name
    assert run(SYSTEM_CALLS, [999])[0][2] == errno.ENOSYS


def test_a_memory_bomb_is_a_verdict(run: Run) -> None:
    with pytest.raises(CheckFailed) as caught:
        run(MEMORY, limits=Limits(call=20))
    assert caught.value.code == "memory"


@pytest.mark.parametrize("flags", [mmap.MAP_SHARED, mmap.MAP_PRIVATE])
def test_no_mapping_goes_round_the_limit(run: Run, flags: int) -> None:
    assert run(MAPPING, flags) == "OSError"


def test_a_flood_of_threads_ends_with_its_subject(level: str, launcher: Launcher, run: Run) -> None:
    started = run(THREADS, 1000)
    assert launcher.isolation is not None
    assert not launcher.isolation.features["threads"] or started < 400
    assert level != "4" or started < 64


def test_a_flood_of_descriptors_ends_at_a_small_number(run: Run) -> None:
    assert run(FILES) < 64


def test_signals_that_are_ignored_do_not_help(run: Run) -> None:
    began = time.monotonic()
    with pytest.raises(SubjectLost) as caught:
        run(DEAF, limits=Limits(call=0.3))
    assert caught.value.code == "cpu_timeout"
    assert time.monotonic() - began < 20
