"""Questions that tell the known bugs of the decoder apart.

Everything is asked in float64, where right answers agree to twelve digits. A rate of 1 drops all or nothing, so it
shows dropout without chance. Of a module with more or fewer weights than it should have, only their number is seen.
"""

import functools
from typing import Any

import torch
from torch import Tensor

from exercises.model_args import ModelArgs
from grader.run.suite import Case, Module, Proxy, Table, probe

T, S = 3, 5  # the source is longer than max_seq_len, which is 4
MODES = Table.of(
    {"kind": "eval mode"}, {"kind": "train mode, with a mask", "train": True}, {"kind": "faint", "scale": 0.003}
)
ONE = Table.of({})
LIMITS = Table.of({"T": 3, "S": 2}, {"T": 2, "S": 3})
PADDING = torch.tensor([[1, 1, 1, 0, 0], [1, 0, 0, 0, 0]])[:, None, None] == 1  # (B, 1, 1, S)
PATTERN = torch.tensor([[1, 1, 0, 0, 0], [0, 1, 1, 0, 1], [0, 0, 1, 1, 1]]) == 1  # (T, S)
PATTERNS = torch.stack([PATTERN.roll(2, 1), ~PATTERN])[:, None].long()  # (B, 1, T, S)
HEADS = torch.stack([PATTERN, PATTERN.roll(1, 1)]).expand(2, 2, T, S)  # (B, H, T, S)


