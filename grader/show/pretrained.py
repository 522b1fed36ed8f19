"""Real GPT-2 weights in the student's own GPT: it continues a text, and its logits are held against transformers'."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from grader.errors import UsageError
from grader.language import N_
from grader.show.student import Files

NEEDED = ("config.json", ("model.safetensors", "pytorch_model.bin"), ("tokenizer.json", "vocab.json"))
HOW = N_(
    "A GPT-2 checkpoint is a folder with config.json, model.safetensors, vocab.json and merges.txt. Fetch one where "
    "there is a network, for instance `hf download openai-community/gpt2 --local-dir gpt2`, then call "
    "`grade show pretrained --model gpt2`."
)
TEXT = "The most important part of a Transformer is"


@dataclass(frozen=True)
class Continued:
    """`apart`: the largest difference of a logit from transformers' on the prompt."""

    text: str
    apart: float
    parameters: int


def checked(folder: str | None) -> Path:
    """The folder, if all is in it. UsageError that says what is missing."""
    if folder is None:
        raise UsageError(f"No checkpoint is named. {HOW}")
    path = Path(folder)
    if not path.is_dir():
        raise UsageError(f"There is no folder {folder!r}. {HOW}")
    for names in NEEDED:
        alternatives = (names,) if isinstance(names, str) else names
        if not any((path / name).is_file() for name in alternatives):
            raise UsageError(f"{folder!r} has no {' / '.join(alternatives)}. {HOW}")
    return path


def continued(files: Files, folder: Path, text: str, steps: int) -> Continued:
    """The student's GPT with the weights of `folder` continues `text` greedily."""
    gpt, load = files.get("gpt", "GPT"), files.get("pretrained", "load_gpt2")
    settings = files.get("model_args", "ModelArgs")
    theirs, tokenizer = _loaded(folder)
    config = theirs.config
    with files.running("load_gpt2"):
        mine = gpt(
            settings(
                n_embd=config.n_embd,
                dim=config.n_embd,
                n_heads=config.n_head,
                n_layer=config.n_layer,
                dropout=0.0,
                vocab_size=config.vocab_size,
                block_size=config.n_positions,
                max_seq_len=config.n_positions,
            )
        )
        load(mine, theirs.state_dict())
    ids = torch.tensor([tokenizer(text)["input_ids"]])  # (1, T)
    with torch.no_grad(), files.running("your GPT"):
        mine.eval()
        apart = float((mine(ids) - theirs(ids).logits).abs().max())
        for _ in range(steps):
            following = mine(ids[:, -config.n_positions :])[:, -1].argmax(-1, keepdim=True)  # (1, 1)
            ids = torch.cat([ids, following], dim=1)
    return Continued(tokenizer.decode(ids[0]), apart, sum(p.numel() for p in mine.parameters()))


def _loaded(folder: Path) -> tuple[Any, Any]:
    from transformers import AutoTokenizer, GPT2LMHeadModel

    try:
        model = GPT2LMHeadModel.from_pretrained(str(folder), local_files_only=True)
        model.eval()  # type: ignore[no-untyped-call]
        return model, AutoTokenizer.from_pretrained(str(folder), local_files_only=True)
    except Exception as error:
        raise UsageError(f"{folder} cannot be loaded as a GPT-2 checkpoint ({error}). {HOW}") from error
