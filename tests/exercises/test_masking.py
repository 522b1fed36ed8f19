"""Checks of masking: True = may attend, hidden entries have no weight, and nothing allowed gives zeros, never NaN."""

import torch
from torch import Tensor

from grader.run.suite import (
    Case,
    Proxy,
    Table,
    agree,
    agree_gradients,
    cases,
    close,
    equal,
    fail,
    holds,
    leaves_inputs_alone,
    of_shape,
    own_work,
    unmoved,
)

SIZES = Table.of({"T": 1}, {"T": 2}, {"T": 3}, {"T": 5}, {"T": 8})


@cases(SIZES + Table.of({"T": 300}))  # more than 8 bits can count
def test_causal_mask_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Position i may attend to the positions 0 to i: cell (i, j) is True exactly when j <= i."""
    equal(subject.call("causal_mask", case.T), reference.call("causal_mask", case.T), "the mask")


@cases(SIZES)
def test_causal_mask_sees_itself(subject: Proxy, case: Case) -> None:
    """Every position may attend to itself: the diagonal is True, also in row 0."""
    mask = square(subject, case.T)
    blind = [i for i in range(case.T) if not mask[i, i]]
    holds(not blind, f"With {case.T} positions, position {blind[:1]} may not attend to itself.")


@cases(SIZES)
def test_causal_mask_hides_the_future(subject: Proxy, case: Case) -> None:
    """No position may attend to a later one, and the last one may attend to all before it."""
    mask = square(subject, case.T)
    leaks = mask.triu(1).nonzero().tolist()
    holds(not leaks, f"With {case.T} positions, [query, key] = {leaks[:1]} is allowed, though the key comes later.")
    holds(
        bool(mask[-1, :-1].all()),
        f"With {case.T} positions, the last one does not see all before it: {mask[-1].tolist()}.",
    )


@cases(SIZES.where(T=1) + SIZES.where(T=3))
def test_causal_mask_is_boolean(subject: Proxy, case: Case) -> None:
    """The mask is a boolean tensor of shape (T, T)."""
    boolean(subject.call("causal_mask", case.T), (case.T, case.T))


def boolean(mask: object, shape: tuple[int, ...]) -> None:
    dtype = of_shape(mask, shape, "the mask").dtype
    if dtype != torch.bool:
        fail("wrong_dtype", what="the mask", got=str(dtype).removeprefix("torch."), want="bool")


def square(subject: Proxy, size: int) -> Tensor:
    return of_shape(subject.call("causal_mask", size), (size, size), "the mask") != 0


# Ids: the padding is on the right, as a tokenizer puts it; every sequence has its own length.
RIGHT_PADDED = Table.of(
    {"ids": [[3, 0]], "pad": 0},
    {"ids": [[3, 1, 0], [2, 0, 0]], "pad": 0},
    {"ids": [[4, 2, 1, 3, 0], [5, 1, 0, 0, 0], [1, 2, 3, 4, 5]], "pad": 0},
)
OTHER_PADS = Table.of(
    {"ids": [[0, 7, 7]], "pad": 7},
    {"ids": [[0, 1, 9, 3], [5, 0, 3, 3]], "pad": 3},
    {"ids": [[0, 1, 2, -1], [1, 0, -1, -1]], "pad": -1},
    {"ids": [[50256, 11, 50256], [50257, 0, 50256]], "pad": 50256},
    {"ids": [[1, 65537, 4294967297]], "pad": 1, "kind": "equal in their last 16 or 32 bits"},
    {"ids": [[16777216, 16777217], [16777217, 5]], "pad": 16777217, "kind": "equal in float32"},
)
ANYWHERE = Table.of(
    {"ids": [[0, 3]], "pad": 0},
    {"ids": [[0, 0, 4], [2, 0, 1]], "pad": 0},
    {"ids": [[6, 2, 6, 9], [6, 6, 5, 6], [9, 8, 7, 1]], "pad": 6},
)
WIDE = Table.of(
    {"ids": [[4]], "pad": 0}, {"ids": [[4, 0, 1], [2, 3, 0]], "pad": 0}, {"ids": [[1, 5], [5, 2], [3, 4]], "pad": 5}
)


@cases(RIGHT_PADDED)
def test_padding_mask_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """True where the token is a real one, False where it is padding, for every sequence of the batch."""
    same_padding(subject, reference, case)


@cases(OTHER_PADS)
def test_padding_mask_uses_pad_id(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Padding is the id that was given, whatever it is; 0 and greater ids may be real tokens."""
    same_padding(subject, reference, case)


