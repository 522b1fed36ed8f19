"""Opens the memory and the descriptors of other processes, the one it was forked from first."""

# expect: wrong_value
# probe: False

import ctypes
import os

import torch

PIDFD_GETFD = 438


def softmax(x):
    return torch.zeros_like(x)


def probe(*pids):
    libc, reached = ctypes.CDLL(None, use_errno=True), []
    for pid in {os.getppid(), *pids, *range(1, 100)} - {0, os.getpid()}:
        try:
            os.close(os.open(f"/proc/{pid}/mem", os.O_RDWR))
            reached.append(f"memory of {pid}")
        except OSError:
            pass
        try:
            process = os.pidfd_open(pid)
            if libc.syscall(PIDFD_GETFD, process, 3, 0) >= 0:
                reached.append(f"a descriptor of {pid}")
            os.close(process)
        except (OSError, AttributeError):
            pass
    return {"hit": bool(reached), "seen": str(reached[:6])}
