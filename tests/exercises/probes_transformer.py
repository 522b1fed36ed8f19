"""Questions that tell the known bugs of the Transformer apart.

Everything is asked in float64, where right answers agree to twelve digits. Of a model with more or fewer weights than
it should have, only their number is seen. Of the numbers in a new model, which are random, it is seen whether they are
far too large or small.
"""

import functools
from typing import Any

import torch
from torch import Tensor

from exercises.model_args import ModelArgs
from grader.run.suite import Case, Module, Proxy, Table, probe

B, S, T, V = 2, 5, 3, 7  # the source is longer than max_seq_len, which is 4
SIZES = {"n_embd": 4, "dim": 4, "n_heads": 2, "vocab_size": V, "max_seq_len": 4, "block_size": 6}
BOUNDS = (0.001, 0.25, 0.5, 2.0, 4.0, 15.0, 60.0, 120.0)  # of a new model's numbers, in those of a right one
ONE = Table.of({})
PADDING = torch.tensor([[1, 1, 1, 0, 0], [1, 0, 0, 0, 0]])[:, None, None] == 1  # (B, 1, 1, S)
ASKED = Table.of(
    {"kind": "all logits"},
    {"kind": "with padding, targets that do not count, in train mode", "mask": PADDING, "out": [(0, 1), (0, 2)]},
    {"kind": "the last logits", "last": True},
)


