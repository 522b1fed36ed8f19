"""Puts files beside itself that Python and pytest load by themselves, for the next run."""

# expect: wrong_value
# probe: False
# runs: 2

import builtins
import os

HERE = {os.getcwd(), os.path.dirname(os.path.abspath(__file__))}
NAMES = ("torch.py", "numpy.py", "random.py", "conftest.py", "sitecustomize.py", "x.pth", "pytest.ini")
PATHS = [os.path.join(folder, name) for folder in sorted(HERE) for name in NAMES]
BEFORE = [path for path in PATHS if os.path.exists(path)]
for path in PATHS:
    try:
        with open(path, "x") as file:
            file.write("import builtins; builtins.shadowed = True\n")
    except OSError:
        continue

import torch  # noqa: E402  # the point: after the files are there


def softmax(x):
    return torch.zeros_like(x)


def probe():
    left = [path for path in PATHS if path not in BEFORE and os.path.exists(path)]
    return {"hit": bool(left) or hasattr(builtins, "shadowed"), "seen": str(left)}
