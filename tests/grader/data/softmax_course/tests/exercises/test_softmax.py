"""Checks of softmax: values, gradients, and no side effects."""

import torch

from grader.run.suite import Case, Proxy, Table, agree, agree_gradients, cases, equal, leaves_inputs_alone, own_work

CANARY = "GRADER-CANARY in the suite"
SIZES = Table.of({"B": 1, "n": 2}, {"B": 2, "n": 3}, {"B": 3, "n": 5})
LARGE = Table.of({"B": 2, "n": 4, "scale": 100.0})


def grader_canary_expected(x: torch.Tensor) -> torch.Tensor:
    """What a submission must never find."""
    return torch.softmax(x, -1)


@cases(SIZES)
def test_softmax_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Powers of e, divided by their sum along the last axis."""
    agree(subject, reference, "softmax", case.normal(case.B, case.n))


@cases(SIZES)
def test_softmax_gradient(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients flow back to the input."""
    agree_gradients(subject, reference, case, "softmax", case.normal(case.B, case.n), inputs=("x",))


@cases(SIZES)
def test_softmax_leaves_input(subject: Proxy, case: Case) -> None:
    """The input is the same after the call."""
    leaves_inputs_alone(subject, "softmax", case.normal(case.B, case.n), inputs=("x",))


@cases(SIZES)
def test_softmax_repeatable(subject: Proxy, reference: Proxy, case: Case) -> None:
    """A second call gives the same answer."""
    x = case.normal(case.B, case.n)
    agree(subject, reference, "softmax", x)
    equal(subject.call("softmax", x), subject.call("softmax", x), "the second answer")


@cases(LARGE)
def test_softmax_hidden(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Large numbers do no harm."""
    agree(subject, reference, "softmax", case.normal(case.B, case.n, scale=case.scale))


def test_softmax_own_work(subject: Proxy) -> None:
    """You wrote the softmax yourself."""
    own_work(subject, "softmax", torch.ones(2, 3))
