"""Fills memory, up to 3 GiB."""

# expect: memory | cpu_timeout
# probe: False

import torch


def softmax(x):
    kept = []
    while len(kept) < 48:
        kept.append(torch.ones(16 << 20))
    return torch.zeros_like(x)


def probe():
    kept = []
    try:
        while len(kept) < 48:
            kept.append(torch.empty(16 << 20))
    except (RuntimeError, MemoryError):
        pass
    return {"hit": len(kept) >= 32, "seen": f"{64 * len(kept)} MiB"}
