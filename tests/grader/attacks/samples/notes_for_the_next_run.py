"""Leaves a note wherever it can, for its next run to find."""

# expect: wrong_value
# probe: False
# runs: 2

import contextlib
import os
import tempfile

import torch

NAME = "note-of-an-earlier-run"
PLACES = ["/tmp", "/var/tmp", "/dev/shm", "/dev/mqueue", "/run/lock", "/", os.path.expanduser("~"), os.getcwd()]
with contextlib.suppress(OSError):
    PLACES.append(tempfile.gettempdir())
PLACES.append(os.path.dirname(os.path.abspath(__file__)))
FOUND = [place for place in PLACES if os.path.exists(os.path.join(place, NAME))]
for place in PLACES:
    try:
        with open(os.path.join(place, NAME), "w") as note:
            note.write("x")
    except OSError:
        continue


def softmax(x):
    return torch.zeros_like(x)


def probe():
    left = [place for place in PLACES if os.path.exists(os.path.join(place, NAME))]
    return {"hit": bool(FOUND or left), "seen": str([FOUND, left])}
