"""A quarter of a gigabyte of output at every call."""

# expect: too_much_output | cpu_timeout

import os

import torch


def softmax(x):
    line = b"spam " * 13107 + b"\n"
    for _ in range(4096):
        os.write(1, line)
        os.write(2, b"e")
    return torch.zeros_like(x)
