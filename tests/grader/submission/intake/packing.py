"""Archives and folders as platforms make them, and what comes of taking them in."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from grader.submission.intake.model import Item, Wanted
from grader.submission.intake.roster import Entry
from grader.submission.intake.take import AUTO, take_in
from grader.submission.model import Submission

ATTENTION = "def softmax(x):\n    return x\n\n\ndef attention(q, k, v):\n    return q\n"
MASKING = "def causal_mask(size):\n    return size\n"
STUB = "# the stub\n"
WANTED = Wanted(
    names=("attention", "layer_norm", "masking", "positional_encoding"),
    tasks={"softmax": "attention", "attention": "attention", "causal_mask": "masking", "LayerNorm": "layer_norm"},
    given=frozenset({"model_args.py"}),
    is_stub=lambda name, text: text == STUB,
)
Data = str | bytes


def packed(files: Mapping[str, Data]) -> bytes:
    """The bytes of a .zip. A name that ends in / is a folder."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return buffer.getvalue()


def archive(folder: Path, files: Mapping[str, Data], name: str = "class.zip") -> Path:
    path = folder / name
    path.write_bytes(packed(files))
    return path


def laid_down(folder: Path, files: Mapping[str, Data]) -> Path:
    """The same, as a folder on the disk."""
    for name, data in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not name.endswith("/"):
            path.write_bytes(data.encode() if isinstance(data, str) else data)
        else:
            path.mkdir(exist_ok=True)
    return folder


def both_ways(folder: Path, files: Mapping[str, Data], name: str = "class") -> list[Path]:
    """As it is downloaded, and as it lies there once somebody has unpacked it."""
    return [archive(folder, files, f"{name}.zip"), laid_down(folder / name, files)]


def rows(path: Path, shape: str = AUTO, roster: Sequence[Entry] | None = None) -> dict[str, Submission]:
    return {s.student: s for s in take_in(path, WANTED, shape, roster).submissions}


def texts(submission: Submission) -> dict[str, str | None]:
    return {name: file.text for name, file in submission.files.items()}


def items(files: Mapping[str, Data]) -> list[Item]:
    return [
        Item(path, lambda limit, data=data: data.encode() if isinstance(data, str) else data)
        for path, data in files.items()
    ]
