"""Whether this torch draws the random numbers that a release was recorded with."""

from __future__ import annotations

import torch

from grader.catalogue.release import Release
from grader.errors import UsageError
from grader.language import N_
from grader.run.recorded.digest import Digest
from grader.run.suite.cases import make_case


def draws() -> str:
    """A digest of some numbers of every kind that cases are made of, few and many at a time."""
    case = make_case("draws", 0, {}, salt=b"")
    digest = Digest({})
    for shape in ((1,), (3, 5), (64, 33)):
        digest.add(case.normal(*shape, dtype=torch.float64))
        digest.add(case.normal(*shape, dtype=torch.float32))
        digest.add(case.integers(0, 97, *shape))
    digest.add(case.shuffled(40))
    return digest.hex()


def check_draws(release: Release) -> None:
    """Raises UsageError where no recorded answer would fit its question."""
    if draws() != release.draws:
        raise UsageError(
            N_(
                f"This release was recorded with torch {release.torch}, and torch {torch.__version__} draws other "
                f"random numbers here: install torch {release.torch.partition('+')[0]}."
            )
        )
