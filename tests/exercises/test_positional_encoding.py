"""Checks of positional_encoding: the table of sines and cosines, and the module that adds it."""

import torch

from exercises.model_args import ModelArgs
from grader.run.suite import (
    Case,
    Proxy,
    Table,
    Twins,
    agree,
    cases,
    close,
    close_gradient,
    fail,
    holds,
    leaves_inputs_alone,
    of_shape,
    refused,
    unmoved,
)

TABLE = ("the table",)


@cases(
    Table.of(
        {"length": 2, "width": 2},
        {"length": 3, "width": 4},
        {"length": 4, "width": 6},
        {"length": 5, "width": 8},
        {"length": 12, "width": 16},
        {"length": 3, "width": 130},
    )
)
def test_table_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Even columns are sin(pos / 10000^(2i / width)), odd columns the cosine of the same angle."""
    agree(subject, reference, "sinusoidal_table", case.length, case.width, names=TABLE)


@cases(Table.of({"length": 1, "width": 2}, {"length": 2, "width": 6}))
def test_table_starts_at_position_0(subject: Proxy, case: Case) -> None:
    """Row 0 is position 0: sines are 0 and cosines 1, so it reads 0, 1, 0, 1, …"""
    first = of_shape(subject.call("sinusoidal_table", case.length, case.width), (case.length, case.width), "the table")[
        0
    ]
    close(first, torch.tensor([0.0, 1.0]).repeat(case.width // 2).double(), "row 0 of the table")


@cases(Table.of({"length": 2, "width": 4}, {"length": 6, "width": 10}))
def test_table_pairs_share_a_frequency(subject: Proxy, case: Case) -> None:
    """The columns 2i and 2i + 1 are sine and cosine of one angle: their squares add up to 1 in every row."""
    table = of_shape(subject.call("sinusoidal_table", case.length, case.width), (case.length, case.width), "the table")
    norm = table.double().unflatten(1, (-1, 2)).square().sum(-1)  # (length, width / 2)
    at = int((norm - 1).abs().amax(0).argmax())
    worst = float(norm[(norm[:, at] - 1).abs().argmax(), at])
    seen = f"sin² + cos² of the columns {2 * at} and {2 * at + 1} is {worst:.4f}, it should be 1."
    holds(bool((norm - 1).abs().max() < 1e-4), seen)


@cases(Table.of({"length": 2, "width": 4}, {"length": 2, "width": 8}, {"length": 2, "width": 6}))
def test_table_frequencies(subject: Proxy, reference: Proxy, case: Case) -> None:
    """From one pair to the next the frequency falls by the same factor, from 1 towards 1 / 10000."""
    got, want = (side.call("sinusoidal_table", case.length, case.width) for side in (subject, reference))
    angles = [
        torch.atan2(t[1, 0::2].double(), t[1, 1::2].double()) for t in (of_shape(got, want.shape, "the table"), want)
    ]
    close(angles[0], angles[1], "the frequency of each pair")


@cases(
    Table.of({"length": 2, "width": 1}, {"length": 3, "width": 3}, {"length": 4, "width": 5}, {"length": 3, "width": 7})
)
def test_table_odd_width(subject: Proxy, reference: Proxy, case: Case) -> None:
    """An odd width works too, and ends with a sine."""
    agree(subject, reference, "sinusoidal_table", case.length, case.width, names=TABLE)


@cases(
    Table.of(
        {"length": 1, "width": 4},
        {"length": 7, "width": 4},
        {"length": 40, "width": 6},
        {"length": 600, "width": 4},
    )
)
def test_table_lengths(subject: Proxy, reference: Proxy, case: Case) -> None:
    """One row as well as many, each with its own position, and no more rows than asked for."""
    rough = max(1.0, case.length / 20)  # float32 rounds an angle in proportion to its size
    agree(subject, reference, "sinusoidal_table", case.length, case.width, names=TABLE, scale=rough)


SIZES = Table.of(
    {"B": 1, "T": 1, "C": 2, "block": 3},
    {"B": 2, "T": 3, "C": 4, "block": 7},
    {"B": 3, "T": 5, "C": 6, "block": 5, "kind": "full length"},
    {"B": 4, "T": 2, "C": 5, "block": 3, "kind": "odd width"},
    {"B": 2, "T": 9, "C": 4, "block": 11, "kind": "longer than max_seq_len"},
    {"B": 3, "T": 2, "C": 4, "block": 5, "kind": "transposed"},
)
RATE = 0.25


@cases(SIZES)
def test_encoding_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The output is x plus the first T rows of the table, the same for every sequence of the batch."""
    x = case.normal(case.B, case.T, case.C)
    if case.dims.get("kind") == "transposed":
        x = x.transpose(0, 1).contiguous().transpose(0, 1)
    encoding(subject, reference, case).agree(x)


