"""Finds channel and question in the frames of the runner, and answers in its place: one wrong answer, then another."""

# expect: wrong_value | protocol

import socket
import sys

import torch


def softmax(x):
    frame = sys._getframe(1)
    while frame is not None:
        values = frame.f_locals
        channel, number = values.get("channel"), values.get("number")
        if isinstance(channel, socket.socket) and isinstance(number, bytes):
            answer = {"ok": True, "value": {"value": torch.zeros_like(x)}}
            channel.sendall(frame.f_globals["wire"].pack(answer, number))
            break
        frame = frame.f_back
    return torch.zeros_like(x)
