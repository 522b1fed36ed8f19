"""Notice when the student's code calls what an exercise asks it to write: PyTorch's operators, and whole classes.

Operators are replaced at the dispatcher, below every Python name, thread and mode; classes and Python functions that
show no operator of their own are wrapped before the submission is imported. A call is noted with the student's line,
and refused. Code that looks for the watch can undo it: a note is a strong sign, its absence is no proof.

What a file calls while it is imported is no answer to anything: nobody has asked yet. Many end with a test of their own
against PyTorch, and a refusal there would keep the watch from seeing the rest. So it begins when the import is over.
"""

from __future__ import annotations

import functools
import importlib
import linecache
import sys
import warnings
from collections.abc import Callable
from typing import Any

import torch

from .places import place

OPERATORS = {
    "softmax": ["softmax.int", "log_softmax.int", "_softmax", "_log_softmax", "special_softmax", "special_log_softmax",
                "_safe_softmax", "_masked_softmax"],
    "attention": ["scaled_dot_product_attention", "_scaled_dot_product_flash_attention_for_cpu",
                  "_scaled_dot_product_attention_math", "_native_multi_head_attention"],
    "layer_norm": ["layer_norm", "native_layer_norm", "group_norm", "native_group_norm", "rms_norm", "_fused_rms_norm",
                   "batch_norm", "native_batch_norm", "_native_batch_norm_legit", "_batch_norm_impl_index",
                   "instance_norm"],
    "embedding": ["embedding", "embedding_bag", "_embedding_bag", "_embedding_bag_forward_only"],
    "gelu": ["gelu", "gelu_", "gelu.out"],
}  # fmt: skip
CALLABLES = {
    "attention": ["torch.nn.MultiheadAttention", "torch.nn.functional.multi_head_attention_forward"],
    "transformer": ["torch.nn.Transformer", "torch.nn.TransformerEncoder", "torch.nn.TransformerEncoderLayer",
                    "torch.nn.TransformerDecoder", "torch.nn.TransformerDecoderLayer"],
    "clipping": ["torch.nn.utils.clip_grad_norm_", "torch.nn.utils.clip_grad_value_",
                 "torch.nn.utils.clip_grads_with_norm_", "torch.nn.utils.get_total_norm",
                 "torch.nn.utils.parameters_to_vector", "torch.nn.utils.vector_to_parameters"],
}  # fmt: skip
KEYS = ("CPU", "AutogradCPU")
FAMILIES = frozenset(OPERATORS) | frozenset(CALLABLES)
MAX_NOTES = 20

_notes: list[dict[str, Any]] = []
_libraries: list[Any] = []  # an override lasts as long as its library object
_watching = False


class ForbiddenCall(RuntimeError):
    """Raised into the student's code by a watched operator."""


def prepare(families: list[str]) -> None:
    """Before the submission is imported, since that takes names from torch: they lead to us then."""
    for path in (p for family in families for p in CALLABLES.get(family, [])):
        _wrap(path)


def watch(families: list[str]) -> None:
    """Refuse and note every call of these families in this process, from now on."""
    global _watching
    _watching = True
    library: Any = torch.library.Library("aten", "IMPL")  # type: ignore[no-untyped-call]
    _libraries.append(library)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that a kernel is replaced is the point
        for name in (n for family in families for n in OPERATORS.get(family, [])):
            for key in KEYS:
                library.impl(name, _refusal(name.partition(".")[0]), key)


def notes() -> list[dict[str, Any]]:
    """What was called: `name`, the student's `file`, `line` and `source`, and the definition it is `inside`."""
    return list(_notes)


def _refusal(name: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        line = _students_line()
        if line is not None and len(_notes) < MAX_NOTES:
            _notes.append({"name": name, **line})
        raise ForbiddenCall(f"{name} is what this exercise asks you to write")

    return refuse


def _wrap(path: str) -> None:
    owner_path, _, name = path.rpartition(".")
    owner = importlib.import_module(owner_path)
    original = getattr(owner, name, None)
    if isinstance(original, type):  # subclasses and imported names are reached too
        for method in ("__init__", "forward"):  # the second: of one that was made during the import
            setattr(original, method, _guarded(path, getattr(original, method)))
    elif original is not None:
        guarded = _guarded(path, original)
        for module in list(sys.modules.values()):  # under every name it was imported as
            if getattr(module, "__name__", "").startswith("torch.nn") and vars(module).get(name) is original:
                setattr(module, name, guarded)


def _guarded(name: str, original: Callable[..., Any]) -> Callable[..., Any]:
    refuse = _refusal(name)

    @functools.wraps(original)
    def guarded(*args: Any, **kwargs: Any) -> Any:
        return refuse() if _watching else original(*args, **kwargs)

    return guarded


def _students_line() -> dict[str, Any] | None:
    """The innermost line of a file of theirs; None where a stand-in of ours made the call."""
    frame = sys._getframe(1)
    while frame is not None and not frame.f_code.co_filename.startswith("exercises/"):
        if frame.f_code.co_filename == "<given>":
            return None
        frame = frame.f_back  # type: ignore[assignment]
    if frame is None:
        return {"file": "", "line": 0, "source": "", "inside": ""}
    file, line = frame.f_code.co_filename, frame.f_lineno
    inside = frame.f_code.co_qualname.partition(".")[0]  # the function or class of the file that the line stands in
    source = linecache.getline(file, line).strip()[:200]
    shown, line = place(file, line)
    return {"file": shown, "line": line, "source": source, "inside": inside}
