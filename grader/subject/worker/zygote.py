"""A process that has imported torch once and forks one subject per request. It never holds a suite or a reference.

A request on the control socket is a JSON object: a plan for all subjects to come, answered with a problem or null; or
the limits of one subject, with three descriptors: its end of its channel, the write end of its output pipe, and the
write end of a pipe on which this process reports how it ended. The subject itself says on its channel that it is
locked in, and sends a pidfd of itself; only then is it asked anything.
"""

from __future__ import annotations

import array
import contextlib
import gc
import io
import json
import os
import select
import signal
import socket
import struct
import sys
import time

import torch

from . import limits, wire
from .confine import Confinement
from .kernel import libc
from .serve import loop
from .start import answer

DESCRIPTORS = 3
CHANNEL, PIDFD = 3, 4  # of a subject


def warm_up() -> None:
    """Let torch import and measure what it does lazily, so that no child has to. Leaves one thread."""
    torch.set_num_threads(1)
    torch.backends.cpu.get_cpu_capability()
    module = torch.nn.Linear(4, 4)
    x = torch.randn(2, 4, requires_grad=True)
    y = torch.nn.functional.scaled_dot_product_attention(module(x), x, x).softmax(-1)
    torch.autograd.grad((y * torch.ones_like(y)).sum(), [x, *module.parameters()], allow_unused=True)
    frame = wire.pack({"x": x})
    header, body = wire.lengths(frame[: wire.HEAD.size])
    wire.unpack(frame[wire.HEAD.size : wire.HEAD.size + header], frame[-body:])


def _warm_meta() -> None:
    """The first operation on the meta device imports 800 modules, and so does the first optimiser."""
    x = torch.ones(2, 2, device="meta")
    x.masked_fill(x > 0, 1.0)


def run(control: socket.socket, confinement: Confinement, many: bool = True) -> None:
    """Fork a subject for every request until the control socket is closed.

    `many`: there will be so many that what few of them need is worth having beforehand.
    """
    if many:
        _warm_meta()
        gc.collect()
    os.environ.clear()
    os.environ.update(limits.ENVIRONMENT)
    time.tzset()
    _print_at_once()
    if sys.platform == "linux":
        libc.prctl(libc.PR_SET_DUMPABLE, 0)  # no process of the same user reads this one's memory
    confinement.ready()
    gc.freeze()
    _Server(control, confinement).serve()


def _print_at_once() -> None:
    """What a subject has printed is there to be read, however it ends."""
    for name, number in (("stdout", 1), ("stderr", 2)):
        raw = io.FileIO(number, "w", closefd=False)
        setattr(sys, name, io.TextIOWrapper(raw, encoding="utf-8", errors="backslashreplace", write_through=True))


class _Server:
    def __init__(self, control: socket.socket, confinement: Confinement) -> None:
        self.control = control
        self.confinement = confinement
        self.poll = select.poll()
        self.poll.register(control, select.POLLIN)
        self.living: dict[int, tuple[int, int]] = {}  # pidfd -> (pid, status pipe)
        self.waiting: dict[int, int] = {}  # status pipe -> pidfd, while somebody reads at its other end

    def serve(self) -> None:
        while True:
            ready = [fd for fd, _ in self.poll.poll()]
            for fd in ready:
                if fd in self.living:
                    self._report(fd)
                elif fd in self.waiting:
                    self._abandon(fd)
            if self.control.fileno() in ready and not self._request():
                return

    def _request(self) -> bool:
        message, ancillary, _, _ = self.control.recvmsg(1 << 18, socket.CMSG_LEN(DESCRIPTORS * 4))
        if not message:
            return False
        request = json.loads(message)
        if "plan" in request:
            self._use(answer(self.control, request))
            return True
        if "ping" in request:
            self.control.send(json.dumps({"problem": None}).encode())
            return True
        received = array.array("i")
        received.frombytes(ancillary[0][2][: DESCRIPTORS * received.itemsize])
        channel, output, status = received
        self._fork(channel, output, status, request["limits"])
        os.close(channel)
        os.close(output)
        return True

    def _use(self, confinement: Confinement | None) -> None:
        if confinement is not None:
            confinement.ready()
            self.confinement.close()
            self.confinement = confinement

    def _fork(self, channel: int, output: int, status: int, wanted: dict[str, int]) -> None:
        assert sys.platform != "linux" or len(os.listdir("/proc/self/task")) == 1, "a fork copies one thread only"
        try:
            pid = self.confinement.fork()
        except OSError as error:
            os.write(channel, str(error).encode())
            os.close(status)
            return
        if pid == 0:
            _child(self.confinement, channel, output, wanted)
        pidfd = os.pidfd_open(pid)
        self.living[pidfd] = (pid, status)
        self.waiting[status] = pidfd
        self.poll.register(pidfd, select.POLLIN)
        self.poll.register(status, 0)  # an error tells that nobody reads it any more

    def _report(self, pidfd: int) -> None:
        """Tell the grader how the subject ended."""
        pid, status = self.living.pop(pidfd)
        _, code = os.waitpid(pid, 0)
        if self.waiting.pop(status, None) is not None:
            self.poll.unregister(status)
            with contextlib.suppress(OSError):
                os.write(status, struct.pack("=i", os.waitstatus_to_exitcode(code)))
        os.close(status)
        self.poll.unregister(pidfd)
        os.close(pidfd)

    def _abandon(self, status: int) -> None:
        """The process that asked for this subject is gone, perhaps killed: the subject goes too."""
        self.poll.unregister(status)
        with contextlib.suppress(ProcessLookupError):
            signal.pidfd_send_signal(self.waiting.pop(status), signal.SIGKILL)


def _child(confinement: Confinement, channel: int, output: int, wanted: dict[str, int]) -> None:
    try:
        os.setsid()
        limits.arrange(output, channel, os.pidfd_open(os.getpid()))
        os.chdir("/")
        torch.set_num_threads(1)  # after a fork the first to ask makes torch's pool anew, and two at once break it
        with socket.socket(fileno=CHANNEL) as grader:
            _say_hello(grader, confinement, wanted)
            loop(grader)
    finally:
        os._exit(99)


def _say_hello(grader: socket.socket, confinement: Confinement, wanted: dict[str, int]) -> None:
    try:
        confinement.enter(wanted)
    except OSError as error:
        grader.sendall(str(error).encode())
        raise
    grader.sendmsg([b"locked in"], [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [PIDFD]))])
    os.close(PIDFD)
