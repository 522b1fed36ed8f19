"""Which of several failed checks says most: what must hold whatever the numbers are, before the numbers."""

from __future__ import annotations

from collections.abc import Sequence

from grader.results.schema import Check

# The first of these that a task violates is shown in full; all other codes come after them, in the order of the suite.
TELLING = (
    "missing_name", "wrong_structure", "wrong_parameter_shape", "unregistered", "parameter_count",
    "wrong_type", "wrong_count", "wrong_shape", "wrong_dtype", "not_finite", "property", "moved", "no_effect",
    "not_repeatable", "wrong_support",
)  # fmt: skip


def lead_first(checks: Sequence[Check]) -> list[Check]:
    """The most telling failed check in front, the others as they were."""
    lead = min(checks, key=_place, default=None)
    return [] if lead is None else [lead, *(check for check in checks if check is not lead)]


def _place(check: Check) -> int:
    failed = check.status == "failed"
    return TELLING.index(check.code) if failed and check.code in TELLING else len(TELLING) + (not failed)
