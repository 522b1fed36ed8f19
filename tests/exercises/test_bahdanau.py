"""Checks of AdditiveAttention: scores from a small network, softmax over the keys, the weighted sum of the keys.

No two of B, S and the widths are equal, but in the square case, in which a mixed-up axis still fits.
"""

from typing import Any

import torch
from torch import Tensor

from grader.run.suite import (
    Case,
    Proxy,
    Table,
    Twins,
    cases,
    close,
    fail,
    in_float64,
    leaves_inputs_alone,
    same,
    twins,
    unmoved,
)

SIZES = Table.of(
    {"B": 2, "S": 3, "q": 1, "k": 1, "hidden": 4},
    {"B": 3, "S": 2, "q": 4, "k": 5, "hidden": 6},
    {"B": 2, "S": 5, "q": 3, "k": 4, "hidden": 1},
    {"B": 4, "S": 3, "q": 5, "k": 2, "hidden": 6},
    {"B": 3, "S": 3, "q": 3, "k": 3, "hidden": 3, "kind": "square"},
    {"B": 3, "S": 4, "q": 2, "k": 5, "hidden": 6, "kind": "transposed inputs"},
)
ONES = Table.of(
    {"B": 1, "S": 1, "q": 3, "k": 4, "hidden": 5},
    {"B": 2, "S": 1, "q": 3, "k": 4, "hidden": 5},
    {"B": 1, "S": 3, "q": 2, "k": 4, "hidden": 5},
    {"B": 1, "S": 1, "q": 1, "k": 1, "hidden": 1},
)
MASKED = Table.of(
    {"B": 2, "S": 3, "q": 2, "k": 4, "hidden": 5},
    {"B": 3, "S": 5, "q": 4, "k": 2, "hidden": 6},
    {"B": 4, "S": 4, "q": 3, "k": 3, "hidden": 3, "kind": "square"},
    {"B": 1, "S": 4, "q": 3, "k": 2, "hidden": 5},
    {"B": 3, "S": 1, "q": 3, "k": 2, "hidden": 5},
    {"B": 3, "S": 4, "q": 2, "k": 5, "hidden": 6, "kind": "nothing hidden"},
    {"B": 2, "S": 4, "q": 2, "k": 3, "hidden": 6, "kind": "one key left"},
)
DTYPES = Table.of(
    {"B": 3, "S": 4, "q": 2, "k": 5, "hidden": 6, "dtype": torch.float32},
    {"B": 2, "S": 3, "q": 4, "k": 2, "hidden": 5, "dtype": torch.float64},
)
NAMES = ("the context", "the weights")
INPUTS = ("query", "keys", "mask")