@cases(Table.of({"B": 2, "T": 4, "C": 40, "block": 8}))
def test_encoding_is_by_position(subject: Proxy, reference: Proxy, case: Case) -> None:
    """What is added depends on the position alone: not on tokens, length, sequence, mode, or earlier calls."""
    layer = encoding(subject, reference, case)
    x = case.normal(case.B, case.T, case.C)
    short = x[:1, :2]
    before, after, again = (of_shape(layer.student(y), y.shape) for y in (short, x, short))
    unmoved(before, after[:1, :2], "Having more tokens or sequences", "the first ones")
    unmoved(before, again, "A longer input in the call before", "the output of a shorter one")
    nothing = torch.zeros(case.B, case.T, case.C)
    first, second = (of_shape(layer.student(y), x.shape) for y in (x, nothing))
    unmoved(first - x, second, "Other tokens at the same positions", "what is added to them")
    layer.repeatable(x)
    layer.student.train()
    trained = of_shape(layer.student(x), x.shape)
    lost = trained == 0  # a dropout is welcome: it leaves some zeros, and scales all others up
    holds(not bool(lost.all()), "In train mode the whole output is 0.")
    holds(not bool(lost.all(-1).any()), f"In train mode, at rate {RATE}, a token came out with all 40 features at 0.")
    expected = first / (1 - RATE) if bool(lost.any()) else first
    unmoved(expected, torch.where(lost, expected, trained), f"Train mode, apart from a dropout at rate {RATE},", "it")


@cases(Table.of({"B": 1, "T": 2, "C": 2, "block": 2}, {"B": 2, "T": 5, "C": 4, "block": 5}))
def test_encoding_too_long(subject: Proxy, reference: Proxy, case: Case) -> None:
    """More than block_size positions are refused; exactly as many are not."""
    layer = encoding(subject, reference, case)
    of_shape(layer.student(torch.zeros(case.B, case.T, case.C)), (case.B, case.T, case.C))
    for more in (1, 4):
        x = case.normal(case.B, case.T + more, case.C)
        refused(lambda x=x: layer.student(x), f"An input of {case.T + more} positions with block_size={case.block}")


@cases(Table.of({"B": 1, "T": 2, "C": 4, "block": 3}))
def test_encoding_parameters(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Nothing is trainable, and nothing trainable is hidden from PyTorch."""
    encoding(subject, reference, case).same_parameters()


@cases(
    Table.of(
        {"B": 1, "T": 2, "C": 4, "block": 3},
        {"B": 2, "T": 3, "C": 4, "block": 7},
        {"B": 2, "T": 3, "C": 4, "block": 7, "dropout": 0.0, "kind": "train mode"},
    )
)
def test_encoding_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The gradient of the output goes to x unchanged."""
    layer, x, cotangent = encoding(subject, reference, case), *(case.normal(case.B, case.T, case.C) for _ in range(2))
    if case.dims.get("kind") == "train mode":
        layer.student.train()
    close_gradient(layer.student.gradients(x, cotangents=[cotangent]).inputs[0], cotangent.double(), "x")


@cases(Table.of({"B": 1, "T": 2, "C": 4, "block": 3}, {"B": 2, "T": 3, "C": 4, "block": 7}))
def test_encoding_dtype_and_inputs(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The table moves with the module to another dtype or device, and x stays as it is."""
    layer = encoding(subject, reference, case)
    x = case.normal(case.B, case.T, case.C)
    for dtype in (torch.float64, torch.float32):  # in this order: a float64 table that is left over would show
        layer.student.to(dtype)
        got = of_shape(layer.student(x.to(dtype)), x.shape)
        if got.dtype != dtype:
            fail("wrong_dtype", what="the output", got=str(got.dtype)[6:], want=str(dtype)[6:])
    leaves_inputs_alone(layer.student, x, inputs=("x",))
    layer.follows_device(x)
    layer.student.train()
    leaves_inputs_alone(layer.student, x, inputs=("x",))


def encoding(subject: Proxy, reference: Proxy, case: Case) -> Twins:
    """Both sides in eval mode, where a dropout is off. There are no weights to load."""
    sizes = {"n_embd": case.C, "dim": case.C, "n_heads": 1, "block_size": case.block, "max_seq_len": 4}
    args = ModelArgs(**sizes, dropout=case.dims.get("dropout", RATE))
    student, teacher = (side.construct("PositionalEncoding", args) for side in (subject, reference))
    teacher.to(torch.float64)
    student.eval()
    teacher.eval()
    return Twins(case, student, teacher, {})
