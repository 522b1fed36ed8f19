"""Two minutes inside one C function that never lets another thread or signal handler run."""

# expect: cpu_timeout

import itertools


def softmax(x):
    return all(itertools.repeat(True, 20 * 10**9))
