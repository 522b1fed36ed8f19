"""Checks of the toy exercise block."""

from grader.run.suite import Case, Proxy, Table, cases, twins

SIZES = Table.of({"B": 1, "width": 2}, {"B": 3, "width": 4})


@cases(SIZES)
def test_block_values(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The block adds half of W x to its input."""
    pair = twins(subject, reference, case, "Block", case.width)
    x = case.normal(case.B, case.width)
    pair.agree(x)
    pair.agree_gradients(x, inputs=("x",))


@cases(SIZES)
def test_block_parameters(subject: Proxy, reference: Proxy, case: Case) -> None:
    """The block has exactly one matrix."""
    twins(subject, reference, case, "Block", case.width).same_parameters()
