"""Questions that tell the known bugs of the encoder apart.

Everything is asked in float64, where right answers agree to twelve digits. A rate of 1 drops all or nothing, so it
shows dropout without chance. Of a module with more or fewer weights than it should have, only their number is seen.
"""

import functools
from typing import Any

import torch
from torch import Tensor

from exercises.model_args import ModelArgs
from grader.run.suite import Case, Module, Proxy, Table, probe

NETWORKS = Table.of(
    {"kind": "wide in the middle", "dim": 3, "hidden": 5},
    {"kind": "no wider", "dim": 4, "hidden": 4},
    {"kind": "large", "dim": 4, "hidden": 3, "scale": 30.0},
)
RATES = Table.of({"rate": 0.0, "train": True}, {"rate": 1.0}, {"rate": 0.5, "train": True})
MODES = Table.of(
    {"kind": "eval mode"}, {"kind": "train mode, with a mask", "train": True}, {"kind": "faint", "scale": 0.003}
)
ONE = Table.of({})
LIMITS = Table.of({"limit": "block_size"}, {"limit": "max_seq_len"})
PADDING = torch.tensor([[1, 1, 0], [1, 0, 0]])[:, None, None] == 1  # (B, 1, 1, T)
PATTERN = torch.tensor([[1, 1, 0], [0, 1, 1], [1, 0, 1]]) == 1  # (T, T)
PATTERNS = torch.stack([torch.eye(3), torch.ones(3, 3).tril()])[:, None].long()  # (B, 1, T, T)
HEADS = torch.stack([PATTERN, PATTERN.T]).expand(2, 2, 3, 3)  # (B, H, T, T)
MASKS = Table.of({"masks": (PADDING, PATTERN, PATTERNS, HEADS, PADDING.flip(0))}, {"masks": (None, PADDING, None)})