@cases(SIZES)
def test_additive_attention_weights(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The weights are softmax over the keys of v(tanh(W [query; key])), and sum to 1 in each sequence."""
    part_agrees(module(subject, reference, case), 1, *inputs(case))


@cases(SIZES)
def test_additive_attention_context(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The context is the sum of the keys, each times its weight."""
    part_agrees(module(subject, reference, case), 0, *inputs(case))


@cases(ONES)
def test_additive_attention_one(subject: Proxy, reference: Proxy, case: Case) -> None:
    """One sequence or one key keeps its axis; a single key has weight 1."""
    layer = module(subject, reference, case)
    layer.agree(*inputs(case), names=NAMES)
    layer.agree(*inputs(case), torch.ones(case.B, case.S, dtype=torch.bool), names=NAMES)


@cases(MASKED)
def test_additive_attention_mask(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Each sequence looks only where its mask is True, and its weights still sum to 1."""
    module(subject, reference, case).agree(*inputs(case), allowed(case), names=NAMES)


@cases(
    Table.of(
        {"B": 2, "S": 3, "q": 2, "k": 4, "hidden": 5, "to": torch.int64},
        {"B": 3, "S": 4, "q": 2, "k": 5, "hidden": 6, "to": torch.int32},
        {"B": 3, "S": 4, "q": 2, "k": 5, "hidden": 6, "to": torch.uint8},
    )
)
def test_additive_attention_mask_integers(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Integers 1 and 0 are a mask too."""
    module(subject, reference, case).agree(*inputs(case), allowed(case).to(case.to), names=NAMES)


@cases(
    Table.of(
        {"kind": "hidden keys score high", "B": 2, "S": 4, "q": 3, "k": 5, "hidden": 6, "size": 10.0},
        {"kind": "higher", "B": 3, "S": 4, "q": 2, "k": 5, "hidden": 6, "size": 100.0, "dtype": torch.float64},
        {"kind": "all score far below 0", "B": 2, "S": 4, "q": 3, "k": 5, "hidden": 6, "size": 150.0},
        {"kind": "all score far above 0", "B": 3, "S": 4, "q": 2, "k": 5, "hidden": 6, "size": 150.0},
    )
)
def test_additive_attention_hidden_keys(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A hidden key has weight 0 and no influence, whatever its score is and those of the others are."""
    query, keys = inputs(case)
    mask = allowed(case)
    signs = {"all score far below 0": -torch.ones(mask.shape), "all score far above 0": torch.ones(mask.shape)}
    layer = steered(subject, reference, case)
    keys[..., 0] = signs.get(case.kind, 1.0 - 2.0 * mask)
    layer.agree(query, keys, mask, names=NAMES, scale=2.0)  # scores of 150 carry float32 noise of 1e-5


@cases(
    Table.of(
        {"kind": "all score far above 0", "B": 2, "S": 3, "q": 3, "k": 5, "hidden": 6, "size": 150.0, "sign": 1.0},
        {"kind": "all score far below 0", "B": 2, "S": 3, "q": 3, "k": 5, "hidden": 6, "size": 150.0, "sign": -1.0},
        {"kind": "some of each", "B": 3, "S": 4, "q": 2, "k": 5, "hidden": 6, "size": 150.0},
        {"kind": "sequences far apart", "B": 3, "S": 4, "q": 2, "k": 5, "hidden": 6, "size": 150.0},
    )
)
def test_additive_attention_large(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Scores of several hundred do not overflow, whichever sign they have."""
    query, keys = inputs(case)
    steps = torch.arange(case.B)[:, None] + torch.arange(case.S) * (case.kind == "some of each")
    keys[..., 0] = case.dims.get("sign", 1.0 - 2.0 * (steps % 2))
    steered(subject, reference, case).agree(query, keys, names=NAMES, scale=2.0)  # as above


@cases(SIZES.where(k=5) + SIZES.where(kind="square") + MASKED.where(k=2))
def test_additive_attention_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients flow from context and weights to query, keys, W and v, with a mask and without."""
    layer = module(subject, reference, case)
    layer.agree_gradients(*inputs(case), inputs=INPUTS)
    layer.agree_gradients(*inputs(case), allowed(case), inputs=INPUTS)


@cases(SIZES.where(k=5))
def test_additive_attention_parameters(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The trainable numbers are those of W, which has a bias, and of v, which has none."""
    module(subject, reference, case).same_parameters()


@cases(DTYPES)
def test_additive_attention_follows_input(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Both answers have the inputs' dtype and device, the inputs stay as they are, and earlier calls leave no trace."""
    layer = module(subject, reference, case)
    query, keys = inputs(case)
    mask = allowed(case)
    layer.student(2.0 * query, keys - 1.0, mask.roll(1, 1))  # before all others: a first call is the likeliest to stay
    for kind in (torch.bool, torch.int64):
        leaves_inputs_alone(layer.student, query, keys, mask.to(kind), inputs=INPUTS)
    before = pair(layer.student(query, keys, mask))
    layer.student(2.0 * query[:1], keys[:1, :2] - 1.0)
    subject.seed += 1
    after = pair(layer.student(query, keys, mask))
    subject.seed -= 1
    want = layer.teacher(query.double(), keys.double(), mask)
    for name, right, a, b in zip(NAMES, want, before, after, strict=True):
        close(a, right, name, dtype=case.dtype)
        close(b, right, name, dtype=case.dtype)
        unmoved(a, b, "A call with other inputs in between", name)
    layer.follows_device(query, keys, mask)
    layer.follows_device(query, keys)


def module(subject: Proxy, reference: Proxy, case: Case) -> Twins:
    """With weights that hide nothing; in float64 if the case is."""
    layer = twins(subject, reference, case, "AdditiveAttention", case.q, case.k, case.hidden)
    return as_wide_as(layer, case)


def steered(subject: Proxy, reference: Proxy, case: Case) -> Twins:
    """The first entry of a key, 1 or -1, adds `size` to its score or takes it away."""
    widths = case.q + case.k
    weights = case.weights({"W.weight": (case.hidden, widths), "W.bias": (case.hidden,), "v.weight": (1, case.hidden)})
    weights["W.weight"][:, case.q] = 0.0
    weights["W.weight"][0] = 0.0
    weights["W.weight"][0, case.q] = 30.0  # tanh of that is 1
    weights["W.bias"][0] = 0.0
    weights["v.weight"][0, 0] = case.size
    layer = twins(subject, reference, case, "AdditiveAttention", case.q, case.k, case.hidden, weights=weights)
    return as_wide_as(layer, case)


def as_wide_as(layer: Twins, case: Case) -> Twins:
    if case.dims.get("dtype") == torch.float64:
        layer.student.to(torch.float64)
    return layer


def inputs(case: Case) -> tuple[Tensor, Tensor]:
    """query and keys."""
    query, keys = case.normal(case.B, case.q), case.normal(case.B, case.S, case.k)
    if case.dims.get("kind") == "transposed inputs":
        query, keys = query.T.contiguous().T, keys.transpose(0, 1).contiguous().transpose(0, 1)
    return query, keys


def allowed(case: Case) -> Tensor:
    """A random mask (B, S): in each sequence at least one key may be seen, and one is hidden if there are two."""
    draw = case.normal(case.B, case.S, dtype=torch.float64)
    most = draw == draw.amax(-1, keepdim=True)
    if case.dims.get("kind") == "nothing hidden":
        return torch.ones_like(most)
    if case.dims.get("kind") == "one key left":
        return most
    return (draw > 0) & (draw != draw.amin(-1, keepdim=True)) | most


def pair(answer: Any) -> tuple[Any, Any]:
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        fail("wrong_type", what="the answer", got=type(answer).__name__, want="tuple (context, weights)")
    return answer[0], answer[1]


def part_agrees(layer: Twins, part: int, *given: Tensor) -> None:
    """One of the two answers is the reference's."""
    want = layer.teacher(*in_float64(given))[part]
    same(pair(layer.student(*given))[part], want, (NAMES[part],), given[0].dtype)
