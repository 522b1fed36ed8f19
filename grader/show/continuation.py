"""The notes' last script on the student's own files: tokenise, forward, argmax, append, ten times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import torch

from grader.errors import UsageError
from grader.show.student import Files
from grader.subject.worker.tokenizer import GivenTokenizer

SEED = 0
LONGEST = 512  # positions of the model
TEXT = "自然语言处理的核心是让机器读懂文字。"


def continued(files: Files, tokenizer: Any, text: str, steps: int) -> str:
    """`text` with what an untrained model of the student's appends; the same on every call."""
    build, go_on = files.get("continuation", "build_model"), files.get("continuation", "continue_text")
    settings = files.get("model_args", "ModelArgs")
    torch.manual_seed(SEED)
    with files.running("build_model"):
        model = build(tokenizer, settings(max_seq_len=LONGEST, block_size=LONGEST))
    with files.running("continue_text"):
        return str(go_on(model, tokenizer, text, steps))


def given_tokenizer(vocabulary: Path) -> GivenTokenizer:
    """The course's own, of a few hundred entries."""
    return GivenTokenizer(vocabulary.read_text("utf-8").splitlines())


def bert_tokenizer(folder: Path) -> Any:
    """That of a BERT checkpoint's folder. UsageError if there is no vocabulary in it."""
    if not (folder / "vocab.txt").is_file():
        raise UsageError(
            f"{folder} has no vocab.txt: --tokenizer names the folder of a BERT vocabulary, for instance what "
            "`hf download google-bert/bert-base-chinese vocab.txt --local-dir bert` leaves in bert/."
        )
    from transformers import BertTokenizer

    return BertTokenizer.from_pretrained(str(folder), local_files_only=True)
