"""The sample class, graded from its files at most once for all tests of the course."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

import pytest

from grader.results.schema import Results
from grader.run.engine import Engine

from .sample_class import CLASSMATES, CORE, COURSE

Grade = Callable[[str], Results]


@pytest.fixture(scope="session")
def engine() -> Iterator[Engine]:
    """As `grade` and `grade watch` start it."""
    with Engine(COURSE, CORE) as made:
        made.ready()
        yield made


@pytest.fixture(scope="session")
def graded(engine: Engine) -> Grade:
    """Results by student, when first asked for."""
    return functools.cache(lambda student: engine.grade(CLASSMATES[student]))
