"""Questions that tell the known bugs of softmax, attention and multi-head attention apart.

Right answers of any style give the same answers here: a mask leaves something on every line along every axis, so a
softmax over the wrong one meets no empty line. What dropout does is told by patterns that no order of draws changes.
"""

import math
from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from exercises.model_args import ModelArgs
from grader.run.suite import Case, Given, Module, Proxy, Table, probe

NEAR = 1e-4


@probe(
    "softmax",
    Table.of(
        {"kind": "values", "shape": (3, 3, 3), "dim": (1,)},
        {"kind": "values", "shape": (2, 3), "dim": ()},
        {"kind": "values", "shape": (2, 3, 4), "dim": (-3,)},
        {"kind": "values", "shape": (3, 4), "dim": (0,)},
        {"kind": "values", "shape": (2, 3, 4), "dim": (2,), "dtype": torch.float64},
        {"kind": "scores", "rows": [[300.0, 301.0], [299.0, 300.0]]},
        {"kind": "scores", "rows": [[-300.0, -301.0], [-301.0, -301.5]]},
        {"kind": "scores", "rows": [[300.0, 301.0], [-300.0, -301.0]]},
        {"kind": "scores", "rows": [[0.0, 120.0], [60.0, 60.5]]},
        {"kind": "scores", "rows": [[200.0, -200.0], [-200.0, -201.0]]},
        {"kind": "scores", "rows": [[-math.inf, 1.0, 2.0], [0.5, -math.inf, -0.5]]},
        {"kind": "device"},
    ),
)
def softmax(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Values and gradients along several axes, then scores that overflow one way of shifting and not another."""
    if case.kind == "device":
        return bool(side.device_problem("softmax", case.normal(2, 3)))
    if case.kind == "scores":
        return side.call("softmax", torch.tensor(case.rows))
    x = case.normal(*case.shape, scale=2.0)
    cotangents: list[Tensor | None] = [case.normal(*case.shape)]
    return [side.inputs_after("softmax", x, *case.dim), side.gradients("softmax", x, *case.dim, cotangents=cotangents)]


ATTENTION = Table.of(
    {"kind": "masked", "batch": (2, 3), "T": 3, "S": 3, "d": 3, "d_v": 3},
    {"kind": "plain", "batch": (), "T": 2, "S": 3, "d": 5, "d_v": 6},
    {"kind": "plain", "batch": (2,), "T": 3, "S": 4, "d": 5, "d_v": 2},
    {"kind": "plain", "batch": (2, 3), "T": 4, "S": 2, "d": 5, "d_v": 3},
    {"kind": "plain", "batch": (), "T": 3, "S": 3, "d": 3, "d_v": 3},
    {"kind": "plain", "batch": (3,), "T": 3, "S": 3, "d": 3, "d_v": 3, "dtype": torch.float64},
    {"kind": "plain", "batch": (2, 3), "T": 3, "S": 3, "d": 3, "d_v": 3},
    {"kind": "masked", "batch": (), "T": 2, "S": 3, "d": 5, "d_v": 2},
    {"kind": "mask kinds", "batch": (2, 3), "T": 4, "S": 3, "d": 3, "d_v": 3},
    {"kind": "mask kinds", "batch": (2, 3), "T": 2, "S": 4, "d": 3, "d_v": 3},
    {"kind": "dropout", "batch": (2,), "T": 3, "S": 3, "d": 3, "d_v": 3},
    {"kind": "scores", "query": 1.0, "key": 75.0},
    {"kind": "scores", "query": 1.0, "key": -75.0},
    {"kind": "scores", "query": 1.0, "key": 0.0, "hidden": 16.0},
    {"kind": "inputs", "batch": (2,), "T": 3, "S": 3, "d": 3, "d_v": 3},
    {"kind": "device", "batch": (2,), "T": 3, "S": 3, "d": 3, "d_v": 3},
)


@probe("attention", ATTENTION)
def attention(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Output, weights and gradients without and with a mask, and each further promise in a case of its own."""
    if case.kind == "scores":
        return extreme_scores(side, case)
    q, k, v = (case.normal(*case.batch, n, d) for n, d in ((case.T, case.d), (case.S, case.d), (case.S, case.d_v)))
    mask = full_mask(*case.batch, case.T, case.S)
    if case.kind == "mask kinds":
        return mask_kinds(lambda m: side.call("attention", *copies(q, k, v), mask=m), mask, mask[0])
    if case.kind == "dropout":
        kept = full_mask(*case.batch, case.T, case.S).flip(-2).double() * 1.5
        calls = ({"dropout": Given("halve")}, {"dropout": Given("mask", (kept,))})
        cotangents = [case.normal(*case.batch, case.T, case.d_v), None]
        found = side.gradients("attention", *copies(q, k, v), cotangents=cotangents, **calls[0])
        return [
            found.inputs,
            [first(side.call("attention", *copies(q, k, v), **how)) for how in calls],
            [first(side.call("attention", *copies(q, k, v), **how, mask=mask.clone())) for how in calls],
        ]
    if case.kind == "inputs":
        return [side.inputs_after("attention", *copies(q, k, v), mask=m) for m in (mask.long(), mask)]
    if case.kind == "device":
        return bool(side.device_problem("attention", q, k, v, mask=mask))
    cotangents = [case.normal(*case.batch, case.T, case.d_v), None]
    return side.gradients("attention", q, k, v, cotangents=cotangents, mask=None if case.kind == "plain" else mask)


def extreme_scores(side: Proxy, case: Case) -> Any:
    """All scores far from 0, or the hidden ones far above the others; without and with a mask.

    Numbers that float32 holds exactly, and lengths whose roots are whole: another order of summing gives the same.
    """
    seen = full_mask(4, 4)
    q, k, v = torch.full((4, 16), case.query), case.key + exact(case, 4, 16), case.normal(4, 4)
    if "hidden" in case.dims:  # even queries look at the first half of a key, odd ones at the other
        half = (torch.arange(16) < 8) == (torch.arange(4) % 2 == 0)[:, None]
        q, k = q * half, k + case.hidden * ~half
    return [first(side.call("attention", *copies(q, k, v), mask=mask)) for mask in (None, seen)]


def exact(case: Case, *shape: int) -> Tensor:
    return (case.normal(*shape) * 2).round() / 8


MHA = Table.of(
    {"kind": "plain", "B": 2, "T": 3, "S": 4, "C": 6, "H": 3},
    {"kind": "masked", "B": 2, "T": 3, "C": 6, "H": 2},
    {"kind": "parameters"},
    {"kind": "plain", "B": 1, "T": 2, "C": 3, "H": 1},
    {"kind": "plain", "B": 2, "T": 3, "C": 6, "H": 2},
    {"kind": "train", "B": 2, "T": 3, "C": 6, "H": 2},
    {"kind": "mask kinds", "B": 2, "T": 3, "S": 2, "C": 6, "H": 3},
    {"kind": "mask kinds", "B": 2, "T": 2, "S": 3, "C": 6, "H": 3},
    {"kind": "scores", "key": 75.0},
    {"kind": "scores", "key": -75.0},
    {"kind": "causal", "B": 2, "T": 5, "C": 4, "H": 2},
    {"kind": "long", "B": 1, "T": 130, "C": 2, "H": 1},
    {"kind": "limit", "B": 1, "C": 4, "H": 2},
    {"kind": "dtype", "B": 2, "T": 3, "C": 6, "H": 2, "dtype": torch.float64},
    {"kind": "inputs", "B": 2, "T": 3, "C": 6, "H": 2},
    {"kind": "again", "B": 2, "T": 3, "S": 2, "C": 6, "H": 2},
    {"kind": "eval mode", "B": 2, "T": 3, "C": 6, "H": 2},
    {"kind": "dropped", "B": 2, "T": 12, "C": 12, "H": 2},
    {"kind": "device", "B": 2, "T": 3, "C": 6, "H": 2},
)


@probe("MultiHeadAttention", MHA)
def heads(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Output and gradients without and with a mask, and each further promise in a case of its own."""
    if case.kind == "parameters":
        module = side.construct("MultiHeadAttention", ModelArgs(), True)
        return [sum(math.prod(p.shape) for p in module.parameters() if p.requires_grad), bool(module.unregistered())]
    if case.kind == "scores":
        return far_from_zero(side, case)
    if case.kind == "dropped":
        return dropped(side, case)
    names = [f"{name}.weight" for name in ("wq", "wk", "wv", "wo")]
    weights = case.weights(dict.fromkeys(names, (case.C, case.C)))
    if case.kind == "limit":
        return limits(side, case, weights)
    length = case.dims.get("S", case.T)
    q, k, v = (case.normal(case.B, n, case.C, scale=0.6) for n in (case.T, length, length))
    mask = full_mask(case.B, case.H, case.T, length)
    if case.kind == "eval mode":
        module = layer(side, case, weights, dropout=0.5)
        return not changes_with_the_seed(side, module, q, k, v)
    module = layer(side, case, weights, causal=case.kind in ("causal", "long", "inputs", "device"))
    if case.kind == "causal":
        return what_is_seen(side, module, layer(side, case, weights), q)
    if case.kind == "long":
        past, free = torch.ones(case.T, case.T).tril() == 1, layer(side, case, weights)
        return compared(module(*copies(q, q, q)), tried(lambda m: free(*copies(q, q, q), mask=m), past), None)
    if case.kind == "device":
        return bool(module.device_problem(q, q, q))
    if case.kind == "again":
        return [module(*copies(q, k, v)), module(*copies(q.flip(0), k.flip(0), v.flip(0)))]
    if case.kind == "mask kinds":
        return [mask_kinds(lambda m: module(*copies(q, k, v), mask=m), mask, mask[0]), module(*copies(q, k, v))]
    if case.kind == "inputs":
        either = (None, mask | torch.eye(3, dtype=torch.bool))
        return [module.inputs_after(*copies(q, k, v), mask=m) for m in either]
    if case.kind == "dtype":
        module.to(torch.float64)
        return module(*copies(q, k, v), mask=mask)
    if case.kind == "train":
        module.train()
        if changes_with_the_seed(side, module, q, k, v):
            return "random with a dropout of 0"
    chosen = mask if case.kind in ("masked", "train") else None
    return with_gradients(module, case, names, (q, k, v), chosen)


def what_is_seen(side: Proxy, causal: Module, free: Module, x: Tensor) -> list[str]:
    """Which mask does for a module without is_causal what is_causal does: alone, with a mask, in train mode.

    The first and the last query are left out: some masks leave them nothing.
    """
    every = torch.ones(5, 5, dtype=torch.bool)
    past, given = every.tril(), every.clone()
    given[2, 1] = given[3, 2] = given[1, 4] = False  # a past and a future that are hidden, none in a first column
    shapes = {"past": past, "all": every, "one more": every.tril(1), "one less": every.tril(-1), "future": past.T}
    both = {f"{name} and mask": shape & given for name, shape in shapes.items()} | {"past or mask": past | given}

    def seen(module: Module, mask: Tensor | None, length: int = 5) -> Tensor:
        return torch.as_tensor(module(*copies(*(x[:, :length],) * 3), mask=mask)[:, 1 : length - 1])

    known = {name: tried(lambda m: seen(free, m), mask) for name, mask in (shapes | both).items()}
    short = near(seen(causal, None, 3), tried(lambda m: seen(free, m, 3), past[:3, :3]))
    answers = [seen(causal, None), seen(causal, given.clone())]
    causal.train()
    answers += [seen(causal, None)]
    if changes_with_the_seed(side, causal, x, x, x):
        return ["random with a dropout of 0"]
    first_asked = ("past", "past and mask", "past")
    return [str(short)] + [
        next((name for name in (likely, *known) if near(answer, known[name])), "none of them")
        for likely, answer in zip(first_asked, answers, strict=True)
    ]


def near(answer: Tensor, other: Tensor | None) -> bool:
    return other is not None and bool(torch.allclose(answer, other, rtol=NEAR, atol=NEAR, equal_nan=True))


def changes_with_the_seed(side: Proxy, module: Module, *inputs: Tensor) -> bool:
    before = module(*copies(*inputs))
    side.seed += 1
    after = module(*copies(*inputs))
    side.seed -= 1
    return not torch.allclose(before, after, atol=NEAR, equal_nan=True)


def copies(*tensors: Tensor) -> tuple[Tensor, ...]:
    """Known bugs run in this process, and some write into their inputs."""
    return tuple(x.clone() for x in tensors)


def layer(side: Proxy, case: Case, weights: dict[str, Tensor], causal: bool = False, **sizes: int | float) -> Module:
    settings: dict[str, Any] = {"n_embd": case.C, "dim": case.C, "n_heads": case.H, "max_seq_len": 130, "block_size": 3}
    args = ModelArgs(**{**settings, **sizes})
    return side.filled("MultiHeadAttention", args, *([True] if causal else []), weights=weights)


def with_gradients(
    module: Module, case: Case, names: list[str], inputs: tuple[Tensor, ...], mask: Tensor | None
) -> Any:
    """Output and gradients; those of the weights along one direction each, which an adapter has as well."""
    cotangents: list[Tensor | None] = [case.normal(case.B, case.T, case.C)]
    directions = {name: case.normal(case.C, case.C, dtype=torch.float32) for name in names}
    sent = directions if module.adapted else {}
    found = module.gradients(*inputs, cotangents=cotangents, directions=sent, mask=mask)
    slopes = {}
    for name, gradient in found.weights.items():
        slope = gradient if gradient is None or module.adapted else (gradient.double() * directions[name]).sum()
        slopes[name] = 0.0 if slope is None else slope
    return {"value": found.value, "inputs": found.inputs, "weights": slopes}


def far_from_zero(side: Proxy, case: Case) -> Any:
    """All scores large or far below 0, and hidden keys among them; in exact numbers, as above."""
    module = as_they_are(side, ModelArgs(n_embd=64, dim=64, n_heads=4))
    q, k, v = torch.ones(1, 2, 64), case.key + exact(case, 1, 4, 64), case.normal(1, 4, 64)
    return [module(*copies(q, k, v), mask=mask) for mask in (None, full_mask(1, 4, 2, 4))]


def limits(side: Proxy, case: Case, weights: dict[str, Tensor]) -> Any:
    """What 4, 5 and 6 positions come to if max_seq_len is 5, and block_size 3 or 9."""
    answers: list[Any] = []
    for causal, block_size in ((True, 3), (True, 9), (False, 3)):
        module = layer(side, case, weights, causal, max_seq_len=5, block_size=block_size)
        answers += [outcome(module, case.normal(1, length, case.C)) for length in (4, 5, 6)]
    return answers


def outcome(module: Module, x: Tensor) -> str:
    """The answer's shape, "refused", or another error's name."""
    try:
        return str(tuple(module(*copies(x, x, x)).shape))
    except Exception as error:  # ours are raised as they are, a student's as a failed check that names the type
        name = getattr(error, "values", {}).get("etype", type(error).__name__)
        return "refused" if name in ("ValueError", "AssertionError") else str(name)


def dropped(side: Proxy, case: Case) -> Any:
    """Which pattern the dropped weights have; never which ones they are.

    All scores are equal and value s holds 2^s, so an output times S (1 - p) is the binary number of the kept keys.
    """
    p, size = 0.3, case.T
    module = as_they_are(side, ModelArgs(n_embd=case.C, dim=case.C, n_heads=case.H, dropout=p))
    module.train()
    one = torch.ones(case.B, size, case.C)
    value = (2.0 ** torch.arange(size))[:, None].expand_as(one)
    answers = [_rows(module(*copies(one, one, value)), case.H)]
    side.seed += 1
    answers += [_rows(module(*copies(one, one, value)), case.H)]
    side.seed -= 1
    answers += [_rows(module(*copies(one, one, value), mask=torch.ones(size, size, dtype=torch.bool)), case.H)]
    others = [case.normal(case.B, size, case.C) for _ in range(3)]
    found = module.gradients(*copies(*others), cotangents=[case.normal(case.B, size, case.C)]).inputs.get(0)
    causal = as_they_are(side, ModelArgs(n_embd=case.C, dim=case.C, n_heads=case.H, dropout=p, max_seq_len=size), True)
    causal.train()
    return [
        [_pattern(rows, p, size) for rows in answers],
        _equal(answers[0], answers[1]),
        "no gradient" if found is None or not found.any() else "a gradient",
        "random" if changes_with_the_seed(side, causal, *others) else "the same",
    ]


def _rows(output: Tensor, n_heads: int) -> Tensor:
    return output.double().reshape(*output.shape[:2], n_heads, -1).transpose(1, 2)  # (B, H, T, C / H)


def _pattern(rows: Tensor, p: float, size: int) -> dict[str, bool]:
    counts = next((c for n in (1, 2, 3, 4) if _whole(c := rows * size * (1 - p) ** n)), None)
    kept = None if counts is None else _bits(counts, size)  # zeros may come from a further dropout, which is welcome
    share = 0.0 if kept is None else float(kept[counts > 0.5].mean())  # type: ignore[operator]
    return {
        "whole": kept is not None,
        "share": abs(share - (1 - p)) < 0.1,
        "all": share > 0.99,
        "not rescaled": _whole(rows * size),
        "sums to 1": bool(torch.stack([_shared(rows * n, n, size) for n in range(1, size + 1)]).any(0).all()),
        "queries lost": float((rows == 0).all(-1).double().mean()) > 0.1,
        "heads": _equal(rows[:, 0], rows[:, 1]),
        "batch": _equal(rows[0], rows[1]),
        "queries": _equal(rows[:, :, 0], rows[:, :, 1]),
        "channels": _equal(rows[..., 0], rows[..., 1]),
        "scores": bool(torch.stack([_of_scores(rows, n, p, size) for n in range(size + 1)]).any(0).all()),
        "mean": bool((rows - rows.amax()).abs().max() < NEAR),
    }


def _shared(sums: Tensor, n: int, size: int) -> Tensor:
    """Where `sums` is the sum over n keys."""
    return _near(sums) & (_bits(sums, size).sum(-1) == n)


def _of_scores(rows: Tensor, n: int, p: float, size: int) -> Tensor:
    """Where `rows` come from n kept scores of root(6) / (1 - p) and others of 0: 6 is the width of a head, all ones."""
    more = math.exp(math.sqrt(6.0) / (1 - p))
    sums = (rows * (more * n + size - n) - (2**size - 1)) / (more - 1)
    return _near(sums) & (_bits(sums, size).sum(-1) == n)


def _whole(numbers: Tensor) -> bool:
    return bool(_near(numbers).all())


def _near(numbers: Tensor) -> Tensor:
    return (numbers - numbers.round()).abs() < 0.05


def _bits(counts: Tensor, size: int) -> Tensor:
    return counts.round().long()[..., None].bitwise_right_shift(torch.arange(size)).bitwise_and(1).double()


def _equal(a: Tensor, b: Tensor) -> bool:
    """Where both are there."""
    return bool((((a - b).abs() < NEAR) | (a.abs() < NEAR) | (b.abs() < NEAR)).all())


def as_they_are(side: Proxy, args: ModelArgs, causal: bool = False) -> Module:
    """A module with the identity for all its weights."""
    one = torch.eye(args.dim)
    weights = {f"{name}.weight": one for name in ("wq", "wk", "wv", "wo")}
    return side.filled("MultiHeadAttention", args, *([True] if causal else []), weights=weights)


def full_mask(*shape: int) -> Tensor:
    """A chequered mask: on every line along any axis something is allowed and something hidden."""
    steps = sum(torch.arange(n).reshape([-1] + [1] * (len(shape) - i - 1)) for i, n in enumerate(shape))
    return torch.as_tensor(steps) % 2 == 0


def mask_kinds(call: Callable[[Tensor | None], Any], mask: Tensor, *smaller: Tensor) -> list[str]:
    """How integers and masks that broadcast compare with booleans of the full shape, and with no mask at all."""
    free = tried(call, None)
    pairs = [(mask, mask), (mask.long(), mask)]  # booleans, then integers
    for small in (mask[0, 0], mask[:, :1, :1], mask[:, :1], *smaller):  # (T, S), (B, 1, 1, S), (B, 1, T, S)
        pairs.append((small, small.expand(mask.shape).contiguous()))
    return [compared(tried(call, small.clone()), tried(call, full.clone()), free) for small, full in pairs]


def tried(call: Callable[[Tensor | None], Any], mask: Tensor | None) -> Tensor | None:
    """The output, or None for an error."""
    try:
        return torch.as_tensor(first(call(mask)))
    except Exception:
        return None


def compared(answer: Tensor | None, full: Tensor | None, free: Tensor | None) -> str:
    if answer is None:
        return "an error"
    near = [
        other is not None
        and other.shape == answer.shape
        and bool(torch.allclose(other, answer, atol=NEAR, equal_nan=True))
        for other in (full, free)
    ]
    if not any(near) and answer.dim() > 1 and same_for_all(answer):
        return "as nothing allowed"
    return "as the full mask" if near[0] else "as no mask" if near[1] else "something else"


def same_for_all(answer: Tensor) -> bool:
    """All queries get the same: NaN, zeros, or the mean of all values."""
    return near(answer, answer[..., :1, :].expand_as(answer))


def first(answer: Any) -> Any:
    return answer[0] if isinstance(answer, (tuple, list)) else answer
