"""The samples are no straw men: without the walls, or without a process of their own, they get through."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from .conftest import ALL, Bench, bench
from .test_samples import probed

UNWALLED = (
    "read_hidden_files", "import_the_tests", "forged_report", "shadow_modules", "fork_bomb", "network",
    "memory_of_others", "rare_kernel_calls",
)  # fmt: skip
IN_ONE_PROCESS = (
    "tensor_subclass_liar", "patch_torch_comparisons", "broadcast_answer", "exit_with_zero", "frame_and_gc_walk",
)  # fmt: skip

# What a grader without processes would do: run the file, and ask torch whether the answer is right.
NAIVE = """
import json, os, sys, torch
def grader_canary_expected(x):
    return torch.softmax(x, -1)
x = torch.arange(3.0) / 1000  # nearly level
for path in sys.argv[1:]:
    if os.fork() == 0:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        space = {"__name__": "submission"}
        exec(compile(open(path).read(), path, "exec"), space)
        right = torch.allclose(space["softmax"](x), grader_canary_expected(x), atol=1e-2)
        os._exit(0 if right else 1)
    print(json.dumps([path, os.waitstatus_to_exitcode(os.wait()[1])]), flush=True)
"""


@pytest.fixture(scope="module")
def open_bench() -> Iterator[Bench]:
    with bench("0") as made:
        yield made


@pytest.mark.parametrize("name", UNWALLED)
def test_without_the_walls_a_probe_finds_something(open_bench: Bench, name: str) -> None:
    inside = open_bench.ground.work / name  # a subject starts in /, where no test may leave a file
    inside.mkdir()
    moved = replace(ALL[name], text=f"import os\nos.chdir({str(inside)!r})\n{ALL[name].text}")
    assert probed(open_bench, moved)["hit"]


def test_in_one_process_a_wrong_answer_passes() -> None:
    paths = [str(Path(__file__).parent / "samples" / f"{name}.py") for name in (*IN_ONE_PROCESS, "segfault")]
    ran = subprocess.run([sys.executable, "-c", NAIVE, *paths], capture_output=True, text=True, check=True)
    codes = {Path(path).stem: code for path, code in map(json.loads, ran.stdout.splitlines())}
    assert codes == {**dict.fromkeys(IN_ONE_PROCESS, 0), "segfault": -11}
