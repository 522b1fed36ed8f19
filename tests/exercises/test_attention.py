"""Checks of attention: softmax, scaled dot-product attention, and many heads of it."""

from typing import Any

import torch
from torch import Tensor

from exercises.model_args import ModelArgs
from grader.run.suite import (
    Case,
    Given,
    Module,
    Proxy,
    Table,
    Twins,
    agree,
    agree_gradients,
    cases,
    close,
    close_gradient,
    fail,
    holds,
    in_float64,
    leaves_inputs_alone,
    of_shape,
    own_work,
    refused,
    twins,
    unmoved,
)

WEIGHTS = ("the weights",)
COMPARED = ", compared with yours for a mask of the past,"
LEFT_OUT = "the output, compared with yours when the hidden keys are left out,"


@cases(
    Table.of(
        {"shape": (1,)},
        {"shape": (3,)},
        {"shape": (2, 3)},
        {"shape": (3, 3), "kind": "square"},
        {"shape": (2, 3, 4)},
        {"shape": (2, 3, 4, 5)},
        {"shape": (2, 3, 4), "kind": "mostly negative", "mean": -5.0},
    )
)
def test_softmax_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Each weight is exp(x) over the sum of its row, so all are positive and every row sums to 1."""
    x = case.normal(*case.shape, scale=2.0, mean=case.dims.get("mean", 0.0))
    agree(subject, reference, "softmax", x, names=WEIGHTS)


@cases(
    Table.of(
        {"shape": (3,), "dim": 0},
        {"shape": (2, 3), "dim": 0},
        {"shape": (2, 3), "dim": 1},
        {"shape": (2, 3, 4), "dim": 1},
        {"shape": (2, 3, 4), "dim": -2},
        {"shape": (2, 3, 4), "dim": -3},
        {"shape": (2, 3, 4, 5), "dim": 2},
        {"shape": (2, 3, 4, 5), "dim": 3},
    )
)
def test_softmax_any_dim(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The weights sum to 1 along `dim`, whichever axis it is, counted from either end."""
    agree(subject, reference, "softmax", case.normal(*case.shape, scale=2.0), case.dim, names=WEIGHTS)


