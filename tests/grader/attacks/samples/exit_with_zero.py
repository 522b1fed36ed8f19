"""Says that everything passed, and ends the process with the code of success."""

# ruff: noqa: T201
# expect: exited

import os
import sys


def softmax(x):
    print("6 passed in 0.01s")
    sys.stdout.flush()
    os._exit(0)
