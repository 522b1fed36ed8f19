"""Random bytes into every socket it has."""

# expect: protocol | exited

import os
import random
import stat

import torch


def softmax(x):
    junk = random.Random(1).randbytes(1 << 16)
    for descriptor in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(descriptor).st_mode):
                os.write(descriptor, junk)
        except OSError:
            continue
    return torch.zeros_like(x)
