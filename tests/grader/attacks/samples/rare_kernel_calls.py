"""Calls parts of the kernel that few programs use, where bugs live long."""

# expect: wrong_value
# probe: False

import ctypes
import errno
import os
import platform

import torch

NUMBERS = {
    "x86_64": {"bpf": 321, "io_uring_setup": 425, "perf_event_open": 298, "userfaultfd": 323, "keyctl": 250,
               "memfd_create": 319, "ptrace": 101},
    "aarch64": {"bpf": 280, "io_uring_setup": 425, "perf_event_open": 241, "userfaultfd": 282, "keyctl": 219,
                "memfd_create": 279, "ptrace": 117},
}  # fmt: skip


def softmax(x):
    return torch.zeros_like(x)


def probe():
    libc, reached = ctypes.CDLL(None, use_errno=True), []
    for name, number in NUMBERS.get(platform.machine(), {}).items():
        ctypes.set_errno(0)
        result = libc.syscall(number, *[ctypes.c_long(0)] * 5)
        if result >= 0 or ctypes.get_errno() not in (errno.EPERM, errno.ENOSYS):  # else it never saw the arguments
            reached.append(name)
            if result > 2:
                os.close(result)
    return {"hit": bool(reached), "seen": str(reached)}
