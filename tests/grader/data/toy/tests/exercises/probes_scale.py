"""Questions that tell the known bugs of scale and soften apart."""

from typing import Any

from grader.run.suite import Case, Proxy, Table, probe

SIZES = Table.of({"B": 2, "n": 3}, {"B": 3, "n": 4})


@probe("scale", SIZES)
def scale(side: Proxy, reference: Proxy, case: Case) -> Any:
    """Another factor than the default."""
    return side.call("scale", case.normal(case.B, case.n), 3.0)


@probe("soften", Table.of({"B": 2, "n": 3, "factor": 2.0}, {"B": 3, "n": 4, "factor": 1.0}))
def soften(side: Proxy, reference: Proxy, case: Case) -> Any:
    """The default factor, and one that changes nothing."""
    return side.call("soften", case.normal(case.B, case.n), case.factor)
