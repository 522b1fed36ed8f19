"""An exception whose text cannot be read, is 64 MiB long, or never comes; its class has a name of a megabyte."""

# expect: raised

import itertools
import time

calls = itertools.count()


class Angry(Exception):
    def __str__(self):
        kind = next(calls) % 3
        if kind == 0:
            raise RuntimeError("no text for you")
        if kind == 1:
            return "A" * (64 << 20)
        end = time.time() + 30
        while time.time() < end:
            pass
        return ""

    __repr__ = __str__


Angry.__name__ = Angry.__qualname__ = "N" * (1 << 20)


def softmax(x):
    raise Angry
