"""A curve of losses, as a line of the terminal and as a path of an SVG."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from grader.results.schema import Training

BARS = "▁▂▃▄▅▆▇█"
MOST = 40  # characters of a line of bars
WIDTH, HEIGHT, LEFT, BELOW = 560, 180, 40, 24  # of the picture, and the room for its labels


@dataclass(frozen=True, slots=True)
class Tick:
    at: float  # in the picture's units
    label: str


@dataclass(frozen=True, slots=True)
class Curve:
    """`path`: the d of an SVG path in a box of WIDTH x HEIGHT."""

    path: str
    across: tuple[Tick, ...]
    up: tuple[Tick, ...]


def sparkline(values: Sequence[float]) -> str:
    """One character for each value, or for every n-th."""
    chosen = values[:: max(1, -(-len(values) // MOST))]
    low, high = min(chosen), max(chosen)
    span = max(high - low, 1e-9)
    return "".join(BARS[min(int((value - low) / span * len(BARS)), len(BARS) - 1)] for value in chosen)


def curve(training: Training) -> Curve:
    """The losses from 0 upwards, over the steps."""
    last, top = max(training.steps[-1], 1), max(training.losses) * 1.05

    def x(step: float) -> float:
        return round(LEFT + step / last * (WIDTH - LEFT), 1)

    def y(loss: float) -> float:
        return round((HEIGHT - BELOW) * (1 - loss / top), 1)

    points = [f"{x(step)} {y(loss)}" for step, loss in zip(training.steps, training.losses, strict=True)]
    across = tuple(Tick(x(last * part / 2), f"{round(last * part / 2)}") for part in range(3))
    up = tuple(Tick(y(loss), f"{loss}") for loss in range(int(top) + 1))
    return Curve("M" + "L".join(points), across, up)
