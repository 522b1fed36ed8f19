"""The zygote stays as it is however many subjects it forks, and no subject outlives whoever asked for it."""

from __future__ import annotations

import os
import resource
import signal
import time
from collections.abc import Iterator

import psutil
import pytest

from grader.errors import EngineError
from grader.run.launch import Launcher
from grader.subject.isolation.ladder import LEVELS
from grader.subject.limits import Limits

from .conftest import WALLED, launcher_of, load

SUBJECTS = 200
SPARE_DESCRIPTORS = 100  # fewer than SUBJECTS: one left open for each would end the zygote


def gone(process: psutil.Process) -> None:
    """It ends, soon."""
    end = time.monotonic() + 10
    while process.is_running() and time.monotonic() < end:
        time.sleep(0.01)
    assert not process.is_running()


def zygote_of(pid: int) -> psutil.Process:
    parent = psutil.Process(pid).parent()
    assert parent is not None
    return parent


@pytest.fixture
def few_descriptors() -> Iterator[None]:
    """For this process and the zygotes it starts."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (len(os.listdir("/proc/self/fd")) + SPARE_DESCRIPTORS, hard))
    yield
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@pytest.mark.parametrize("level", WALLED)
def test_two_hundred_subjects_leave_nothing_behind(level: str, few_descriptors: None) -> None:
    launcher_of(level)
    launcher = Launcher(level)
    launcher.prove()
    sizes, children = [], 0
    try:
        for _ in range(SUBJECTS):
            remote = launcher(Limits())
            zygote = zygote_of(remote.process.pid)
            sizes.append(zygote.memory_info().rss)
            children = max(children, len(zygote.children()))
            remote.close()
    finally:
        launcher.close()
    assert children < 20, "those that have ended are waited for"
    assert sizes[-1] - sizes[20] < 2 << 20


@pytest.mark.parametrize("level", WALLED)
def test_a_subject_dies_when_nobody_waits_for_it_any_more(level: str) -> None:
    launcher = launcher_of(level)
    here, there = os.pipe()
    asker = os.fork()
    if asker == 0:
        try:
            remote = launcher(Limits(call=60))
            load(remote, "def attack():\n    while True:\n        pass\n")
            os.write(there, str(remote.process.pid).encode())
            remote.ask("call", target="attack", args=(), kwargs={})
        finally:
            os._exit(0)
    subject = psutil.Process(int(os.read(here, 20)))
    os.kill(asker, signal.SIGKILL)
    os.waitpid(asker, 0)
    gone(subject)


@pytest.mark.parametrize("level", [*WALLED, "1"])
def test_the_pid_of_a_subject_is_the_one_seen_from_here(level: str) -> None:
    remote = launcher_of(level)(Limits())
    load(remote, "import os, time\ndef attack():\n    end = time.process_time() + 0.3\n"
                 "    while time.process_time() < end:\n        pass\n    return os.getpid()\n")  # fmt: skip
    inside = remote.ask("call", target="attack", args=(), kwargs={})["value"]
    assert inside == (1 if level == "4" else remote.process.pid)
    assert remote.process.cpu_seconds() > 0.2
    process = psutil.Process(remote.process.pid)
    remote.close()
    gone(process)
    assert remote.process.cpu_seconds() == 0.0


@pytest.mark.parametrize("level", [*WALLED, "1"])
@pytest.mark.parametrize(
    ("body", "code"),
    [("os._exit(7)", 7), ("ctypes.string_at(0)", -11), ("signal.raise_signal(signal.SIGKILL)", -9), ("os._exit(0)", 0)],
)
def test_how_a_subject_ended_is_told(level: str, body: str, code: int) -> None:
    if level == "4" and code == -9:
        pytest.skip("the first process of a namespace cannot kill itself")
    remote = launcher_of(level)(Limits())
    load(remote, f"import ctypes, os, signal\ndef attack():\n    {body}\n")
    seen: list[int | None] = []
    told = remote.process.exit_code
    remote.process.exit_code = lambda wait=2.0: seen.append(told(wait)) or seen[-1]  # type: ignore[method-assign,func-returns-value]
    with pytest.raises(BaseException, match=r"ended the whole program|crashed|memory"):
        remote.ask("call", target="attack", args=(), kwargs={})
    assert seen == [code]


def test_a_plan_that_the_kernel_refuses_is_answered_with_its_reason_and_the_old_one_stays() -> None:
    launcher = launcher_of("1")
    assert launcher._zygote is not None
    plan = {**LEVELS["1"].plan([]).message(), "user": -2}
    assert launcher._zygote.use(plan, Limits())
    assert launcher(Limits()).alive


def test_a_zygote_that_is_killed_is_told_and_replaced() -> None:
    launcher = Launcher("1")
    try:
        launcher.prove()
        assert launcher._zygote is not None
        assert launcher._zygote.process is not None
        launcher.still_proven()
        launcher._zygote.process.kill()
        launcher._zygote.process.wait()
        with pytest.raises(EngineError, match="start the run again"):
            launcher(Limits())
        with pytest.raises(EngineError, match="start the run again"):
            launcher.still_proven()
        launcher.revive()
        assert launcher(Limits()).alive
    finally:
        launcher.close()