@cases(
    Table.of(
        {"kind": "large", "means": (300.0,), "spread": 1.0},
        {"kind": "far below 0", "means": (-300.0,), "spread": 1.0},
        {"kind": "one row of each", "means": (400.0, -400.0), "spread": 1.0},
        {"kind": "far apart", "means": (0.0, 0.0, 0.0), "spread": 250.0},
    )
)
def test_softmax_large_scores(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Scores of several hundred do not overflow, whichever sign each row has."""
    x = case.normal(len(case.means), 5, scale=case.spread) + torch.tensor(case.means)[:, None]
    agree(subject, reference, "softmax", x, names=WEIGHTS)
    agree(subject, reference, "softmax", x.T, 0, names=WEIGHTS)


@cases(Table.of({"T": 1, "S": 2}, {"T": 3, "S": 4}, {"T": 3, "S": 4, "dtype": torch.float64}))
def test_softmax_minus_infinity(subject: Proxy, reference: Proxy, case: Case) -> None:
    """An entry of -inf gets weight 0, and the others share the whole."""
    x = case.normal(case.T, case.S).masked_fill(~allowed(case, case.T, case.S), float("-inf"))
    agree(subject, reference, "softmax", x, names=WEIGHTS)


@cases(Table.of({"shape": (3,), "dim": 0}, {"shape": (2, 3), "dim": -1}, {"shape": (2, 3, 4), "dim": 1}))
def test_softmax_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients flow back to the scores."""
    agree_gradients(subject, reference, case, "softmax", case.normal(*case.shape), case.dim, inputs=("x",))


@cases(Table.of({"shape": (2, 3), "dtype": torch.float32}, {"shape": (2, 3), "dtype": torch.float64}))
def test_softmax_dtype_and_inputs(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The result has the dtype and device of x, and x stays as it is."""
    x = case.normal(*case.shape)
    agree(subject, reference, "softmax", x, names=WEIGHTS)
    leaves_inputs_alone(subject, "softmax", x, inputs=("x",))
    follows_device(subject, "softmax", x)


def test_softmax_own_work(subject: Proxy) -> None:
    """You wrote the softmax yourself, without PyTorch's."""
    own_work(subject, "softmax", torch.ones(2, 3), 0)
    own_work(subject, "softmax", torch.ones(2, 3, 4))


# batch: the axes before (T, d). No two lengths are equal, so that a mixed-up axis shows.
SHAPES = Table.of(
    {"batch": (), "T": 1, "S": 1, "d": 2, "d_v": 3},
    {"batch": (), "T": 2, "S": 3, "d": 4, "d_v": 5},
    {"batch": (), "T": 5, "S": 2, "d": 3, "d_v": 4},
    {"batch": (2,), "T": 3, "S": 4, "d": 5, "d_v": 6},
    {"batch": (2, 3), "T": 4, "S": 5, "d": 6, "d_v": 7},
)
DTYPES = Table.of(
    {"batch": (2,), "T": 3, "S": 4, "d": 5, "d_v": 6, "dtype": torch.float32},
    {"batch": (2,), "T": 3, "S": 4, "d": 5, "d_v": 6, "dtype": torch.float64},
)


@cases(
    SHAPES
    + Table.of(
        {"batch": (1,), "T": 2, "S": 3, "d": 4, "d_v": 5},
        {"batch": (3,), "T": 2, "S": 4, "d": 5, "d_v": 6, "kind": "transposed inputs"},
        {"batch": (2, 3), "T": 4, "S": 4, "d": 5, "d_v": 5},  # to itself, in heads: nothing says that it is causal
    )
)
def test_attention_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The output is the weighted mean of the values, for every query and every batch axis."""
    q, k, v = inputs(case)
    if case.dims.get("kind"):
        q, k, v = (x.transpose(0, 1).contiguous().transpose(0, 1) for x in (q, k, v))
    same_output(subject, reference, q, k, v)
    if case.T == case.S or case.dims.get("kind"):
        same_output(subject, reference, q, q, q)


@cases(
    Table.of(
        {"batch": (), "T": 2, "S": 3, "d": 9, "d_v": 4},
        {"batch": (), "T": 9, "S": 2, "d": 25, "d_v": 16},
        {"batch": (2,), "T": 3, "S": 5, "d": 16, "d_v": 1},
        {"batch": (2, 3), "T": 4, "S": 5, "d": 36, "d_v": 6},
    )
)
def test_attention_scale(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Scores are divided by the root of d_k, the width of query and key."""
    same_output(subject, reference, *inputs(case))


@cases(SHAPES)
def test_attention_weights(subject: Proxy, case: Case) -> None:
    """The second value is the weights (..., T, S) that made the output: every query's row sums to 1, masked or not."""
    q, k, v = inputs(case)
    for mask in (None, allowed(case, *case.batch, case.T, case.S)):
        output, weights = pair(subject.call("attention", q, k, v, mask=mask))
        finite(output, (*case.batch, case.T, case.d_v))
        finite(weights, (*case.batch, case.T, case.S), "the weights")
        close(weights.sum(-1), torch.ones(*case.batch, case.T), "the sum of a query's weights")
        close(weights.double() @ v.double(), output, "the returned weights times value", scale=2.0)


@cases(SHAPES)
def test_attention_mask(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Each query attends only where its mask is True, and its weights still sum to 1."""
    same_output(subject, reference, *inputs(case), mask=allowed(case, *case.batch, case.T, case.S))


@cases(
    Table.of(
        {"kind": "integers", "batch": (2,), "mask": (2, 3, 4), "to": torch.int64},
        {"kind": "one for all", "batch": (2,), "mask": (3, 4), "to": torch.bool},
        {"kind": "one row for all", "batch": (2,), "mask": (4,), "to": torch.bool},
        {"kind": "heads, one for all", "batch": (2, 5), "mask": (3, 4), "to": torch.bool},
        {"kind": "heads, as many queries as sequences", "batch": (3, 5), "mask": (3, 4), "to": torch.bool},
        {"kind": "heads, hidden keys", "batch": (2, 5), "mask": (2, 1, 1, 4), "to": torch.bool},
        {"kind": "heads, one per head", "batch": (2, 5), "mask": (5, 3, 4), "to": torch.bool},
        {"kind": "heads, one per sequence", "batch": (2, 5), "mask": (2, 1, 3, 4), "to": torch.bool},
        {"kind": "heads, integers, one for all", "batch": (2, 5), "mask": (3, 4), "to": torch.int32},
        {"kind": "heads, integers, hidden keys", "batch": (2, 5), "mask": (2, 1, 1, 4), "to": torch.uint8},
    )
)
def test_attention_mask_kinds(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Integers 1 and 0 are a mask too, and any mask that broadcasts to the scores will do, such as (B, 1, 1, S)."""
    q, k, v = (case.normal(*case.batch, n, d) for n, d in ((3, 6), (4, 6), (4, 7)))
    same_output(subject, reference, q, k, v, mask=allowed(case, *case.mask).to(case.to))


@cases(
    Table.of(
        {"kind": "other hidden keys", "T": 2, "S": 4, "d": 3, "d_v": 5},
        {"kind": "hidden keys score high", "T": 2, "S": 4, "d": 3, "d_v": 5, "hidden": 20.0},
        {"kind": "hidden keys score higher", "T": 2, "S": 4, "d": 3, "d_v": 5, "hidden": 200.0, "dtype": torch.float64},
        {"kind": "all score far below 0", "T": 2, "S": 5, "d": 4, "d_v": 3, "all": -150.0},
    )
)
def test_attention_hidden_keys_do_not_matter(subject: Proxy, case: Case) -> None:
    """A hidden key and its value have no influence: the output is that for the other keys alone."""
    q, k, v = inputs(case)
    q, seen = q.abs() * 0.01 + 1.0, allowed(case, case.S)  # scores are about root(d) * the mean of the key
    k = k + case.dims.get("all", 0.0) + case.dims.get("hidden", 0.0) * ~seen[:, None]
    v = v + 500.0 * ~seen[:, None]
    want, _ = pair(subject.call("attention", q, k[seen], v[seen]))
    got, _ = pair(subject.call("attention", q, k, v, mask=seen.expand(case.T, case.S)))
    finite(want, (case.T, case.d_v))
    close(got, want, LEFT_OUT, scale=20.0)  # scores of 300 carry an error of some 5e-5


@cases(
    Table.of(
        {"kind": "large", "T": 2, "S": 3, "d": 4, "d_v": 5, "signs": (1.0, 1.0)},
        {"kind": "far below 0", "T": 2, "S": 3, "d": 4, "d_v": 5, "signs": (-1.0, -1.0)},
        {"kind": "both", "T": 2, "S": 3, "d": 4, "d_v": 5, "signs": (1.0, -1.0)},
    )
)
def test_attention_large_scores(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Scores of several hundred do not overflow, whichever sign each query's have."""
    q = 15.0 * torch.tensor(case.signs)[:, None].expand(case.T, case.d)
    k, v = 10.0 + case.normal(case.S, case.d, scale=0.05), case.normal(case.S, case.d_v)
    same_output(subject, reference, q, k, v, scale=20.0)  # scores of 300 carry an error of some 5e-5
    same_output(subject, reference, q, k, v, scale=20.0, mask=torch.tensor([True, False, True]).expand(case.T, case.S))


@cases(
    Table.of(
        {"kind": "halves", "batch": (), "T": 2, "S": 3, "d": 4, "d_v": 5},
        {"kind": "drops", "batch": (), "T": 2, "S": 3, "d": 4, "d_v": 5},
        {"kind": "drops, with a mask", "batch": (2,), "T": 3, "S": 4, "d": 5, "d_v": 6},
        {"kind": "drops, with a mask", "batch": (2, 3), "T": 4, "S": 5, "d": 6, "d_v": 7},
    )
)
def test_attention_dropout(subject: Proxy, case: Case) -> None:
    """`dropout` is called on the weights, after softmax and before the weighted sum, and on nothing else."""
    q, k, v = inputs(case)
    mask = allowed(case, case.T, case.S) if "mask" in case.kind else None
    kept = allowed(case, *case.batch, case.T, case.S).double() * 1.5
    dropout, factor = (Given("halve"), 0.5) if case.kind == "halves" else (Given("mask", (kept,)), kept)
    _, weights = pair(subject.call("attention", q, k, v, mask=mask))
    finite(weights, (*case.batch, case.T, case.S), "the weights")
    got, _ = pair(subject.call("attention", q, k, v, mask=mask, dropout=dropout))
    close(got, (weights.double() * factor) @ v.double(), "the output", scale=2.0)


@cases(SHAPES)
def test_attention_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients flow from the output back to query, key and value, with and without a mask, and through `dropout`."""
    q, k, v = inputs(case)
    cotangents = [case.normal(*case.batch, case.T, case.d_v), None]
    mask = allowed(case, *case.batch, case.T, case.S)
    for how in ({"mask": None}, {"mask": mask}, {"mask": None, "dropout": Given("mask", (mask.double() * 1.5,))}):
        want = reference.gradients("attention", *in_float64((q, k, v)), cotangents=in_float64(cotangents), **how)
        got = subject.gradients("attention", q, k, v, cotangents=cotangents, **how)
        for i, name in enumerate(("query", "key", "value")):
            expected = want.inputs[i]
            if expected is not None:
                close_gradient(got.inputs.get(i), expected, name)


@cases(DTYPES)
def test_attention_dtype_and_inputs(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Output and weights have the dtype and device of the inputs, which stay as they are."""
    q, k, v = inputs(case)
    mask = allowed(case, *case.batch, case.T, case.S)
    for got, name in zip(pair(subject.call("attention", q, k, v, mask=mask)), ("output", "weights"), strict=True):
        has_dtype(got, case.dtype, f"the {name}")
    same_output(subject, reference, q, k, v, mask=mask)
    for version in (None, mask, mask.long()):
        leaves_inputs_alone(subject, "attention", q, k, v, mask=version, inputs=("query", "key", "value"))
    follows_device(subject, "attention", q, k, v)
    follows_device(subject, "attention", q, k, v, mask=mask)


def test_attention_own_work(subject: Proxy) -> None:
    """You wrote the attention yourself, without PyTorch's."""
    x = torch.ones(2, 3, 4)
    own_work(subject, "attention", x, x, x)
    own_work(subject, "attention", x, x, x, mask=torch.ones(3, 3, dtype=torch.bool).tril())


def inputs(case: Case) -> tuple[Tensor, Tensor, Tensor]:
    """query (..., T, d), key (..., S, d), value (..., S, d_v)"""
    batch = case.dims.get("batch", ())
    sizes = ((case.T, case.d), (case.S, case.d), (case.S, case.d_v))
    q, k, v = (case.normal(*batch, n, d, scale=1.5) for n, d in sizes)
    return q, k, v


def pair(answer: Any) -> tuple[Any, Any]:
    if not isinstance(answer, (tuple, list)) or len(answer) != 2:
        seen = f"{len(answer)} values" if isinstance(answer, (tuple, list)) else "single value"
        fail("wrong_type", what="the answer", got=seen, want="pair (output, weights)")
    return answer[0], answer[1]


def same_output(subject: Proxy, reference: Proxy, *args: Any, scale: float = 1.0, **kwargs: Any) -> None:
    want, _ = reference.call("attention", *in_float64(args), **in_float64(kwargs))
    got, _ = pair(subject.call("attention", *args, **kwargs))
    close(got, want, "the output", scale=scale)


def finite(got: Any, shape: tuple[int, ...], what: str = "the output") -> Tensor:
    """The student's own answer, before another one is compared with it: NaN would equal NaN."""
    tensor = of_shape(got, shape, what)
    if not bool(tensor.isfinite().all()):
        at = tensor.isfinite().logical_not().nonzero()[0].tolist()
        fail("not_finite", what=what, got=str(float(tensor[tuple(at)])), index=at, want="a number")
    return tensor


def has_dtype(got: Any, dtype: torch.dtype, what: str = "the output") -> None:
    if not isinstance(got, Tensor):
        fail("wrong_type", what=what, got=type(got).__name__, want="tensor")
    if got.dtype != dtype:
        fail("wrong_dtype", what=what, got=str(got.dtype)[6:], want=str(dtype)[6:])


# Multi-head attention. C is n_embd = dim, H the heads; the width of a head, C / H, equals no other length.
ONE_HEAD = Table.of(
    {"B": 1, "T": 1, "C": 3, "H": 1},
    {"B": 1, "T": 2, "C": 3, "H": 1},
    {"B": 2, "T": 3, "C": 5, "H": 1},
)
HEADS = Table.of(
    {"B": 1, "T": 1, "C": 4, "H": 2},
    {"B": 1, "T": 3, "C": 4, "H": 2},
    {"B": 2, "T": 5, "C": 12, "H": 3},
    {"B": 3, "T": 5, "C": 8, "H": 4},
    {"B": 2, "T": 3, "C": 5, "H": 5},
)
CROSS = Table.of(
    {"B": 1, "T": 1, "S": 2, "C": 3, "H": 1},
    {"B": 1, "T": 2, "S": 3, "C": 4, "H": 1},
    {"B": 2, "T": 3, "S": 6, "C": 4, "H": 1},
    {"B": 2, "T": 6, "S": 1, "C": 5, "H": 1},
    {"B": 3, "T": 6, "S": 2, "C": 4, "H": 1},
)


@cases(ONE_HEAD)
def test_mha_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """With one head: each input through its own projection, attention, and wo."""
    heads(subject, reference, case).agree(*three(case))


@cases(HEADS)
def test_mha_heads(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Each head attends with its own slice of the projections, scaled by the root of the head width."""
    heads(subject, reference, case).agree(*three(case))


@cases(CROSS)
def test_mha_cross_attention(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Keys and values may be longer or shorter than the queries, and the output has the query's length."""
    heads(subject, reference, case).agree(*three(case))


@cases(
    Table.of(
        {"kind": "one for all", "mask": (3, 4), "to": torch.bool},
        {"kind": "hidden keys", "mask": (2, 1, 1, 4), "to": torch.bool},
        {"kind": "one per sequence", "mask": (2, 1, 3, 4), "to": torch.bool},
        {"kind": "one for all, as many queries as sequences", "mask": (2, 4), "to": torch.bool, "T": 2},
        {"kind": "one for all, of three axes", "mask": (1, 3, 4), "to": torch.bool},
        {"kind": "one per head", "mask": (2, 5, 3, 4), "to": torch.bool},
        {"kind": "integers, one for all", "mask": (3, 4), "to": torch.int64},
        {"kind": "integers, hidden keys", "mask": (2, 1, 1, 4), "to": torch.int32},
    )
)
def test_mha_mask(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A query attends only where the mask is True (or 1), in every head; without a mask it attends to all."""
    layer = twins(subject, reference, case, "MultiHeadAttention", ModelArgs(n_embd=10, dim=10, n_heads=5))
    q, k, v = (case.normal(2, n, 10) for n in (case.dims.get("T", 3), 4, 4))
    layer.agree(q, k, v, mask=allowed(case, *case.mask).to(case.to))
    layer.agree(q, k, v)


@cases(
    Table.of(
        {"B": 1, "T": 2, "S": 3, "C": 4, "H": 1, "kind": "other hidden keys"},
        {"B": 1, "T": 3, "S": 5, "C": 8, "H": 2, "kind": "all score far below 0", "all": -150.0},
        {"B": 1, "T": 3, "S": 5, "C": 8, "H": 2, "kind": "hidden score high", "hidden": 15.0},
        {
            "B": 1,
            "T": 3,
            "S": 5,
            "C": 8,
            "H": 2,
            "kind": "hidden score higher",
            "hidden": 150.0,
            "dtype": torch.float64,
        },
    )
)
def test_mha_hidden_keys_do_not_matter(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A hidden key and its value have no influence: the output is that for the other keys alone."""
    layer = heads(subject, reference, case, weights=plain(case)).student
    q, k, v = three(case)
    q, seen = q.abs() * 0.01 + 1.0, allowed(case, case.S)  # a score is about root(C / H) * the mean of the key
    k = k + case.dims.get("all", 0.0) + case.dims.get("hidden", 0.0) * ~seen[:, None]
    v = v + 500.0 * ~seen[:, None]
    want = finite(layer(q, k[:, seen], v[:, seen]), q.shape)
    got = layer(q, k, v, mask=seen[None, None, None])
    close(got, want, LEFT_OUT, scale=20.0)  # scores of 300 carry an error of some 5e-5


@cases(
    Table.of(
        {"B": 1, "T": 2, "S": 3, "C": 4, "H": 1, "kind": "large", "signs": (1.0, 1.0)},
        {"B": 1, "T": 2, "S": 3, "C": 4, "H": 1, "kind": "far below 0", "signs": (-1.0, -1.0)},
        {"B": 2, "T": 2, "S": 3, "C": 8, "H": 2, "kind": "both", "signs": (1.0, -1.0)},
    )
)
def test_mha_large_scores(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Scores of several hundred, of either sign, do not overflow: a query's weights still sum to 1."""
    layer = heads(subject, reference, case, weights=plain(case)).student
    q, k, v = three(case)
    q, k = q * 0.001 + torch.tensor(case.signs)[:, None], k + 200.0
    v = v[:, :1].expand_as(k)  # equal values: the output is theirs, whatever the scores
    want = finite(layer(q, 0.0 * k[:, :1], v[:, :1]), q.shape)
    close(layer(q, k, v), want, "the output for equal values", scale=4.0)


@cases(
    Table.of(
        {"B": 1, "T": 1, "C": 4, "H": 2, "kind": "alone"},
        {"B": 1, "T": 3, "C": 4, "H": 1, "kind": "alone"},
        {"B": 2, "T": 5, "C": 8, "H": 2, "kind": "alone"},
        {"B": 2, "T": 5, "C": 8, "H": 2, "kind": "with padding"},
        {"B": 2, "T": 5, "C": 8, "H": 2, "kind": "with a mask for all"},
        {"B": 2, "T": 5, "C": 8, "H": 2, "kind": "with integers"},
        {"B": 2, "T": 5, "C": 8, "H": 2, "kind": "all score far below 0", "key": -150.0, "ramp": 0.0},
        {"B": 2, "T": 4, "C": 8, "H": 2, "kind": "later is higher", "key": 0.0, "ramp": 10.0},
        {"B": 2, "T": 4, "C": 8, "H": 2, "kind": "later is higher", "key": 0.0, "ramp": 60.0, "dtype": torch.float64},
        {"B": 1, "T": 130, "C": 2, "H": 1, "kind": "more positions than a small integer counts"},
    )
)
def test_mha_causal(subject: Proxy, reference: Proxy, case: Case) -> None:
    """With is_causal no query sees a later position, and a mask that is given still counts."""
    q, k, v = three(case) if "ramp" in case.dims else three(case)[:1] * 3
    if "ramp" in case.dims:  # a score is about root(C / H) * the mean of the key
        q, k = q.abs() * 0.01 + 1.0, k + case.key + case.ramp * torch.arange(case.T)[:, None]
    weights = plain(case) if "ramp" in case.dims else None
    sizes = {"max_seq_len": case.T + 2, "block_size": 1}
    free = heads(subject, reference, case, weights=weights, **sizes)
    causal = heads(subject, reference, case, True, weights=free.weights, **sizes)
    mask, past = companion(case), torch.ones(case.T, case.T, dtype=torch.bool).tril()
    want = finite(free.student(q, k, v, mask=past if mask is None else past & mask.bool()), q.shape)
    for length in range(1, case.T) if mask is None and case.T < 9 else ():  # a text that grows, as in generation
        short = causal.student(*(x[:, :length] for x in (q, k, v)))
        close(short, want[:, :length], f"the output for length {length}{COMPARED}", scale=20.0)
    close(causal.student(q, k, v, mask=mask), want, f"the output{COMPARED}", scale=20.0)


def companion(case: Case) -> Tensor | None:
    """A mask for causal attention that leaves every query something: the first token, or itself."""
    if case.kind == "with padding":
        lengths = torch.tensor([3, 5])
        return (torch.arange(case.T) < lengths[:, None])[:, None, None, :]
    if case.kind == "with a mask for all":
        return allowed(case, case.T, case.T) | torch.eye(case.T, dtype=torch.bool)
    if case.kind == "with integers":
        return (allowed(case, case.B, 1, case.T, case.T) | torch.eye(case.T, dtype=torch.bool)).long()
    return None


@cases(Table.of({"B": 1, "T": 3, "C": 4, "H": 2}, {"B": 2, "T": 5, "C": 8, "H": 2}))
def test_mha_too_long(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Causal attention refuses more than max_seq_len positions, takes exactly as many, and others know no limit."""
    fits, long = (case.normal(case.B, n, case.C) for n in (case.T, case.T + 1))
    sizes = {"max_seq_len": case.T, "block_size": case.T + 9}
    causal, free = (heads(subject, reference, case, how, **sizes).student for how in (True, False))
    of_shape(causal(fits, fits, fits), fits.shape)
    of_shape(free(long, long, long), long.shape)
    past, what = (
        torch.ones(case.T + 1, case.T + 1, dtype=torch.bool).tril(),
        f"A causal input of {case.T + 1} positions",
    )
    refused(lambda: causal(long, long, long), f"{what} with max_seq_len={case.T}")
    refused(lambda: causal(long, long, long, mask=past), f"{what} and a mask of their size with max_seq_len={case.T}")


@cases(
    Table.of(
        {"B": 1, "T": 3, "C": 4, "H": 2, "dropout": 0.5},
        {"B": 2, "T": 5, "C": 8, "H": 2, "dropout": 0.9, "causal": True},
    )
)
def test_mha_dropout_off_in_eval(subject: Proxy, reference: Proxy, case: Case) -> None:
    """In eval mode dropout is off: the output is that of a dropout of 0, and the same at every call."""
    causal, x = case.dims.get("causal", False), case.normal(case.B, case.T, case.C)
    without = heads(subject, reference, case, causal, dropout=0.0)
    layer = heads(subject, reference, case, causal, weights=without.weights)
    want = finite(without.student(x, x, x), x.shape)
    close(layer.student(x, x, x), want, "the output, compared with yours for a dropout of 0,")
    layer.repeatable(x, x, x)


@cases(
    Table.of(
        {"B": 2, "T": 3, "S": 4, "C": 6, "H": 2, "dropout": 0.0},
        {"B": 2, "T": 3, "C": 6, "H": 2, "dropout": 0.0, "causal": True},
        {"B": 2, "T": 16, "S": 12, "C": 6, "H": 2, "dropout": 0.25},
        {"B": 6, "T": 12, "C": 6, "H": 2, "dropout": 0.25, "causal": True},
    )
)
def test_mha_dropout_on_weights(subject: Proxy, reference: Proxy, case: Case) -> None:
    """In train mode dropout of args.dropout acts on the attention weights, after softmax, on each by itself."""
    causal, (q, k, v) = case.dims.get("causal", False), three(case)
    if case.dropout == 0:
        layer = heads(subject, reference, case, causal).student
        mask = None if causal else allowed(case, case.B, 1, case.T, case.S)
        before = of_shape(layer(q, k, v, mask=mask), q.shape)
        layer.train()
        unmoved(before, of_shape(layer(q, k, v, mask=mask), q.shape), "Train mode with a dropout of 0", "the output")
        return
    weights = {f"{name}.weight": torch.eye(case.C) for name in ("wq", "wk", "wv", "wo")}
    layer = heads(subject, reference, case, causal, weights=weights).student
    layer.train()
    there = torch.ones(case.T, k.size(1), dtype=torch.bool).tril(0 if causal else k.size(1))
    kept = kept_weights(case, layer, there)
    holds(not torch.equal(kept, there.expand_as(kept)), "No weight was dropped after softmax.")
    each_by_itself(case, kept, there)
    seen = there & (torch.arange(there.size(1)) % 3 != 1)
    subject.seed += 1
    again = kept_weights(case, layer, seen, mask=seen)
    subject.seed -= 1
    holds(not torch.equal(again, seen.expand_as(again)), "No weight was dropped after softmax when there was a mask.")
    holds(not torch.equal(again, kept & seen), "Two calls lost the same weights; each call draws its own.")


def kept_weights(case: Case, layer: Module, there: Tensor, **mask: Tensor) -> Tensor:
    """Which of the weights (B, H, T, S) of those that are `there` (T, S) were kept.

    All queries are 0, so all scores are; key and value s are 2^s. So an output times the number of weights in its row,
    times 1 - p, is a binary number: the sum over the keys that were kept. Further dropouts, which are welcome, divide
    by 1 - p again or put a 0 in its place.
    """
    p, size = case.dropout, there.size(1)
    value = (2.0 ** torch.arange(size))[:, None].repeat(case.B, 1, case.C)
    query = torch.zeros(case.B, case.T, case.C)
    got = of_shape(layer(query, value, value, **mask), tuple(query.shape)).double()
    rows = got.reshape(case.B, case.T, case.H, -1).transpose(1, 2) * there.sum(-1)[:, None]  # (B, H, T, C / H)
    holds(bool(rows.any()), "In train mode every output is 0.")
    times = [n for n in range(5) if binary(rows * (1 - p) ** n, size)]
    when = ", with a mask" if mask else ""
    holds(bool(times), f"With p = {p} some weights become 0 and the others are divided by {1 - p}: not so here{when}.")
    sums = (rows * (1 - p) ** times[0]).round().long()
    kept: Tensor = (sums[..., None].bitwise_right_shift(torch.arange(size)) % 2 == 1).any(-2)
    dropped = not torch.equal(kept, there.expand_as(kept))
    holds(times[0] > 0 or not dropped, f"Weights were dropped, but those that were kept were not divided by {1 - p}.")
    return kept


def binary(sums: Tensor, size: int) -> bool:
    """Whole numbers of `size` binary digits."""
    return bool(((sums - sums.round()).abs() < 0.05).all() & (sums < 2**size).all())


def each_by_itself(case: Case, kept: Tensor, there: Tensor) -> None:
    """About 1 - p of the weights are kept, in no pattern."""
    for those, one, other in (
        ("heads", kept[:, 1:], kept[:, :-1]),
        ("rows of the batch", kept[1:], kept[:-1]),
        ("queries", kept[:, :, 1:] & there[:-1], kept[:, :, :-1]),
    ):
        holds(not torch.equal(one, other), f"All {those} lost the same weights; each weight is dropped by itself.")
    number = kept.sum(-1)  # (B, H, T)
    whole = bool(((number == 0) | (number == there.sum(-1))).all())
    holds(not whole, "A query lost all its weights or none; each weight is dropped by itself.")
    share, p = float(number.sum() / there.sum()) / (case.B * case.H), case.dropout
    holds(
        abs(share - (1 - p)) < 0.1, f"With p = {p} a share of {1 - p} of the weights is kept, here it is {share:.2f}."
    )


@cases(
    Table.of(
        {"B": 1, "T": 2, "S": 3, "C": 4, "H": 1},
        {"B": 2, "T": 3, "S": 5, "C": 8, "H": 2, "kind": "mask"},
        {"B": 2, "T": 3, "S": 3, "C": 8, "H": 2, "kind": "causal"},
        {"B": 2, "T": 3, "S": 5, "C": 8, "H": 2, "kind": "mask", "train": True},
        {"B": 2, "T": 3, "S": 5, "C": 8, "H": 2, "kind": "dropout", "train": True, "dropout": 0.5},
    )
)
def test_mha_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients flow to query, key and value, and to each of wq, wk, wv and wo, in eval mode and in train mode."""
    how, names = case.dims.get("kind"), ("query", "key", "value")
    mask = allowed(case, case.B, 1, case.T, case.S) if how == "mask" else None
    layer = heads(subject, reference, case, how == "causal")
    if case.dims.get("train"):
        layer.student.train()
    if how == "dropout":  # which weights are dropped is open, so only that something arrives
        cotangents: list[Tensor | None] = [case.normal(case.B, case.T, case.C)]
        found = layer.student.gradients(*three(case), cotangents=cotangents).inputs
        for i, name in enumerate(names):
            arrived = found.get(i)
            if arrived is None or not bool(arrived.any()):
                fail("no_gradient", what=f"{name} in train mode with a dropout of {case.dropout}")
        return
    layer.agree_gradients(*three(case), mask=mask, inputs=names, scale=4.0)  # sums of some 100 products


@cases(Table.of({"B": 1, "T": 2, "C": 6, "H": 2}, {"B": 1, "T": 2, "C": 6, "H": 2, "causal": True}))
def test_mha_parameters(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The only trainable numbers are those of wq, wk, wv and wo; PyTorch sees them, and every layer reads its own."""
    layer, other = (heads(subject, reference, case, case.dims.get("causal", False)) for _ in range(2))
    layer.same_parameters()
    layer.own_weights(other, *three(case))


@cases(Table.of({"B": 2, "T": 3, "C": 8, "H": 2}, {"B": 2, "T": 3, "C": 8, "H": 2, "causal": True}))
def test_mha_dtype_and_inputs(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Output and masks follow dtype and device of the inputs, which stay as they are; earlier calls leave no trace."""
    layer = heads(subject, reference, case, case.dims.get("causal", False))
    x, mask = three(case), torch.tensor([[1, 1, 0], [1, 1, 1]])[:, None, None, :].repeat(1, 1, case.T, 1)
    for version in (None, mask, mask.bool()):
        leaves_inputs_alone(layer.student, *x, mask=version, inputs=("query", "key", "value"))
    layer.follows_device(*x, mask=mask.bool())
    layer.follows_device(*x)
    layer.agree(*three(case), mask=mask.bool())
    layer.agree(*x, mask=mask.bool())
    layer.follows_dtype(*x, mask=mask.bool())


def test_mha_own_work(subject: Proxy) -> None:
    """You built the heads from your own parts, without PyTorch's attention."""
    x = torch.ones(2, 3, 16)
    own_work(subject, "MultiHeadAttention", x, x, x, construct=[ModelArgs(), True])
    own_work(subject, "MultiHeadAttention", x, x, x, mask=torch.ones(3, 3, dtype=torch.bool), construct=[ModelArgs()])


def heads(
    subject: Proxy, reference: Proxy, case: Case, causal: bool = False, weights: Any = None, **sizes: Any
) -> Twins:
    sizes = {"n_embd": case.C, "dim": case.C, "n_heads": case.H, "dropout": case.dims.get("dropout", 0.0), **sizes}
    more = [True] if causal else []  # False is the default
    layer = twins(subject, reference, case, "MultiHeadAttention", ModelArgs(**sizes), *more, weights=weights)
    layer.student.to(case.dims.get("dtype", torch.float32))
    return layer


def plain(case: Case) -> dict[str, Tensor]:
    """Weights with which query and key go into the scores as they are."""
    one = torch.eye(case.C)
    value, out = (case.normal(case.C, case.C, scale=0.6, dtype=torch.float32) for _ in range(2))
    return {"wq.weight": one, "wk.weight": one, "wv.weight": value, "wo.weight": out}


def three(case: Case) -> tuple[Tensor, Tensor, Tensor]:
    """query (B, T, C), key and value (B, S, C); S is T unless the row says otherwise."""
    length = case.dims.get("S", case.T)
    return case.normal(case.B, case.T, case.C), case.normal(case.B, length, case.C), case.normal(case.B, length, case.C)


def allowed(case: Case, *shape: int) -> Tensor:
    """A random mask: in each row of the last axis at least one entry is allowed, and one hidden if there are two."""
    draw = case.normal(*shape, dtype=torch.float64)
    return (draw > 0) & (draw != draw.amin(-1, keepdim=True)) | (draw == draw.amax(-1, keepdim=True))


def follows_device(subject: Proxy, task: str, *args: Any, **kwargs: Any) -> None:
    if subject.device_problem(task, *args, **kwargs):
        fail("wrong_device", task=task)
