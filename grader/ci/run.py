"""Grade a checkout, one exercise after another; whoever asks gets the results after each of them."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import nullcontext, suppress
from pathlib import Path

from grader.alarm import alarm
from grader.catalogue.folder import stub_of
from grader.catalogue.load import load_course
from grader.catalogue.model import Course
from grader.catalogue.salt import read_salt
from grader.ci.checkout import Checkout, of_gradescope, read_checkout
from grader.ci.partial import merged
from grader.ci.settings import Settings
from grader.errors import EngineError
from grader.language import N_
from grader.results.schema import Exercise, Results
from grader.run.engine import Engine

AT_ONCE = 0.001  # seconds; an alarm of 0 never rings
METADATA = "submission_metadata.json"
OnResults = Callable[[Results, Exercise | None], None]  # all there is so far, and the exercise that is new


class TimeUp(Exception):
    """The time that the platform gives is nearly over."""


def read(settings: Settings) -> tuple[Course, Checkout]:
    """The instructor's course and the student's files."""
    course = load_course(Path(settings.course))
    checkout = read_checkout(
        Path(settings.folder), course.tasks_of, settings.student,
        lambda name, text: text == stub_of(course, name),
    )  # fmt: skip
    if settings.root:
        named = of_gradescope(checkout.submission, Path(settings.root) / METADATA)
        checkout = Checkout(named, checkout.files)
    return course, checkout


def grade(settings: Settings, course: Course, checkout: Checkout, on_results: OnResults) -> Results:
    """Everything that counts, in the order of the course. Ends early, with what there is, when the time is up.

    An exercise that our own processes could not grade stays open, with the reason, and the next one is graded.
    """
    began = time.monotonic()  # what it takes to load PyTorch is a part of the platform's time, too
    graded, failed = dict[str, Results](), dict[str, str]()
    names = list(course.graded)
    salt = read_salt(course)
    with Engine(course, names, salt=salt, isolation=settings.isolation, others=True, diagnoses=False) as engine:
        environment = engine.ready()
        isolation = engine.isolation
        assert isolation is not None, "known once the engine is ready"

        def so_far() -> Results:
            return merged(course, checkout.submission, environment, isolation, graded, failed)

        on_results(so_far(), None)
        left = max(settings.seconds - (time.monotonic() - began), AT_ONCE)
        with suppress(TimeUp), alarm(left, TimeUp) if settings.seconds else nullcontext():
            for name in names:
                try:
                    graded[name] = engine.grade(checkout.submission, [name])
                except EngineError as error:
                    failed[name] = str(error)
                results = so_far()
                on_results(results, results.exercises[names.index(name)])
        waiting = [name for name in names if name not in graded and name not in failed]
        failed |= dict.fromkeys(waiting, N_(f"the time was up after {settings.seconds:g} s"))
    return so_far()
