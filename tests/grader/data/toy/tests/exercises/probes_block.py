"""Questions that tell the known bugs of the block apart."""

from typing import Any

from grader.run.suite import Case, Proxy, Table, fill, probe


@probe("Block", Table.of({"B": 2, "n": 3}, {"B": 3, "n": 5}))
def block(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Values and gradients."""
    module = fill(side, reference, case, "Block", case.n)
    return module.gradients(case.normal(case.B, case.n), cotangents=[case.normal(case.B, case.n)])
