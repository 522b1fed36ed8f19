"""A list a hundred thousand deep, one that holds itself, and one with a million entries."""

# expect: result_too_large | wrong_type | killed | raised

import itertools

calls = itertools.count()


def softmax(x):
    kind = next(calls) % 3
    if kind == 0:
        nested = []
        for _ in range(100_000):
            nested = [nested]
        return nested
    if kind == 1:
        own = []
        own.append(own)
        return own
    return [0] * 1_000_000
