"""The primitives: numbers of system calls against the kernel's own headers, the filter, the rules for files."""

from __future__ import annotations

import errno
import os
import re
import struct
from collections.abc import Callable
from pathlib import Path

import pytest

from grader.subject.worker import limits
from grader.subject.worker.kernel import capabilities, landlock, libc, seccomp, seccomp_table

HEADERS = {
    "x86_64": (Path("/usr/include/x86_64-linux-gnu/asm/unistd_64.h"), 0),
    "generic": (Path("/usr/include/asm-generic/unistd.h"), 1),
}
TABLE = {**seccomp_table.DENIED, **seccomp_table.LOOKED_AT}


def in_a_child(action: Callable[[], None]) -> int:
    """0 when `action` returned, the number of the OSError it raised, 255 for anything else."""
    pid = os.fork()
    if pid == 0:
        code = 255
        try:
            action()
            code = 0
        except OSError as error:
            code = error.errno or 254
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


@pytest.mark.parametrize("name", HEADERS)
def test_numbers_are_those_of_the_kernel_headers(name: str) -> None:
    path, column = HEADERS[name]
    if not path.is_file():
        pytest.skip(f"{path} is not here: the headers of the kernel are not installed")
    known = {n: int(v) for n, v in re.findall(r"#define __NR(?:3264)?_(\w+)\s+(\d+)", path.read_text("utf-8"))}
    assert len(known) > 250
    ours = {call: numbers[column] for call, numbers in TABLE.items()}
    assert {c: n for c, n in ours.items() if c in known and known[c] != n} == {}


def test_no_number_stands_twice_and_none_is_newer_than_the_last() -> None:
    for column in (0, 1):
        numbers = [n[column] for n in TABLE.values() if n[column] is not None]
        assert len(numbers) == len(set(numbers))
        assert max(numbers) <= seccomp_table.LAST


def test_the_filter_is_whole_instructions_and_every_jump_stays_inside() -> None:
    program = seccomp.prepare()
    lines = list(struct.iter_unpack("=HBBI", program))
    assert program.count(struct.pack("=I", seccomp.OWN_PID)) == 3
    for at, (code, then, otherwise, _) in enumerate(lines):
        if code in (seccomp.EQUAL, seccomp.AT_LEAST, seccomp.ANY_BIT):
            assert max(at + 1 + then, at + 1 + otherwise) < len(lines)
    assert lines[-1][0] == seccomp.RETURN


def test_the_filter_lets_threads_and_own_signals_through_and_no_process() -> None:
    def threads() -> None:
        import signal
        import threading

        seccomp.install(seccomp.prepare(), os.getpid())
        thread = threading.Thread(target=lambda: None)
        thread.start()
        thread.join()
        signal.signal(signal.SIGUSR1, lambda *_: None)
        signal.raise_signal(signal.SIGUSR1)

    def process() -> None:
        seccomp.install(seccomp.prepare(), os.getpid())
        os.fork()

    assert in_a_child(threads) == 0
    assert in_a_child(process) == errno.EPERM


def test_a_system_call_newer_than_the_table_is_unknown() -> None:
    def newer() -> None:
        seccomp.install(seccomp.prepare(), os.getpid())
        libc.syscall(seccomp_table.LAST + 1)

    assert in_a_child(newer) == errno.ENOSYS


@pytest.mark.skipif(not landlock.version(), reason="the kernel has no Landlock")
def test_rules_open_contents_names_and_single_files_each_on_their_own(tmp_path: Path) -> None:
    for folder in ("contents", "names"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "file").write_text("x", "utf-8")
    (tmp_path / "single").write_text("x", "utf-8")

    def tried(action: Callable[[], object]) -> int:
        def restricted() -> None:
            rules = landlock.ruleset(
                [str(tmp_path / "contents"), "/not/there"], [str(tmp_path / "names")], [str(tmp_path / "single")]
            )
            landlock.restrict_self(rules)
            action()

        return in_a_child(restricted)

    assert tried(lambda: (tmp_path / "contents" / "file").read_bytes()) == 0
    assert tried(lambda: os.listdir(tmp_path / "contents")) == 0
    assert tried(lambda: os.listdir(tmp_path / "names")) == 0
    assert tried(lambda: (tmp_path / "single").write_text("y", "utf-8")) == 0
    assert tried(lambda: (tmp_path / "names" / "file").read_bytes()) == errno.EACCES
    assert tried(lambda: (tmp_path / "contents" / "file").write_text("y", "utf-8")) == errno.EACCES
    assert tried(lambda: (tmp_path / "contents" / "new").touch()) == errno.EACCES
    assert tried(lambda: os.listdir(tmp_path)) == errno.EACCES
    assert tried(lambda: os.execv("/bin/true", ["true"])) == errno.EACCES


def test_capabilities_are_gone_for_good() -> None:
    def drop() -> None:
        libc.prctl(libc.PR_SET_NO_NEW_PRIVS, 1)
        capabilities.drop_all()
        if not capabilities.none_left():
            raise OSError(errno.EINVAL, "something is left")

    assert in_a_child(drop) == 0


def test_tasks_of_this_user_counts_at_least_this_one() -> None:
    assert limits.tasks_of_this_user() >= 1


def test_arranged_descriptors_are_the_given_ones_whatever_their_numbers(tmp_path: Path) -> None:
    (tmp_path / "out").touch()

    def arranged() -> None:
        read, write = os.pipe()
        os.dup2(write, 3)  # the very number that another one is to get
        limits.arrange(os.open(tmp_path / "out", os.O_WRONLY), read, 3)
        os.write(4, b"through the pipe")
        os.write(1, os.read(3, 100))
        if os.read(0, 1):
            raise OSError(errno.EINVAL, "standard input is not empty")

    assert in_a_child(arranged) == 0
    assert (tmp_path / "out").read_text("utf-8") == "through the pipe"
