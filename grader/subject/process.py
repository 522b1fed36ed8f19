"""One subject process as the grader sees it: a channel, its output, its CPU time, how it ended, and how to end it."""

from __future__ import annotations

import array
import contextlib
import json
import os
import select
import signal
import socket
import struct

import psutil

from grader.errors import EngineError
from grader.subject.limits import Limits

START_SECONDS = 30.0


class SubjectProcess:
    """Forked by a zygote at construction. Use `close` when done."""

    def __init__(self, zygote: socket.socket, limits: Limits) -> None:
        self.channel, theirs = socket.socketpair()
        self.output, output_end = os.pipe()
        self._status, status_end = os.pipe()
        os.set_blocking(self.output, False)
        sent = array.array("i", [theirs.fileno(), output_end, status_end])
        try:
            zygote.sendmsg([json.dumps(limits.for_process()).encode()], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, sent)])
        except OSError as error:
            raise EngineError(f"the zygote process is gone ({error}); start the run again") from error
        finally:
            theirs.close()
            os.close(output_end)
            os.close(status_end)
        self._hello()

    def _hello(self) -> None:
        self.channel.settimeout(START_SECONDS)
        try:
            message, ancillary, _, _ = self.channel.recvmsg(8, socket.CMSG_LEN(4))
        except TimeoutError:
            message, ancillary = b"", []
        if len(message) != 8 or not ancillary:
            raise EngineError("the zygote started no subject; start the run again")
        self.pid = int(struct.unpack("=Q", message)[0])
        (self._pidfd,) = array.array("i", ancillary[0][2][:4])
        self.channel.settimeout(None)
        self._seen: psutil.Process | None = None

    def cpu_seconds(self) -> float:
        """User and system time so far; 0 when the process is gone."""
        with contextlib.suppress(psutil.Error):
            self._seen = self._seen or psutil.Process(self.pid)
            times = self._seen.cpu_times()
            return float(times.user + times.system)
        return 0.0

    def exit_code(self, wait: float = 2.0) -> int | None:
        """As subprocess has it: negative for a signal; None when nobody reported it in time."""
        if select.select([self._status], [], [], wait)[0]:
            data = os.read(self._status, 4)
            if len(data) == 4:
                return int(struct.unpack("=i", data)[0])
        return None

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self.pid, signal.SIGKILL)  # what it may have started; it leads its own session

    def close(self) -> None:
        self.kill()
        self.channel.close()
        for fd in (self.output, self._status, self._pidfd):
            os.close(fd)
