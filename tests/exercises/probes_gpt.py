"""Questions that tell the known bugs of GPT-2 apart.

Everything is asked in float64, where right answers agree to twelve digits. Of a module with more or fewer weights than
it should have, only their number is seen.
"""

import functools
from typing import Any

import torch
from torch import Tensor

from exercises.model_args import ModelArgs
from grader.run.suite import Case, Module, Proxy, Table, probe

B, T, V = 2, 4, 7
SIZES = {"n_embd": 4, "dim": 4, "n_heads": 2, "vocab_size": V, "max_seq_len": 5, "block_size": 6}
ONE = Table.of({})
MODES = Table.of({"kind": "eval mode"}, {"kind": "train mode", "train": True})
STREAMS = Table.of(
    {"kind": "eval mode"},
    {"kind": "train mode, large", "train": True, "scale": 9.0},
    {"kind": "small", "scale": 0.002},
)


@probe("CausalSelfAttention", STREAMS)
def causal_attention(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Values, and the gradients of x and of every weight."""
    return _gradients(side, reference, case, "CausalSelfAttention", _stream(case))


@probe("CausalSelfAttention", ONE)
def causal_attention_again(side: Proxy, reference: Proxy, case: Case) -> Any:
    """What is left of x, and shorter rows before and after longer ones, at a rate that eval mode must not feel."""
    return _again(side, reference, case, "CausalSelfAttention", _stream(case))


@probe("CausalSelfAttention", Table.of({"H": 4}, {"H": 1}))
def causal_attention_heads(side: Proxy, reference: Proxy, case: Case) -> Any:
    """As many heads as features, and one."""
    module, _ = _built(side, reference, case, "CausalSelfAttention", ModelArgs(**SIZES | {"n_heads": case.H}))
    return module and module(_stream(case))


@probe("CausalSelfAttention", ONE)
def causal_attention_limits(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Which of the two limits is obeyed."""
    sizes = ({"max_seq_len": 3, "block_size": 5}, {"max_seq_len": 5, "block_size": 3})
    modules = [side.construct("CausalSelfAttention", ModelArgs(**SIZES | limits)) for limits in sizes]
    return [[_taken(module, case.normal(1, n, 4)) for n in range(2, 8)] for module in modules]


@probe("CausalSelfAttention", ONE)
def causal_attention_parts(side: Proxy, reference: Proxy, case: Case) -> Any:
    return _parts(side, case, "CausalSelfAttention", _stream(case).float())


@probe("GPTMLP", STREAMS)
def gpt_mlp(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Values, and the gradients of x and of every weight."""
    return _gradients(side, reference, case, "GPTMLP", _stream(case))


@probe("GPTMLP", ONE)
def gpt_mlp_again(side: Proxy, reference: Proxy, case: Case) -> Any:
    """What is left of x, and shorter rows before and after longer ones, at a rate that eval mode must not feel."""
    return _again(side, reference, case, "GPTMLP", _stream(case))


@probe("GPTMLP", ONE)
def gpt_mlp_parts(side: Proxy, reference: Proxy, case: Case) -> Any:
    return _parts(side, case, "GPTMLP", _stream(case).float())


@probe("DecoderBlock", MODES)
def block(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Values, and the gradients of x and of every weight."""
    return _gradients(side, reference, case, "DecoderBlock", _stream(case))


@probe("DecoderBlock", ONE)
def block_again(side: Proxy, reference: Proxy, case: Case) -> Any:
    """What is left of x, and shorter rows before and after longer ones, at a rate that eval mode must not feel."""
    return _again(side, reference, case, "DecoderBlock", _stream(case))


@probe("DecoderBlock", Table.of({"silent": "attention."}, {"silent": "mlp."}))
def block_small(side: Proxy, reference: Proxy, case: Case) -> Any:
    """A stream so small that eps decides, with one branch silent."""
    return _silent(side, reference, case, "DecoderBlock", _stream(case) * 0.002)


@probe("DecoderBlock", ONE)
def block_parts(side: Proxy, reference: Proxy, case: Case) -> Any:
    return _parts(side, case, "DecoderBlock", _stream(case).float())


@probe("GPT", MODES)
def gpt(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Logits, and the gradient of every weight."""
    return _gradients(side, reference, case, "GPT", _ids(case))


@probe("GPT", ONE)
def gpt_again(side: Proxy, reference: Proxy, case: Case) -> Any:
    """What is left of ids, and shorter rows before and after longer ones, at a rate that eval mode must not feel."""
    return _again(side, reference, case, "GPT", _ids(case))


@probe("GPT", Table.of({"silent": "blocks."}))
def gpt_small(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Silent blocks, and embeddings so small that eps decides."""
    return _silent(side, reference, case, "GPT", _ids(case))


@probe("GPT", ONE)
def gpt_limits(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Which lengths are taken."""
    sizes = ({"max_seq_len": 3, "block_size": 5}, {"max_seq_len": 5, "block_size": 3})
    models = [side.construct("GPT", ModelArgs(**SIZES | limits)) for limits in sizes]
    return [[_taken(model, case.integers(0, V, 1, n)) for n in range(2, 8)] for model in models]


@probe("GPT", ONE)
def gpt_parts(side: Proxy, reference: Proxy, case: Case) -> Any:
    return _parts(side, case, "GPT", _ids(case))


@probe("tie_weights", ONE)
def tied(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The number of weights left, and the logits."""
    model, _ = _built(side, reference, case, "GPT", _args())
    if model is None:
        return None
    side.call("tie_weights", model)
    return [_numbers(model), model(_ids(case))]


@probe("tie_weights", ONE)
def tied_in_training(side: Proxy, reference: Proxy, case: Case) -> Any:
    """New numbers in all weights that should be left, or else in all that there were, and their gradients."""
    model, weights = _built(side, reference, case, "GPT", _args())
    if model is None:
        return None
    side.call("tie_weights", model)
    new, tree = {name: w.flip(0) for name, w in weights.items()}, _form(reference, "GPT", _args())[1]
    left = {name: w for name, w in new.items() if name != "lm_head.weight"}
    try:
        model.load(left, tree)
    except Exception:  # lm_head still has a parameter of its own
        left = new
        model.load(new, tree)
    return _slopes(model, left, case, _ids(case))


def _args(**more: Any) -> ModelArgs:
    return ModelArgs(**SIZES, **more)


def _stream(case: Case) -> Tensor:
    return case.normal(B, T, 4, scale=case.dims.get("scale", 1.0)).double()


def _ids(case: Case) -> Tensor:
    ids = case.integers(0, V, B, T)
    ids[0, 1] = ids[0, 0]  # the same word at two positions
    return ids


def _gradients(side: Proxy, reference: Proxy, case: Case, task: str, x: Tensor) -> Any:
    module, weights = _built(side, reference, case, task, _args(n_layer=3))
    if module is None:
        return _numbers(side.construct(task, _args(n_layer=3)))
    if "train" in case.dims:
        module.train()
    return _slopes(module, weights, case, x)


def _slopes(module: Module, weights: dict[str, Tensor], case: Case, x: Tensor) -> Any:
    """The output, the gradient of x, and for every weight w one number: its gradient along w.

    That is how the gradients of a module come that is filled by load_weights.
    """
    cotangent = case.normal(B, T, 4 if x.is_floating_point() else V).double()
    found = module.gradients(x, cotangents=[cotangent], directions=weights if module.adapted else {})
    slopes = [_slope(found.weights.get(name), w) for name, w in weights.items()]
    return {"value": found.value, "x": found.inputs.get(0), "slopes": torch.stack(slopes)}


def _slope(gradient: Tensor | None, weight: Tensor) -> Tensor:
    if gradient is None:
        return torch.zeros((), dtype=torch.float64)
    return gradient if gradient.dim() == 0 else (gradient * weight.double()).sum()


def _again(side: Proxy, reference: Proxy, case: Case, task: str, x: Tensor) -> Any:
    module, _ = _built(side, reference, case, task, _args(dropout=0.5))
    if module is None:
        return None
    return [module(x[:, :2]), module(x), module.inputs_after(x.clone())[0], module(x[:, 1:3].clone())]


def _silent(side: Proxy, reference: Proxy, case: Case, task: str, x: Tensor) -> Any:
    """The answer with zeros for the weights of one part, and with small embeddings where there are some."""
    module, weights = _built(side, reference, case, task, _args())
    if module is None:
        return None
    sizes = {name: 0.0 if name.startswith(case.silent) else 0.002 if name[0] == "w" else 1.0 for name in weights}
    module.load({name: w * sizes[name] for name, w in weights.items()}, _form(reference, task, _args())[1])
    return module(x)


def _taken(module: Module, x: Tensor) -> Any:
    """The shape of the answer, or how the call ended: refused in either of two ways, or by accident."""
    try:
        answer = module(x)
    except Exception as error:
        name = getattr(error, "values", {}).get("etype", type(error).__name__)  # over the wire, or here
        return "refused" if name in ("ValueError", "AssertionError") else name
    return list(answer.shape) if isinstance(answer, Tensor) else "no tensor"


def _parts(side: Proxy, case: Case, task: str, x: Tensor) -> Any:
    """The number of weights with one layer and with three, and what PyTorch does not see or move."""
    low, high = (side.construct(task, _args(n_layer=n)) for n in (1, 3))
    stays = low.device_problem(x) is not None
    return [_numbers(low), _numbers(high), [what for _, what in low.unregistered()], stays]


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
