"""Reads from address zero."""

# expect: killed

import ctypes


def softmax(x):
    return ctypes.string_at(0)