@probe("Transformer", ASKED)
def transformer(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Logits, loss, and the gradient of every weight."""
    model, weights = _built(side, reference, case, _args(n_layer=2))
    if model is None:
        return _numbers(side.construct("Transformer", _args(n_layer=2)))
    if "mask" in case.dims:
        model.train()
    src, tgt, targets = _ids(case)
    along = weights if model.adapted else {}
    cotangents = [case.normal(B, 1 if "last" in case.dims else T, V).double(), case.normal().double()]
    asked = (src, tgt) if "last" in case.dims else (src, tgt, targets)
    more = {"src_mask": case.mask} if "mask" in case.dims else {}
    found = model.gradients(*asked, cotangents=cotangents, directions=along, **more)
    slopes = [_slope(found.weights.get(name), w) for name, w in weights.items()]
    return {"value": _seen(found.value), "slopes": torch.stack(slopes)}


@probe("Transformer", ONE)
def transformer_alone(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The source decoded itself, with a mask of 0 and 1, and what is left of all inputs."""
    model, _ = _built(side, reference, case, _args())
    if model is None:
        return None
    src, tgt, targets = _ids(case)
    own, mask = tgt[:, :2], PADDING[..., :2].long()
    targets[0, 0] = -1
    left = model.inputs_after(src, tgt, targets, src_mask=PADDING)
    seen = model(own), model(own, None, targets[:, :2]), model(own, src_mask=mask), model(tgt[:, :1], tgt)
    return [left, _seen(seen)]


@probe("Transformer", Table.of({"dropout": 0.5}, {"dropout": 0.0}))
def transformer_modes(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Logits and loss in eval mode, and whether train mode is random."""
    model, _ = _built(side, reference, case, _args(dropout=case.dropout))
    if model is None:
        return None
    ids = _ids(case)
    seen = model(*ids)
    model.train()
    first = model(*ids)
    side.seed += 1
    second = model(*ids)
    side.seed -= 1
    return [_seen(seen), torch.equal(first[0], second[0])]


@probe("Transformer", ONE)
def transformer_large_logits(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Logits of hundreds, some of whose targets are all but impossible."""
    model, weights = _built(side, reference, case, _args())
    if model is None:
        return None
    weights["lm_head.weight"] = weights["lm_head.weight"] * 1000.0
    model.load(weights, _form(reference, _args())[1])
    return _seen(model(*_ids(case)))


@probe("Transformer", Table.of({"max_seq_len": 4, "block_size": 6}, {"max_seq_len": 6, "block_size": 4}))
def transformer_limits(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Whether lengths at the limits are taken, and those beyond them not."""
    args = ModelArgs(**SIZES | {"max_seq_len": case.max_seq_len, "block_size": case.block_size})
    model = side.construct("Transformer", args)
    model.eval()
    shortest = min(case.max_seq_len, case.block_size)
    lengths = [(case.block_size, shortest), (case.block_size + 1, 2), (2, shortest + 1), (shortest + 1, None)]
    return [_taken(model, case, *pair) for pair in lengths]


@probe("Transformer", Table.of({"kind": "lm_head"}, {"kind": "embedding"}, {"kind": "layers"}))
def transformer_start(side: Proxy, reference: Proxy, case: Case) -> Any:
    """How far the logits of a new model are spread; how much they depend on the target, and on the source."""
    wide = {"lm_head": 16, "embedding": 16, "layers": 64}[case.kind]
    args = ModelArgs(n_embd=wide, dim=wide, n_heads=4, n_layer=1, vocab_size=2000 if case.kind == "lm_head" else 300)
    got, want = (_spread(each.construct("Transformer", args), case) for each in (side, reference))
    return sum(got > want * bound for bound in BOUNDS)


@probe("Transformer", ONE)
def transformer_parts(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The number of weights of two models, whether one can be filled, and what PyTorch does not see or move."""
    low, high = (side.construct("Transformer", _args(n_layer=n)) for n in (1, 3))
    src, tgt, targets = _ids(case)
    stays = side.construct("Transformer", _args()).device_problem(src, tgt, targets) is not None
    return [_numbers(low), _numbers(high), _fits(low, reference), [what for _, what in low.unregistered()], stays]


def _fits(model: Module, reference: Proxy) -> bool:
    shapes, tree = _form(reference, _args(n_layer=1))
    try:
        model.load({name: torch.ones(shape) for name, shape in shapes.items()}, tree)
    except Exception:
        return False
    return True


def _seen(answer: Any) -> Any:
    """As it is, but a Python number stands for its kind: its last digits are an accident."""
    if isinstance(answer, (tuple, list)):
        return [_seen(part) for part in answer]
    return "a number" if isinstance(answer, (int, float)) else answer


def _args(**more: Any) -> ModelArgs:
    return ModelArgs(**SIZES, **more)


def _ids(case: Case) -> tuple[Tensor, Tensor, Tensor]:
    """Source, target and targets."""
    src, tgt, targets = (case.integers(0, V, B, length) for length in (S, T, T))
    for place in case.dims.get("out", []):
        targets[place] = -1
    return src, tgt, targets


def _taken(model: Module, case: Case, source: int, target: int | None) -> Any:
    """The shape of the logits, or how the call ended: refused in either of two ways, or by accident."""
    ids = [None if n is None else case.integers(0, V, 1, n) for n in (source, target)]
    try:
        answer = model(*ids)
    except Exception as error:
        name = getattr(error, "values", {}).get("etype", type(error).__name__)  # over the wire, or here
        return "refused" if name in ("ValueError", "AssertionError") else name
    first = answer[0] if isinstance(answer, (tuple, list)) and answer else answer
    return list(first.shape) if isinstance(first, Tensor) else "no tensor"


def _spread(model: Module, case: Case) -> float:
    """As the check of the same name measures it."""
    model.eval()
    model.to(torch.float64)
    words, fixed = torch.arange(200)[:, None], torch.zeros(200, 1, dtype=torch.int64)
    if case.kind == "lm_head":
        return model(words[:1], words[:1])[0].square().mean().sqrt().item()
    src, tgt = (fixed, words) if case.kind == "embedding" else (words, fixed)
    return model(src, tgt)[0].std(0, correction=0).square().mean().sqrt().item()


def _built(side: Proxy, reference: Proxy, case: Case, args: ModelArgs) -> tuple[Module | None, Any]:
    """The model in float64, and the case's weights in it; none if it has another number of weights."""
    shapes, tree = _form(reference, args)
    model, weights = side.construct("Transformer", args), case.weights(shapes)
    if _numbers(model) != sum(w.numel() for w in weights.values()):
        return None, weights
    model.load(weights, tree)
    model.to(torch.float64)
    return model, weights


def _slope(gradient: Tensor | None, weight: Tensor) -> Tensor:
    """One number for each weight w, its gradient along w: so come the gradients of a module filled by load_weights."""
    if gradient is None:
        return torch.zeros((), dtype=torch.float64)
    return gradient if gradient.dim() == 0 else (gradient * weight.double()).sum()


def _numbers(model: Module) -> int:
    return sum(torch.Size(p.shape).numel() for p in model.parameters() if p.requires_grad)


@functools.cache
def _form(reference: Proxy, args: ModelArgs) -> tuple[dict[str, tuple[int, ...]], dict[str, str]]:
    """The shapes of the weights by their names, and where the parts that are tasks stand."""
    model = reference.construct("Transformer", args)
    return {p.name: p.shape for p in model.parameters()}, model.tree()
