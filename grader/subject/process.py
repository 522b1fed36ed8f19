"""The grader's side of the processes on the student's: the zygote, and one subject.

A subject: a channel, its output, its CPU time, how it ended, and how to end it.
"""

from __future__ import annotations

import array
import contextlib
import json
import os
import select
import signal
import socket
import struct
import subprocess
from dataclasses import dataclass
from typing import Any

import psutil

from grader.errors import EngineError
from grader.subject.limits import Limits

START_SECONDS = 30.0
FIRST_SECONDS = 180.0  # the zygote may still be importing torch, on a busy machine


@dataclass(frozen=True, slots=True)
class Zygote:
    """Its control socket, and its process where it was started by exec."""

    control: socket.socket
    process: subprocess.Popen[bytes] | None = None

    def use(self, plan: dict[str, Any], limits: Limits, seconds: float = FIRST_SECONDS) -> str | None:
        """Lock every later subject in by this plan. What speaks against it, or None once a rehearsal went well."""
        return self._ask({"plan": plan, "limits": limits.for_process()}, seconds)

    def answers(self) -> bool:
        """It is there, and not about to be gone. Not for two at a time: each could read the other's answer."""
        return self._ask({"ping": True}, START_SECONDS) is None

    def is_gone(self) -> bool:
        """Its end of the control socket is closed."""
        poll = select.poll()
        poll.register(self.control, 0)
        return bool(poll.poll(0))

    def _ask(self, message: dict[str, Any], seconds: float) -> str | None:
        self.control.settimeout(seconds)
        try:
            self.control.send(json.dumps(message).encode())
            answer = self.control.recv(1 << 16)
        except OSError:
            answer = b""
        finally:
            self.control.settimeout(None)
        if not answer:
            return self.last_words() or "it ended while starting"
        problem: str | None = json.loads(answer)["problem"]
        return problem

    def last_words(self) -> str:
        """The last line a zygote of its own wrote to its standard error."""
        if self.process is None or self.process.stderr is None:
            return ""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(2)
        os.set_blocking(self.process.stderr.fileno(), False)
        lines = (self.process.stderr.read() or b"").decode("utf-8", "replace").strip().splitlines()
        return lines[-1][:300] if lines else ""

    def close(self) -> None:
        """End it, and with it every subject."""
        self.control.close()
        if self.process is not None:
            self.process.kill()
            self.process.wait()


class SubjectProcess:
    """Ordered from a zygote at construction, which does not wait: `meet` does. Use `close` when done."""

    def __init__(self, zygote: socket.socket, limits: Limits, seconds: float = START_SECONDS) -> None:
        self.channel, theirs = socket.socketpair()
        self.output, output_end = os.pipe()
        self._status, status_end = os.pipe()
        os.set_blocking(self.output, False)
        sent = array.array("i", [theirs.fileno(), output_end, status_end])
        message = json.dumps({"limits": limits.for_process()}).encode()
        try:
            zygote.sendmsg([message], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, sent)])
        except OSError as error:
            raise EngineError(f"the zygote process is gone ({error}); start the run again") from error
        finally:
            theirs.close()
            os.close(output_end)
            os.close(status_end)
        self._patience = seconds
        self._pidfd: int | None = None
        self._pid = -1
        self._seen: psutil.Process | None = None

    def meet(self) -> None:
        """Wait until it is locked in: it says so, and sends a pidfd of itself. EngineError if it never does."""
        if self._pidfd is not None:
            return
        self.channel.settimeout(self._patience)
        try:
            message, ancillary, _, _ = self.channel.recvmsg(2000, socket.CMSG_LEN(4))
        except OSError:
            message, ancillary = b"", []
        if not ancillary and message:
            raise EngineError(f"the subject could not be locked in: {message.decode('utf-8', 'replace')}")
        if not ancillary:
            raise EngineError("the zygote started no subject; start the run again")
        self.channel.setblocking(False)
        (self._pidfd,) = array.array("i", ancillary[0][2][:4])
        self._pid = _pid(self._pidfd)

    @property
    def met(self) -> bool:
        return self._pidfd is not None

    @property
    def pid(self) -> int:
        """As this process knows it; -1 when it is gone."""
        self.meet()
        return self._pid

    def cpu_seconds(self) -> float:
        """User and system time so far; 0 when the process is gone, or was never met."""
        if self._pidfd is None:
            return 0.0
        with contextlib.suppress(psutil.Error, ValueError):
            self._seen = self._seen or psutil.Process(self._pid)
            times = self._seen.cpu_times()
            return float(times.user + times.system)
        return 0.0

    def exit_code(self, wait: float = 2.0) -> int | None:
        """As subprocess has it: negative for a signal; None when nobody reported it in time."""
        if select.select([self._status], [], [], wait)[0]:
            data = os.read(self._status, 4)
            if len(data) < 4:
                raise EngineError("the zygote process ended before its subject; start the run again")
            return int(struct.unpack("=i", data)[0])
        return None

    def kill(self) -> None:
        """It, and all it started. One that was never met is the zygote's to end, once nobody reads its status."""
        if self._pidfd is None:
            return
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            if self._pid > 1:  # below level 2 it may have started others; it leads its own session
                os.killpg(self._pid, signal.SIGKILL)

    def close(self) -> None:
        self.kill()
        if self._pidfd is not None:
            os.close(self._pidfd)
        self.channel.close()
        os.close(self.output)
        os.close(self._status)


def _pid(pidfd: int) -> int:
    """The number by which this process knows the one behind `pidfd`, whatever it calls itself; -1 when it is gone."""
    with open(f"/proc/self/fdinfo/{pidfd}", encoding="ascii") as file:
        return next(int(line.split()[1]) for line in file if line.startswith("Pid:"))
