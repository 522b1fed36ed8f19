"""What one submission more costs: `grade batch`, a fresh pytest, and the floor, taken in turn, in this minute.

`python -m benchmarks.per_submission core layer_norm small --rounds 15` prints one table row for each assignment.
"""

from __future__ import annotations

import argparse
import statistics
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.assignments import ASSIGNMENTS, Assignment, subjects_started
from benchmarks.peers import Batch, Floor, FreshPytest, Peer

Times = dict[str, list[float]]


@dataclass(frozen=True)
class Bound:
    """A figure that is promised, and its limit."""

    what: str
    limit: float
    of: Callable[[Times, int], float]
    at_least: bool = False

    def line(self, times: Times, subjects: int) -> str:
        value = self.of(times, subjects)
        kept = value >= self.limit if self.at_least else value <= self.limit
        sign = "at least" if self.at_least else "at most"
        return f"- {self.what}: {value:.3g} ({sign} {self.limit:.3g}: {'kept' if kept else 'NOT KEPT'})"


def paired(times: Times, of: Callable[..., float], *names: str) -> float:
    """The median over the rounds of a figure made of what was measured in one round."""
    return statistics.median(of(*row) for row in zip(*(times[name] for name in names), strict=True))


ISOLATION = Bound(
    "isolation, ms per subject started", 40,
    lambda t, n: paired(t, lambda a, b: (a - b) * 1000 / n, "batch", "batch, level 0"),
)  # fmt: skip
OVERHEAD = Bound(
    "overhead above the floor, ms per subject started", 40,
    lambda t, n: paired(t, lambda a, c: (a - c) * 1000 / n, "batch", "floor"),
)  # fmt: skip
TENTH = Bound(
    "share of what pytest spends above the floor", 0.1,
    lambda t, _: paired(t, lambda a, b, c: (a - c) / (b - c), "batch", "fresh pytest", "floor"),
)  # fmt: skip
TWENTY = Bound(
    "times faster than pytest", 20, lambda t, _: paired(t, lambda a, b: b / a, "batch", "fresh pytest"), at_least=True
)  # fmt: skip
FIVE = Bound("times the floor", 5, lambda t, _: paired(t, lambda a, c: a / c, "batch", "floor"))
BOUNDS = {"core": (ISOLATION, OVERHEAD, TENTH), "layer_norm": (ISOLATION, TWENTY), "small": (ISOLATION, FIVE)}


def main(names: Sequence[str], rounds: int) -> None:
    print("| assignment | way | median s | x floor | x batch |\n| --- | --- | ---: | ---: | ---: |")
    promises = []
    for name in names:
        assignment = ASSIGNMENTS[name]
        with tempfile.TemporaryDirectory() as out, assignment.opened() as folder:
            subjects = subjects_started(assignment)
            times = measure(assignment, folder, Path(out), rounds)
        for way, seconds in times.items():
            ratios = [paired(times, lambda a, b: a / b, way, other) for other in ("floor", "batch")]
            print(
                f"| {name} | {way} | {statistics.median(seconds):.3f} | {ratios[0]:.2f} | {ratios[1]:.2f} |", flush=True
            )
        promises += [f"{name} ({subjects} subjects): {bound.line(times, subjects)[2:]}" for bound in BOUNDS[name]]
    print("\n" + "\n".join(f"- {line}" for line in promises))


def measure(assignment: Assignment, folder: Path, out: Path, rounds: int) -> Times:
    """Every way once a round, after a round that is not counted."""
    course, exercises = assignment.course, assignment.exercises
    peers: dict[str, Peer] = {
        "floor": Floor(course, folder, exercises),
        "batch": Batch(course, folder, exercises, out, "4"),
        "batch, level 0": Batch(course, folder, exercises, out, "0"),
        "fresh pytest": FreshPytest(course, folder, exercises),
    }
    try:
        for peer in peers.values():
            peer.seconds()
        taken = [{name: peer.seconds() for name, peer in peers.items()} for _ in range(rounds)]
    finally:
        for peer in peers.values():
            peer.close()
    return {name: [row[name] for row in taken] for name in peers}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("assignments", nargs="*", default=list(ASSIGNMENTS), metavar="ASSIGNMENT")
    parser.add_argument("--rounds", type=int, default=15)
    given = parser.parse_args()
    main(given.assignments, given.rounds)
