"""Checks of one_hot and Embedding: ids become vectors, by a product or by a look-up."""

import torch
from torch import Tensor

from grader.run.suite import (
    Case,
    Proxy,
    Table,
    Twins,
    agree,
    cases,
    close,
    fail,
    holds,
    leaves_inputs_alone,
    of_shape,
    own_work,
    same,
    twins,
)

IDS = Table.of(
    {"shape": (), "V": 5, "d": 3, "kind": "a single id"},
    {"shape": (1,), "V": 1, "d": 2, "kind": "a vocabulary of one"},
    {"shape": (3,), "V": 3, "d": 4, "kind": "all ids in order"},
    {"shape": (3,), "V": 3, "d": 3, "kind": "all ids in reverse"},
    {"shape": (4,), "V": 7, "d": 2, "kind": "small ids alone"},
    {"shape": (6,), "V": 4, "d": 3, "kind": "the last id alone"},
    {"shape": (2, 5), "V": 9, "d": 1},
    {"shape": (2, 3), "V": 4, "d": 5, "kind": "transposed"},
    {"shape": (1, 1), "V": 6, "d": 4},
    {"shape": (4, 4), "V": 4, "d": 4, "kind": "all equal"},
    {"shape": (5, 6), "V": 3, "d": 4, "kind": "many repeats"},
    {"shape": (2, 3, 4), "V": 11, "d": 5},
    {"shape": (2, 7), "V": 500, "d": 3, "kind": "a large vocabulary"},
)
LAYERS = Table.of({"shape": (5,), "V": 3, "d": 4}, {"shape": (2, 3), "V": 6, "d": 4})


@cases(IDS)
def test_one_hot_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Each vector has `num` numbers: a 1 in the place of the id, 0 elsewhere."""
    agree(subject, reference, "one_hot", _ids(case), case.V)


@cases(IDS)
def test_one_hot_product(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A vector is float32, and its product with a table (V, d) is the row of the id."""
    ids, table = _ids(case), case.normal(case.V, case.d)
    vectors = of_shape(subject.call("one_hot", ids, case.V), (*case.shape, case.V))
    if vectors.dtype != torch.float32:
        fail("wrong_dtype", what="the output", got=str(vectors.dtype)[6:], want="float32")
    close(vectors @ table, table[ids].double(), "the product with a table")


@cases(Table.of({"shape": (5,), "V": 4}, {"shape": (2, 3), "V": 6}))
def test_one_hot_follows_input(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The vectors are where ids is, ids stays as it is, and a second call gives the same."""
    ids = _ids(case)
    leaves_inputs_alone(subject, "one_hot", ids, case.V, inputs=("ids",))
    agree(subject, reference, "one_hot", ids, case.V)
    agree(subject, reference, "one_hot", ids.flip(0), case.V + 2)
    agree(subject, reference, "one_hot", ids, case.V)
    if subject.device_problem("one_hot", ids, case.V):
        fail("wrong_device", task="one_hot")


@cases(IDS)
def test_embedding_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Every id becomes its own row of the table, as it stands there, for ids of any shape."""
    layer = _layer(subject, reference, case)
    ids = _ids(case)
    same(layer.student(ids), layer.teacher(ids), dtype=torch.float32)
    every = torch.arange(case.V)
    same(layer.student(every), layer.teacher(every), dtype=torch.float32)


@cases(IDS)
def test_embedding_gradients(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Each row gets the sum of the gradients of all places where its id stands, other rows get none."""
    layer = _layer(subject, reference, case)
    layer.agree_gradients(_ids(case))
    layer.student.train()
    layer.agree_gradients(_ids(case))


@cases(LAYERS)
def test_embedding_parameters(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The only trainable numbers are those of the table, one row of `width` numbers an id."""
    _layer(subject, reference, case).same_parameters()


@cases(Table.of({"V": 7, "d": 5}, {"V": 20, "d": 3}))
def test_embedding_start(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A new table holds random numbers: finite ones, and no two ids have equal vectors."""
    rows = subject.construct("Embedding", case.V, case.d)(torch.arange(case.V))
    rows = of_shape(rows, (case.V, case.d))
    holds(bool(rows.isfinite().all()), "A new table holds numbers that are not finite.")
    alike = [(a, b) for a in range(case.V) for b in range(a) if bool((rows[a] - rows[b]).abs().max() == 0)]
    if alike:
        holds(
            False,
            f"In a new table ids {alike[0][1]} and {alike[0][0]} have equal vectors, so nothing tells them apart.",
        )


@cases(LAYERS)
def test_embedding_dtype_and_inputs(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The output has the table's dtype and device, ids stays as it is, and mode and earlier calls do nothing."""
    layer, ids = _layer(subject, reference, case), _ids(case)
    leaves_inputs_alone(layer.student, ids, inputs=("ids",))
    layer.repeatable(ids)
    layer.student.train()
    for _ in range(3):  # a rate of 0.1 on so few numbers may drop none of them once
        layer.student.proxy.seed += 1
        same(layer.student(ids), layer.teacher(ids), dtype=torch.float32)
    layer.student.eval()
    layer.follows_device(ids)
    layer.follows_dtype(ids)


def test_embedding_own_work(subject: Proxy) -> None:
    """You wrote the look-up yourself, without PyTorch's."""
    own_work(subject, "Embedding", torch.tensor([[1, 0, 4], [2, 2, 3]]), construct=[5, 3])


def _layer(subject: Proxy, reference: Proxy, case: Case) -> Twins:
    return twins(subject, reference, case, "Embedding", case.V, case.d)


def _ids(case: Case) -> Tensor:
    kind = case.dims.get("kind")
    if kind == "all ids in order":
        return torch.arange(case.V)
    if kind == "all ids in reverse":
        return torch.arange(case.V).flip(0)
    if kind == "the last id alone":
        return torch.full(case.shape, case.V - 1)
    ids = case.integers(0, 3 if kind == "small ids alone" else case.V, *case.shape)
    return ids.T.contiguous().T if kind == "transposed" else ids
