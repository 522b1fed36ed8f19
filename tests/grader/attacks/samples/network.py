"""Connects to a listener of the grader's, to send out what it knows."""

# expect: wrong_value
# probe: False

import socket

import torch


def softmax(x):
    return torch.zeros_like(x)


def probe(port):
    reached = []
    for family, kind, host in (
        (socket.AF_INET, socket.SOCK_STREAM, "127.0.0.1"),
        (socket.AF_INET6, socket.SOCK_STREAM, "::1"),
        (socket.AF_INET, socket.SOCK_DGRAM, "127.0.0.1"),
    ):
        try:
            with socket.socket(family, kind) as one:
                one.settimeout(0.5)
                one.connect((host, port))
                reached.append(host)
        except OSError:
            continue
    return {"hit": bool(reached), "seen": str(reached)}
