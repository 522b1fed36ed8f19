"""Looks for an open folder, which would lead to the whole disk, or an open file."""

# expect: wrong_value
# probe: False

import os
import stat

import torch


def softmax(x):
    return torch.zeros_like(x)


def probe():
    found = []
    for descriptor in range(1024):
        try:
            mode = os.fstat(descriptor).st_mode
        except OSError:
            continue
        if stat.S_ISDIR(mode) or stat.S_ISREG(mode):
            found.append([descriptor, stat.filemode(mode)])
    return {"hit": bool(found), "seen": str(found)}
