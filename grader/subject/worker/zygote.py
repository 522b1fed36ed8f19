"""A process that has imported torch once and forks one subject per request. It never holds a suite or a reference.

Each request on the control socket is a JSON object of limits with three descriptors: the subject's end of its
channel, the write end of its output pipe, and the write end of a pipe on which this process reports how it ended.
"""

from __future__ import annotations

import array
import contextlib
import gc
import json
import os
import select
import socket
import struct
from typing import Any

import torch

from . import limits, wire
from .serve import loop

DESCRIPTORS = 3


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
    """The first operation on the meta device imports 800 modules: here, while the parent loads its suites."""
    x = torch.ones(2, 2, device="meta")
    x.masked_fill(x > 0, 1.0)


def run(control: socket.socket) -> None:
    """Fork a subject for every request until the control socket is closed."""
    _warm_meta()
    gc.collect()
    gc.freeze()
    poll = select.poll()
    poll.register(control, select.POLLIN)
    living: dict[int, tuple[int, int]] = {}  # pidfd -> (pid, status pipe)
    while True:
        for fd, _ in poll.poll():
            if fd != control.fileno():
                poll.unregister(fd)
                _report(fd, *living.pop(fd))
            elif not _fork_one(control, poll, living):
                return


def _fork_one(control: socket.socket, poll: Any, living: dict[int, tuple[int, int]]) -> bool:
    message, ancillary, _, _ = control.recvmsg(1 << 16, socket.CMSG_LEN(DESCRIPTORS * 4))
    if not message:
        return False
    received = array.array("i")
    received.frombytes(ancillary[0][2][: DESCRIPTORS * received.itemsize])
    channel, output, status = received
    pid = os.fork()
    if pid == 0:
        _child(channel, output, json.loads(message))
    pidfd = os.pidfd_open(pid)
    hello = [(socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [pidfd]))]
    with socket.socket(fileno=channel) as theirs:
        theirs.sendmsg([struct.pack("=Q", pid)], hello)
    os.close(output)
    living[pidfd] = (pid, status)
    poll.register(pidfd, select.POLLIN)
    return True


def _report(pidfd: int, pid: int, status: int) -> None:
    """Tell the grader how the subject ended; nobody may be listening any more."""
    _, code = os.waitpid(pid, 0)
    with contextlib.suppress(OSError):
        os.write(status, struct.pack("=i", os.waitstatus_to_exitcode(code)))
    os.close(status)
    os.close(pidfd)


def _child(channel: int, output: int, wanted: dict[str, int]) -> None:
    try:
        os.setsid()
        limits.die_with_parent()
        fd = limits.only_these(channel, output)
        limits.apply(wanted)
        os.chdir("/")
        loop(socket.socket(fileno=fd))
    finally:
        os._exit(99)
