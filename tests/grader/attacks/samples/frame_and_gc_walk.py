"""Looks for the answer in the callers' frames, among all objects and loaded modules, and returns what that gives."""

# expect: wrong_value
# probe: False

import gc
import sys
import types

import torch

WANTED = ("grader" + "_canary", "CAN" + "ARY")


def hunt():
    gc.unfreeze()  # what was frozen before a fork is hidden from get_objects
    frame, scopes = sys._getframe(1), [vars(m) for m in list(sys.modules.values()) if hasattr(m, "__dict__")]
    while frame is not None:
        scopes += [frame.f_locals, frame.f_globals]
        frame = frame.f_back
    named = [v for scope in scopes for k, v in list(scope.items()) if str(k).startswith(WANTED)]
    objects = [o for o in gc.get_objects() if isinstance(o, types.FunctionType) and o.__name__.startswith(WANTED)]
    return named + objects


def softmax(x):
    for thing in hunt():
        if callable(thing):
            return thing(x)
    return torch.zeros_like(x)


def probe():
    found = hunt()
    return {"hit": bool(found), "seen": str(found)[:200]}
