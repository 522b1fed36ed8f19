"""Sleeps longer for a 1 than for a 0: a duration that is shown tells a hidden input, bit by bit."""

# ruff: noqa: T201
# expect: wrong_value

import time

import torch


def softmax(x):
    positive = int(float(x.flatten()[0]) > 0)
    time.sleep(0.01 + 0.05 * positive)
    print("input:", x.flatten().tolist())
    return torch.zeros_like(x)
