"""Checks of the toy exercise scale."""

import torch

from grader.run.suite import Case, Proxy, Table, agree, agree_gradients, cases, own_work

SIZES = Table.of({"B": 1, "n": 2}, {"B": 3, "n": 4})


@cases(SIZES)
def test_scale_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Every number is multiplied by the factor."""
    agree(subject, reference, "scale", case.normal(case.B, case.n), 3.0)


@cases(SIZES)
def test_scale_gradient(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Gradients flow back through the product."""
    agree_gradients(subject, reference, case, "scale", case.normal(case.B, case.n), 3.0, inputs=("x",))


@cases(SIZES)
def test_soften_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """Each row of the result adds up to one."""
    agree(subject, reference, "soften", case.normal(case.B, case.n), 3.0)


def test_soften_own_work(subject: Proxy) -> None:
    """You wrote the softmax yourself."""
    own_work(subject, "soften", torch.ones(2, 3))
