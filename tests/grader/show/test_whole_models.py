"""`grade show continuation` and `grade show pretrained` on right files of a student's."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from grader.catalogue.load import load_course
from grader.catalogue.stubs import as_submission

ROOT = Path(__file__).parents[3]
COURSE = load_course(ROOT)


@pytest.fixture(scope="module")
def course(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A student's folder in which everything is written."""
    folder = tmp_path_factory.mktemp("student")
    (folder / "solutions").symlink_to(ROOT / "solutions")
    (folder / "exercises").mkdir()
    for name in COURSE.names:
        text = as_submission(COURSE.reference_path(name).read_text("utf-8"))
        (folder / "exercises" / f"{name}.py").write_text(text, "utf-8")
    for given in ("model_args.py", "vocabulary.txt"):
        (folder / "exercises" / given).write_bytes((ROOT / "exercises" / given).read_bytes())
    return folder


@pytest.fixture(scope="module")
def checkpoint(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small random GPT-2, and a tokenizer that knows bytes only."""
    import torch
    from transformers import GPT2Config, GPT2LMHeadModel

    folder = tmp_path_factory.mktemp("gpt2")
    letters = [chr(i) for i in range(33, 127)] + ["\u0120"]  # the last is GPT-2's way to write a space
    vocabulary = {letter: number for number, letter in enumerate([*letters, "<|endoftext|>"])}
    (folder / "vocab.json").write_text(json.dumps(vocabulary), "utf-8")
    (folder / "merges.txt").write_text("#version: 0.2\n", "utf-8")
    torch.manual_seed(0)
    end = vocabulary["<|endoftext|>"]
    sizes = {"vocab_size": len(vocabulary), "n_positions": 64, "n_embd": 32, "n_layer": 2, "n_head": 4}
    model = GPT2LMHeadModel(GPT2Config(**sizes, bos_token_id=end, eos_token_id=end))
    for parameter in model.parameters():  # biases and norms as they begin would hide a mistake
        torch.nn.init.normal_(parameter, std=0.3)
    model.save_pretrained(folder)
    (folder / "tokenizer_config.json").write_text('{"tokenizer_class": "GPT2Tokenizer"}', "utf-8")
    return folder


def show(course: Path, *arguments: str, code: int = 0) -> str:
    command = [sys.executable, "-P", "-m", "grader.cli.main", "show", *arguments]
    done = subprocess.run(command, cwd=course, capture_output=True, text=True)
    assert done.returncode == code, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def test_the_notes_script_runs_on_the_students_own_files(course: Path) -> None:
    said = show(course, "continuation", "--text", "注意力就是这样", "--steps", "10")
    assert said.startswith("注意力就是这样")
    assert len(said.splitlines()[0]) > len("注意力就是这样")
    assert said == show(course, "continuation", "--text", "注意力就是这样", "--steps", "10")


def test_a_folder_without_a_vocabulary_is_refused(course: Path, tmp_path: Path) -> None:
    assert "has no vocab.txt" in show(course, "continuation", "--tokenizer", str(tmp_path), code=2)


def test_the_vocabulary_of_a_bert_folder_is_read(course: Path, tmp_path: Path) -> None:
    (tmp_path / "vocab.txt").write_bytes((ROOT / "exercises" / "vocabulary.txt").read_bytes())
    text = ("--text", "注意力就是这样")
    given = show(course, "continuation", *text)
    assert show(course, "continuation", *text, "--tokenizer", str(tmp_path)) == given


def test_real_weights_go_into_the_students_gpt(course: Path, checkpoint: Path) -> None:
    said = show(course, "pretrained", "--model", str(checkpoint), "--text", "to be", "--steps", "5")
    assert said.startswith("to be")
    apart = float(said.split("from transformers: ")[1].split()[0].rstrip("."))
    assert apart < 1e-4


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ((), "No checkpoint is named. A GPT-2 checkpoint is a folder with"),
        (("--model", "nowhere"), "There is no folder 'nowhere'"),
        (("--model", "."), "'.' has no config.json"),
    ],
)
def test_what_is_missing_is_said(course: Path, arguments: tuple[str, ...], says: str) -> None:
    assert says in show(course, "pretrained", *arguments, code=2)