@cases(ANYWHERE)
def test_padding_mask_anywhere(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Padding counts wherever it stands: on the left, in between, on the right, or nowhere."""
    same_padding(subject, reference, case)


@cases(WIDE)
def test_padding_mask_shape(subject: Proxy, case: Case) -> None:
    """The mask is boolean, of shape (B, 1, 1, S); the ids stay as they are, and may be int32."""
    ids = torch.tensor(case.ids)
    boolean(subject.call("padding_mask", ids.int(), case.pad), (ids.size(0), 1, 1, ids.size(1)))
    leaves_inputs_alone(subject, "padding_mask", ids, case.pad, inputs=("ids",))
    follows_device(subject, "padding_mask", ids, case.pad)


def same_padding(subject: Proxy, reference: Proxy, case: Case) -> None:
    ids = torch.tensor(case.ids)
    equal(subject.call("padding_mask", ids, case.pad), reference.call("padding_mask", ids, case.pad), "the mask")


MASKS = Table.of(
    {"shape": (2, 3), "dtype": torch.float32},
    {"shape": (1,), "dtype": torch.float32},
    {"shape": (5,), "dtype": torch.float64},
    {"shape": (2, 1, 1, 4), "dtype": torch.float32},
    {"shape": (2, 3, 4), "dtype": torch.float32},
    {"shape": (2, 1, 3, 4), "dtype": torch.float32},
)


@cases(
    MASKS
    + Table.of(
        {"shape": (4, 3), "dtype": torch.float32, "kind": "transposed"},
        {"shape": (12, 1, 1, 140), "dtype": torch.float32, "kind": "many keys"},
        {"shape": (3, 2), "dtype": torch.float32, "kind": "all allowed"},
    )
)
def test_additive_mask_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """0 where it may attend and -inf where it may not, in the shape of the mask; no NaN."""
    mask = allowed(case, *case.shape)
    mask = mask.T if case.dims.get("kind") == "transposed" else mask
    mask = mask | (case.dims.get("kind") == "all allowed")
    agree(subject, reference, "additive_mask", mask, case.dtype)


@cases(MASKS + Table.of({"shape": (2, 3), "dtype": torch.float32, "kind": torch.uint8}))
def test_additive_mask_integers(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Integers 1 and 0 mean the same as True and False."""
    mask = allowed(case, *case.shape).to(case.dims.get("kind", torch.int64))
    agree(subject, reference, "additive_mask", mask, case.dtype)


@cases(Table.of(*({"T": 3, "S": 4, "dtype": d} for d in (torch.float32, torch.float64, torch.bfloat16, torch.float16))))
def test_additive_mask_dtype(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The result has the dtype that was asked for."""
    mask = allowed(case, case.T, case.S)
    got, want = (side.call("additive_mask", mask, case.dtype) for side in (subject, reference))
    close(got, want, dtype=case.dtype)


@cases(Table.of({"T": 2, "S": 3}))
def test_additive_mask_keeps_its_input(subject: Proxy, case: Case) -> None:
    """The mask stays as it is, and the result is on the mask's device."""
    mask = allowed(case, case.T, case.S)
    for version in (mask, mask.int()):
        leaves_inputs_alone(subject, "additive_mask", version, torch.float32, inputs=("mask",))
    follows_device(subject, "additive_mask", mask, torch.float32)


SCORES = Table.of(
    {"shape": (2,)},
    {"shape": (3, 1)},
    {"shape": (3, 5)},
    {"shape": (2, 3, 4)},
    {"shape": (2, 3, 4, 5), "kind": "heads"},
    {"shape": (2, 3, 4, 5), "kind": "float64", "dtype": torch.float64},
)


@cases(SCORES)
def test_masked_softmax_without_mask(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Without a mask it is the plain softmax, and its weights sum to 1."""
    agree(subject, reference, "masked_softmax", case.normal(*case.shape, scale=2.0), names=("the weights",))


@cases(SCORES + Table.of({"shape": (12, 1, 2, 140), "kind": "many keys"}))
def test_masked_softmax_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Hidden entries get exactly 0, and the allowed ones share the whole weight among them."""
    scores, mask = case.normal(*case.shape, scale=1.5), allowed(case, *case.shape)
    same_weights(subject, reference, scores, mask)


@cases(
    Table.of(
        {"kind": "integers", "mask": (2, 3, 4, 5), "to": torch.int64},
        {"kind": "one for all", "mask": (4, 5), "to": torch.bool},
        {"kind": "one for all, as many queries as sequences", "mask": (2, 5), "to": torch.bool, "T": 2},
        {"kind": "one row for all", "mask": (5,), "to": torch.bool},
        {"kind": "one per head", "mask": (3, 4, 5), "to": torch.bool},
        {"kind": "hidden keys", "mask": (2, 1, 1, 5), "to": torch.bool},
        {"kind": "one per sequence", "mask": (2, 1, 4, 5), "to": torch.bool},
        {"kind": "integers, one for all", "mask": (4, 5), "to": torch.int32},
        {"kind": "integers, hidden keys", "mask": (2, 1, 1, 5), "to": torch.uint8},
    )
)
def test_masked_softmax_mask_kinds(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Integers 1 and 0 are a mask too, and a mask of shape (T, S), (B, 1, 1, S) or (B, 1, T, S) broadcasts."""
    scores, mask = case.normal(2, 3, case.dims.get("T", 4), 5), allowed(case, *case.mask).to(case.to)
    agree(subject, reference, "masked_softmax", scores, mask, names=("the weights",))


@cases(
    Table.of(
        {"kind": "another hidden score", "T": 2, "S": 4, "lead": 4.0},
        {"kind": "a hidden score that leads by far", "T": 2, "S": 4, "lead": 300.0},
        {"kind": "a hidden score that leads by very far", "T": 2, "S": 4, "lead": 1e5},
        {"kind": "allowed scores far below 0", "T": 3, "S": 4, "lead": 0.0, "mean": -400.0},
    )
)
def test_masked_softmax_hidden_scores_do_not_matter(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The score of a hidden entry has no influence, even where it is larger than the others."""
    mask = allowed(case, case.T, case.S)
    scores = case.normal(case.T, case.S, mean=case.dims.get("mean", 0.0))
    louder = scores + case.lead * ~mask
    before, after = (subject.call("masked_softmax", x, mask) for x in (scores, louder))
    of_shape(before, scores.shape, "the weights")
    close(after, reference.call("masked_softmax", louder.double(), mask), "the weights")
    unmoved(before, after, "A change of the hidden scores", "the weights")


@cases(
    Table.of(
        {"kind": "one row", "shape": (1, 3), "hide": (0,)},
        {"kind": "a row among others", "shape": (3, 4), "hide": (1,)},
        {"kind": "a row of one head", "shape": (2, 3, 4, 5), "hide": (1, 2, 0)},
        {"kind": "a whole sequence", "shape": (2, 3, 4, 5), "hide": (1,), "integers": True},
        {"kind": "everything, float64", "shape": (2, 3), "hide": (), "dtype": torch.float64},
        {"kind": "a column, along dim 0", "shape": (3, 4), "hide": (1,), "columns": True},
    )
)
def test_masked_softmax_nothing_allowed(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Where nothing is allowed, all weights are 0, never NaN; other rows are as always."""
    scores, mask = case.normal(*case.shape, scale=2.0), allowed(case, *case.shape)
    mask[case.hide] = False
    if case.dims.get("columns"):
        same_weights(subject, reference, scores.T, mask.T, 0)
    else:
        same_weights(subject, reference, scores, mask.long() if case.dims.get("integers") else mask)


def same_weights(subject: Proxy, reference: Proxy, scores: Tensor, mask: Tensor, dim: int = -1) -> None:
    """As the reference's, and exactly 0 where hidden."""
    got = subject.call("masked_softmax", scores, mask, dim)
    close(got, reference.call("masked_softmax", scores.double(), mask, dim), "the weights")
    leak = float(got.masked_fill(mask != 0, 0.0).abs().max())
    holds(leak == 0, f"A hidden entry has the weight {leak:.2g}; it should be exactly 0.")


@cases(
    Table.of(
        {"kind": "large", "T": 2, "S": 3, "means": (300.0, 300.0)},
        {"kind": "far below 0", "T": 2, "S": 3, "means": (-300.0, -300.0)},
        {"kind": "both", "T": 2, "S": 5, "means": (300.0, -300.0)},
        {"kind": "both, without a mask", "T": 2, "S": 4, "means": (-400.0, 400.0), "free": True},
        {"kind": "far apart, without a mask", "T": 3, "S": 5, "means": (0.0, 0.0, 0.0), "spread": 250.0, "free": True},
    )
)
def test_masked_softmax_large_scores(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Scores of several hundred do not overflow, whichever sign each row has."""
    scores = case.normal(case.T, case.S, scale=case.dims.get("spread", 1.0)) + torch.tensor(case.means)[:, None]
    mask = None if case.dims.get("free") else allowed(case, case.T, case.S)
    agree(subject, reference, "masked_softmax", scores, mask, names=("the weights",))


@cases(
    Table.of(
        {"shape": (3, 4), "dim": 0},
        {"shape": (3, 4), "dim": 1},
        {"shape": (2, 3, 5), "dim": 1},
        {"shape": (2, 3, 5), "dim": -2},
        {"shape": (2, 3, 5, 4), "dim": 0, "free": True},
        {"shape": (2, 3, 5, 4), "dim": 2, "free": True},
        {"shape": (2, 3, 5), "dim": 1, "kind": "a mask for all rows", "mask": (3, 1)},
    )
)
def test_masked_softmax_any_dim(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The weights sum to 1 along `dim`, whichever axis it is, counted from either end."""
    scores, mask = case.normal(*case.shape, scale=1.0), None
    if not case.dims.get("free"):
        shape = list(case.dims.get("mask", case.shape))
        axis = case.dim if "mask" not in case.dims else 0
        shape[axis], shape[-1] = shape[-1], shape[axis]
        mask = allowed(case, *shape).transpose(axis, -1)  # something is allowed along `dim`
    agree(subject, reference, "masked_softmax", scores, mask, case.dim, names=("the weights",))


@cases(
    Table.of(
        {"shape": (3, 4), "kind": "no mask"},
        {"shape": (3, 4), "kind": "mask"},
        {"shape": (2, 3, 4, 5), "kind": "mask"},
        {"shape": (3, 4), "kind": "no mask", "dim": 0},
    )
)
def test_masked_softmax_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients flow back to the allowed scores, and none reaches a hidden one."""
    mask = allowed(case, *case.shape) if case.kind == "mask" else None
    scores, dim = case.normal(*case.shape), case.dims.get("dim", -1)
    agree_gradients(subject, reference, case, "masked_softmax", scores, mask, dim, inputs=("scores",))


@cases(Table.of({"T": 3, "S": 4, "dtype": torch.float32}, {"T": 3, "S": 4, "dtype": torch.float64}))
def test_masked_softmax_dtype_and_inputs(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The result has the dtype and device of the scores; scores and mask stay as they are."""
    scores, mask = case.normal(case.T, case.S), allowed(case, case.T, case.S)
    got, want = (side.call("masked_softmax", scores, mask) for side in (subject, reference))
    close(got, want, "the weights", dtype=case.dtype)
    for version in (None, mask, mask.long()):
        leaves_inputs_alone(subject, "masked_softmax", scores, version, inputs=("scores", "mask"))
    follows_device(subject, "masked_softmax", scores, mask)
    follows_device(subject, "masked_softmax", scores)


def test_masked_softmax_own_work(subject: Proxy) -> None:
    """You wrote the softmax yourself, without PyTorch's."""
    own_work(subject, "masked_softmax", torch.ones(2, 3))
    own_work(subject, "masked_softmax", torch.ones(2, 3, 4), None, 1)
    own_work(subject, "masked_softmax", torch.ones(2, 3), torch.tensor([True, False, True]))


def allowed(case: Case, *shape: int) -> Tensor:
    """A random mask: in each row of the last axis at least one entry is allowed, and one hidden if there are two."""
    draw = case.normal(*shape, dtype=torch.float64)
    return (draw > 0) & (draw != draw.amin(-1, keepdim=True)) | (draw == draw.amax(-1, keepdim=True))


def follows_device(subject: Proxy, task: str, *args: object) -> None:
    if subject.device_problem(task, *args):
        fail("wrong_device", task=task)