@probe("DecoderLayer", MODES)
def decoder_layer(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Values, and the gradients of both inputs and of every weight."""
    return _gradients(side, reference, case, "DecoderLayer", _args())


@probe("DecoderLayer", ONE)
def decoder_layer_masks(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Padding, other padding, a pattern a row, one a head, then no mask and another source, and a shorter target."""
    return _values(side, reference, case, "DecoderLayer", _args())


@probe("DecoderLayer", LIMITS)
def decoder_layer_limits(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Whether block_size limits target or source: with which error is open."""
    return _limited(side, reference, case, "DecoderLayer")


@probe("DecoderLayer", ONE)
def decoder_layer_equal_lengths(side: Proxy, reference: Proxy, case: Case) -> Any:
    """As many source tokens as target tokens, in eval and train mode at rate 1, and what is left of the inputs."""
    return _equal_lengths(side, reference, case, "DecoderLayer", _args(dropout=1.0))


@probe("Decoder", MODES)
def decoder(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Values of three layers, and the gradients of both inputs and of every weight."""
    return _gradients(side, reference, case, "Decoder", _args(n_layer=3))


@probe("Decoder", ONE)
def decoder_masks(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Padding, other padding, a pattern a row, one a head, then no mask and another source, and a shorter target."""
    return _values(side, reference, case, "Decoder", _args(n_layer=2))


@probe("Decoder", LIMITS)
def decoder_limits(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Whether block_size limits target or source: with which error is open."""
    return _limited(side, reference, case, "Decoder")


@probe("Decoder", ONE)
def decoder_equal_lengths(side: Proxy, reference: Proxy, case: Case) -> Any:
    """As many source tokens as target tokens, in eval and train mode at rate 1, and what is left of the inputs."""
    return _equal_lengths(side, reference, case, "Decoder", _args(dropout=1.0, n_layer=1))


@probe("Decoder", ONE)
def final_norm(side: Proxy, reference: Proxy, case: Case) -> Any:
    """With silent layers: what is left of a faint x."""
    args = _args(n_layer=1)
    module, weights = _built(side, reference, case, "Decoder", args)
    if module is None:
        return None
    silent = {name: w * 0 if name.startswith("layers.") else w for name, w in weights.items()}
    module.load(silent, _form(reference, "Decoder", args)[1])
    x, source = _inputs(case)
    return module(0.003 * x, source)


@probe("Decoder", ONE)
def decoder_heights(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The number of weights of a low and of a high stack, and what stands where PyTorch does not look."""
    low, high = (side.construct("Decoder", _args(n_layer=n)) for n in (1, 5))
    return {"low": _numbers(low), "high": _numbers(high), "hidden": [what for _, what in low.unregistered()]}


def _args(**more: Any) -> ModelArgs:
    return ModelArgs(n_embd=4, dim=4, n_heads=2, max_seq_len=4, **more)


def _gradients(side: Proxy, reference: Proxy, case: Case, task: str, args: ModelArgs) -> Any:
    """The output, the gradients of x and enc_out, and for every weight w one number: its gradient along w.

    That is how the gradients of a module come that is filled by load_weights.
    """
    module, weights = _built(side, reference, case, task, args)
    if module is None:
        return _numbers(side.construct(task, args))
    if "train" in case.dims:
        module.train()
    x, source = _inputs(case)
    x = x * case.dims.get("scale", 1.0)
    mask, along = PATTERN if "train" in case.dims else None, weights if module.adapted else {}
    cotangent = case.normal(2, T, 4).double()
    found = module.gradients(x, source, mask, cotangents=[cotangent], directions=along)
    slopes = [_slope(found.weights.get(name), w) for name, w in weights.items()]
    return {"value": found.value, "x": found.inputs[0], "enc_out": found.inputs[1], "slopes": torch.stack(slopes)}


def _slope(gradient: Tensor | None, weight: Tensor) -> Tensor:
    if gradient is None:
        return torch.zeros((), dtype=torch.float64)
    return gradient if gradient.dim() == 0 else (gradient * weight.double()).sum()


def _values(side: Proxy, reference: Proxy, case: Case, task: str, args: ModelArgs) -> Any:
    module, _ = _built(side, reference, case, task, args)
    if module is None:
        return None
    x, source = _inputs(case)
    masks = (PADDING, PADDING.flip(0), PATTERNS, HEADS)
    asked = (*((source, mask) for mask in masks), (source.flip(1, 2), None))
    return [*(module(x.clone(), other.clone(), mask) for other, mask in asked), module(x[:, :2].clone(), source)]


def _limited(side: Proxy, reference: Proxy, case: Case, task: str) -> Any:
    module, _ = _built(side, reference, case, task, _args(block_size=2, n_layer=1))
    if module is None:
        return None
    try:
        return module(case.normal(2, case.T, 4).double(), case.normal(2, case.S, 4).double())
    except Exception:
        return "an error"


def _equal_lengths(side: Proxy, reference: Proxy, case: Case, task: str, args: ModelArgs) -> Any:
    """Dropout is required in the attentions alone, so the network is silent in train mode."""
    module, weights = _built(side, reference, case, task, args)
    if module is None:
        return None
    x, source = _inputs(case, length=T)
    mask = PADDING[..., :T]
    left = module.inputs_after(x.clone(), source.clone(), mask)[:2]
    seen = [module(x.clone(), source.clone(), mask), module(x.clone(), source)]
    silent = {name: w * 0 if "feed_forward" in name else w for name, w in weights.items()}
    module.load(silent, _form(reference, task, args)[1])
    module.train()
    return [*left, *seen, module(x.clone(), source.clone())]


def _inputs(case: Case, length: int = S) -> tuple[Tensor, Tensor]:
    return case.normal(2, T, 4).double(), case.normal(2, length, 4).double()


def _built(side: Proxy, reference: Proxy, case: Case, task: str, args: ModelArgs) -> tuple[Module | None, Any]:
    """The module in float64, and the case's weights in it; no module if it has another number of weights."""
    shapes, tree = _form(reference, task, args)
    module, weights = side.construct(task, args), case.weights(shapes)
    if _numbers(module) != sum(w.numel() for w in weights.values()):
        return None, weights
    module.load(weights, tree)
    module.to(torch.float64)
    return module, weights


def _numbers(module: Module) -> int:
    return sum(torch.Size(p.shape).numel() for p in module.parameters() if p.requires_grad)


@functools.cache
def _form(reference: Proxy, task: str, args: ModelArgs) -> tuple[dict[str, tuple[int, ...]], dict[str, str]]:
    """The shapes of the weights by their names, and where the parts that are tasks stand."""
    module = reference.construct(task, args)
    return {p.name: p.shape for p in module.parameters()}, module.tree()