@probe("MLP", NETWORKS)
def mlp(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Values, and the gradients of x and of both matrices."""
    x = case.normal(2, 3, case.dim, scale=case.dims.get("scale", 1.0))
    return _gradients(side, reference, case, x, None, "MLP", case.dim, case.hidden, 0.0)


@probe("MLP", RATES)
def mlp_dropout(side: Proxy, reference: Proxy, case: Case) -> Any:
    """What is dropped of positive numbers: at rate 0, at rate 1 in eval mode, and whole tokens at one half."""
    module, weights = _built(side, reference, case, "MLP", 30, 60, case.rate)
    if module is None:
        return None
    module.load({name: w.abs() for name, w in weights.items()})
    x = case.normal(2, 100, 30).abs()
    plain = module(x.clone())
    if "train" in case.dims:
        module.train()
    value = module(x.clone())
    if case.rate == 0.5:
        ratio = (value / plain).detach()
        lost = (ratio == 0).sum(-1)  # (2, 100)
        whole = bool((lost == 30).any()) and not bool(((lost > 0) & (lost < 30)).any())
        return {"whole tokens": whole, "mean": 0.8 < float(ratio.mean()) < 1.2, "kinds": _kinds(side, module, x)}
    left_alone = torch.equal(module.inputs_after(x.clone())[0], x)
    return {"something": bool((value == 0).any()), "everything": bool((value == 0).all()), "x": left_alone}


def _kinds(side: Proxy, module: Module, x: Tensor) -> str:
    """Of equal tokens: whether they lose the same values, in one row, in all, or in every call."""
    x = x[:1, :1].repeat(2, 20, 1)
    first = module(x.clone())
    side.seed += 1
    second = module(x.clone())
    side.seed -= 1
    module.eval()
    if torch.allclose(first, module(x.clone())):
        return "none or of their own"
    if torch.equal(first, second):
        return "the same in every call"
    if len(first[0].unique(dim=0)) == 1:
        return "the same for all tokens"
    return "the same in every row" if torch.equal(first[0], first[1]) else "none or of their own"


@probe("EncoderLayer", MODES)
def encoder_layer(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Values, and the gradients of x and of every weight."""
    x, mask = case.normal(2, 3, 4, scale=case.dims.get("scale", 1.0)), PATTERN if "train" in case.dims else None
    return _gradients(side, reference, case, x, mask, "EncoderLayer", _args())


@probe("EncoderLayer", MASKS)
def encoder_layer_masks(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Every kind of mask; and none, before and after one."""
    return _values(side, reference, case, "EncoderLayer", _args(), *case.masks)


@probe("EncoderLayer", LIMITS)
def encoder_layer_limits(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Whether one of these sizes limits x: with which error is open."""
    return _limited(side, reference, case, "EncoderLayer")


@probe("EncoderLayer", ONE)
def encoder_layer_dropout(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Eval and train mode at rate 1, and what is left of x."""
    return _modes(side, reference, case, "EncoderLayer", _args(dropout=1.0))


@probe("Encoder", MODES)
def encoder(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Values of three layers, and the gradients of x and of every weight."""
    x, mask = case.normal(2, 3, 4, scale=case.dims.get("scale", 1.0)), PATTERN if "train" in case.dims else None
    return _gradients(side, reference, case, x, mask, "Encoder", _args(n_layer=3))


@probe("Encoder", MASKS)
def encoder_masks(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Every kind of mask; and none, before and after one."""
    return _values(side, reference, case, "Encoder", _args(n_layer=2), *case.masks)


@probe("Encoder", LIMITS)
def encoder_limits(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Whether one of these sizes limits x: with which error is open."""
    return _limited(side, reference, case, "Encoder")


@probe("Encoder", ONE)
def encoder_dropout(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Eval and train mode at rate 1, and what is left of x."""
    return _modes(side, reference, case, "Encoder", _args(dropout=1.0, n_layer=1))


@probe("Encoder", ONE)
def final_norm(side: Proxy, reference: Proxy, case: Case) -> Any:
    """With silent layers: what is left of a faint x."""
    args = _args(n_layer=1)
    module, weights = _built(side, reference, case, "Encoder", args)
    if module is None:
        return None
    silent = {name: w * 0 if name.startswith("layers.") else w for name, w in weights.items()}
    module.load(silent, _form(reference, "Encoder", args)[1])
    module.to(torch.float64)
    return module(case.normal(2, 3, 4, scale=0.003).double())


@probe("Encoder", ONE)
def encoder_heights(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The number of weights of a low and of a high stack, and what stands where PyTorch does not look."""
    low, high = (side.construct("Encoder", _args(n_layer=n)) for n in (1, 5))
    return {"low": _numbers(low), "high": _numbers(high), "hidden": [what for _, what in low.unregistered()]}


def _args(**more: Any) -> ModelArgs:
    return ModelArgs(n_embd=4, dim=4, n_heads=2, **more)


def _gradients(
    side: Proxy, reference: Proxy, case: Case, x: Tensor, mask: Tensor | None, task: str, *made_with: Any
) -> Any:
    """The output, the gradient of x, and for every weight w one number: its gradient along w.

    That is how the gradients of a module come that is filled by load_weights.
    """
    module, weights = _built(side, reference, case, task, *made_with)
    if module is None:
        return _numbers(side.construct(task, *made_with))
    module.to(torch.float64)
    if "train" in case.dims:
        module.train()
    given = (x.double(),) if task == "MLP" else (x.double(), mask)
    along = weights if module.adapted else {}
    found = module.gradients(*given, cotangents=[case.normal(*x.shape).double()], directions=along)
    slopes = [_slope(found.weights.get(name), w) for name, w in weights.items()]
    return {"value": found.value, "x": found.inputs[0], "slopes": torch.stack(slopes)}


def _slope(gradient: Tensor | None, weight: Tensor) -> Tensor:
    if gradient is None:
        return torch.zeros((), dtype=torch.float64)
    return gradient if gradient.dim() == 0 else (gradient * weight.double()).sum()


def _values(side: Proxy, reference: Proxy, case: Case, task: str, args: ModelArgs, *masks: Tensor | None) -> Any:
    module, _ = _built(side, reference, case, task, args)
    if module is None:
        return None
    module.to(torch.float64)
    x = case.normal(2, 3, 4).double()
    return [module(x.clone(), mask) for mask in masks]


def _limited(side: Proxy, reference: Proxy, case: Case, task: str) -> Any:
    module, _ = _built(side, reference, case, task, _args(n_layer=1, **{case.limit: 2}))
    if module is None:
        return None
    module.to(torch.float64)
    try:
        return module(case.normal(2, 3, 4).double())
    except Exception:
        return "an error"


def _modes(side: Proxy, reference: Proxy, case: Case, task: str, args: ModelArgs) -> Any:
    """Dropout is required in the attention alone, so the network is silent in train mode."""
    module, weights = _built(side, reference, case, task, args)
    if module is None:
        return _numbers(side.construct(task, args))
    module.to(torch.float64)
    x = case.normal(2, 3, 4).double()
    seen = [module.inputs_after(x.clone())[0], module(x.clone())]
    silent = {name: w * 0 if "feed_forward" in name else w for name, w in weights.items()}
    module.load(silent, _form(reference, task, args)[1])
    module.train()
    return [*seen, module(x.clone())]


def _built(side: Proxy, reference: Proxy, case: Case, task: str, *made_with: Any) -> tuple[Module | None, Any]:
    """The module and the case's weights in it; no module if it has another number of weights."""
    shapes, tree = _form(reference, task, *made_with)
    module, weights = side.construct(task, *made_with), case.weights(shapes)
    if task == "MLP":
        module(case.normal(1, 1, made_with[0]))  # layers that do not fit say so here, before they are filled
    if _numbers(module) != sum(w.numel() for w in weights.values()):
        return None, weights
    module.load(weights, tree)
    return module, weights


def _numbers(module: Module) -> int:
    return sum(torch.Size(p.shape).numel() for p in module.parameters() if p.requires_grad)


@functools.cache
def _form(reference: Proxy, task: str, *made_with: Any) -> tuple[dict[str, tuple[int, ...]], dict[str, str]]:
    """The shapes of the weights by their names, and where the parts that are tasks stand."""
    module = reference.construct(task, *made_with)
    return {p.name: p.shape for p in module.parameters()}, module.tree()
