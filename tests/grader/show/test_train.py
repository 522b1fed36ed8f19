"""`grade show train`: the student's own GPT learns a small text; what goes wrong is said with the student's line."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

TOY = Path(__file__).parents[1] / "data" / "toy"
GPT = '''
import torch
from torch import nn

class GPT(nn.Module):
    """Knows only the last letter, which is enough to learn something."""

    def __init__(self, args):
        super().__init__()
        self.table = nn.Embedding(args.vocab_size, args.vocab_size)

    def forward(self, ids):
        return self.table(ids)
'''


@pytest.fixture
def course(tmp_path: Path) -> Path:
    for name in ("exercises", "solutions"):
        (tmp_path / name).symlink_to(TOY / name) if name == "solutions" else (tmp_path / name).mkdir()
    arguments = "n_embd dim n_heads n_layer dropout vocab_size block_size max_seq_len"
    (tmp_path / "exercises" / "model_args.py").write_text(
        f"from collections import namedtuple\n\nModelArgs = namedtuple('ModelArgs', '{arguments}')\n"
    )
    return tmp_path


def show(course: Path, gpt: str | None, code: int) -> str:
    if gpt is not None:
        (course / "exercises" / "gpt.py").write_text(gpt)
    command = [sys.executable, "-P", "-m", "grader.cli.main", "show", "train", "--seconds", "1"]
    done = subprocess.run(command, cwd=course, capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def test_the_loss_falls_and_the_page_shows_it(course: Path) -> None:
    said = show(course, GPT, 0)
    assert "Before" in said
    assert "After" in said
    assert (course / ".grade" / "training.json").is_file()
    first, last = (float(number) for number in said.split("Loss ")[1].split("  ")[0].split(" to "))
    assert last < first


@pytest.mark.parametrize(
    ("gpt", "says"),
    [
        (None, "gpt.py is missing: `grade reset gpt` brings the stub back"),
        ("class GPT(:\n", "gpt.py raised SyntaxError"),
        ("import torch\n", "defines no GPT"),
        (GPT.replace("self.table(ids)", "self.tabel(ids)"), "(gpt.py, line 13: `return self.tabel(ids)`)"),
        (GPT.replace("return self.table(ids)", "raise NotImplementedError('GPT: write the body')"), "not written yet"),
    ],
)
def test_what_is_missing_or_wrong_is_one_sentence(course: Path, gpt: str | None, says: str) -> None:
    assert says in show(course, gpt, 2)
