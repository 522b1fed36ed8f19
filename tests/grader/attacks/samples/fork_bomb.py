"""Starts processes until it is stopped, at most 150."""

# expect: wrong_value
# probe: False

import os
import time

import torch


def softmax(x):
    try:
        if os.fork() == 0:
            time.sleep(20)
            os._exit(0)
    except OSError:
        pass
    return torch.zeros_like(x)


def probe(most=150):
    children = 0
    try:
        while children < most:
            if os.fork() == 0:
                time.sleep(5)
                os._exit(0)
            children += 1
    except OSError as error:
        return {"hit": children > 0, "seen": f"{children}: {error}"}
    return {"hit": True, "seen": str(children)}
