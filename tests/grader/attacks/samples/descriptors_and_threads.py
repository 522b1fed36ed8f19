"""Opens files and starts threads until it is stopped."""

# expect: wrong_value
# probe: False

import os
import threading

import torch


def softmax(x):
    return torch.zeros_like(x)


def probe(most_threads):
    files, threads, event = [], 0, threading.Event()
    try:
        while len(files) < 3000:
            files.append(os.open(os.devnull, os.O_RDONLY))
    except OSError:
        pass
    for file in files:
        os.close(file)
    threading.stack_size(65536)
    try:
        while threads < 1000:
            threading.Thread(target=event.wait, daemon=True).start()
            threads += 1
    except (RuntimeError, MemoryError):
        pass
    event.set()
    return {"hit": len(files) >= 2000 or threads >= most_threads, "seen": f"{len(files)} files, {threads} threads"}
