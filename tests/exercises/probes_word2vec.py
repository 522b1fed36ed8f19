"""Questions that tell the known bugs of word2vec apart."""

from collections import Counter
from typing import Any

import torch
from torch import Tensor

from grader.run.suite import Case, Object, Proxy, Table, probe

TEXTS = Table.of(
    {"tokens": list("abcdefg"), "window": 2},
    {"tokens": list("abaacba"), "window": 3},
    {"tokens": list("ddaBdAa"), "window": 1},
    {"tokens": ["a"], "window": 2},
    {"tokens": list("bac"), "window": 5},
)
SCORED = Table.of(
    {"V": 6, "d": 3, "outside": 4, "samples": [1, 5, 0]},
    {"V": 4, "d": 4, "outside": 0, "samples": [2]},
    {"V": 5, "d": 3, "outside": 1, "samples": [3, 3, 0, 3], "dtype": torch.float64},
    {"V": 5, "d": 3, "outside": 2, "samples": [4, 0, 1], "scale": 30.0},
    {"V": 5, "d": 3, "outside": 0, "samples": [4, 3, 1], "scale": -30.0},
    {"V": 5, "d": 3, "outside": 4, "samples": [3, 0, 1], "scale": 3.0},
)
MATRICES = Table.of(
    {"shape": (5, 4), "k": 2},
    {"shape": (3, 5), "k": 3},
    {"shape": (4, 4), "k": 3},
    {"shape": (4, 4), "k": 1, "dtype": torch.float32},
)
STEPS = Table.of({"shapes": [(2, 3), (3,), (2, 3)], "lr": 0.3}, {"shapes": [(2,)], "lr": 2.0, "dtype": torch.float64})


@probe("context_pairs", Table((*TEXTS, {"tokens": [], "window": 1})))
def pairs(side: Proxy, reference: Proxy, case: Case) -> Any:
    """How often each pair is there; their order, and whether a pair is a tuple, is open."""
    answer = side.call("context_pairs", list(case.tokens), case.window)
    if not isinstance(answer, (list, tuple)):
        return "no list"
    return sorted(Counter(repr(tuple(p)) if isinstance(p, (list, tuple)) else repr(p) for p in answer).items())


@probe("naive_softmax_loss_and_gradient", SCORED)
def naive(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Loss and gradients."""
    center, U = _vectors(case)
    return side.call("naive_softmax_loss_and_gradient", center, case.outside, U)


@probe("naive_softmax_loss_and_gradient", SCORED)
def naive_inputs(side: Proxy, reference: Proxy, case: Case) -> Any:
    """What became of the inputs."""
    center, U = _vectors(case)
    return side.inputs_after("naive_softmax_loss_and_gradient", center, case.outside, U)


@probe("neg_sampling_loss_and_gradient", SCORED)
def sampled(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Loss and gradients."""
    center, U = _vectors(case)
    return side.call("neg_sampling_loss_and_gradient", center, case.outside, torch.tensor(case.samples), U=U)


@probe("neg_sampling_loss_and_gradient", SCORED)
def sampled_inputs(side: Proxy, reference: Proxy, case: Case) -> Any:
    """What became of the inputs."""
    center, U = _vectors(case)
    return side.inputs_after("neg_sampling_loss_and_gradient", center, case.outside, torch.tensor(case.samples), U=U)


@probe("cooccurrence", TEXTS)
def counts(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The words and the counts, of whichever float type."""
    answer = side.call("cooccurrence", list(case.tokens), case.window)
    if not isinstance(answer, (list, tuple)) or len(answer) != 2:
        return "no two answers"
    words, X = answer
    return [
        list(words) if isinstance(words, (list, tuple)) else "no list",
        X.double() if isinstance(X, Tensor) and X.is_floating_point() else X,
    ]


@probe("svd_embedding", MATRICES)
def columns(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The columns, each with the sign that makes its largest number positive, and X after the call."""
    rows, columns = case.shape
    rank = min(rows, columns)
    left, right = (torch.linalg.qr(case.normal(n, n).double())[0][:, :rank] for n in (rows, columns))
    values = torch.tensor([9.0, 5.0, 2.0, 1.0], dtype=torch.float64)[:rank]
    X = ((left * values) @ right.T).to(case.dims.get("dtype", torch.float64))
    return [_turned(side.call("svd_embedding", X, case.k)), side.inputs_after("svd_embedding", X, case.k)]


@probe("sgd_step", STEPS)
def step(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The new parameters."""
    params, grads = ([case.normal(*shape) for shape in case.shapes] for _ in range(2))
    answer = side.call("sgd_step", params, grads, case.lr)
    return list(answer) if isinstance(answer, tuple) else answer


@probe("sgd_step", STEPS)
def step_inputs(side: Proxy, reference: Proxy, case: Case) -> Any:
    """What became of parameters and gradients that stay on the other side."""
    params, grads = ([case.normal(*shape) for shape in case.shapes] for _ in range(2))
    held = side.built("sgd_step", [p.clone() for p in params], [g.clone() for g in grads], case.lr, of="list")
    seen = Object(side, held.handle, "sgd_step")
    side.call("sgd_step", held, [g.clone() for g in grads], case.lr)
    after_params = [seen.call("__getitem__", i).clone() for i in range(len(params))]
    side.call("sgd_step", [p.clone() for p in params], held, case.lr)
    return [after_params, [seen.call("__getitem__", i).clone() for i in range(len(params))]]


def _vectors(case: Case) -> tuple[Tensor, Tensor]:
    """center and U; where scores are hundreds they are whole numbers, and far from each other."""
    if "scale" not in case.dims:
        return case.normal(case.d), case.normal(case.V, case.d)
    center, U = torch.full((case.d,), case.scale), case.integers(-9, 10, case.V, case.d).float()
    U[:, 0] += torch.tensor([7.0, -4.0, 0.0, 11.0, -9.0])[: case.V] - U.sum(1)  # times scale: the scores
    return center, U


def _turned(answer: Any) -> Any:
    if not isinstance(answer, Tensor) or answer.dim() != 2 or not answer.is_floating_point():
        return answer
    largest = answer.gather(0, answer.abs().argmax(0, keepdim=True))  # (1, columns)
    return answer * torch.where(largest < 0, -1.0, 1.0).to(answer.dtype)
