"""Passages joined to regions: lines of one file, and the lines of the other that are like them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from grader.similar.fingerprints import Place
from grader.similar.pairs import Passage

RECENT = 8  # regions that a passage may still belong to: passages come in the order of their lines
NEAR = 2  # lines that may lie between two passages of one region


@dataclass(frozen=True, slots=True)
class Region:
    """Numbered from 1, as they come in the left file."""

    number: int
    left: Place
    right: Place


def regions(passages: Iterable[Passage]) -> list[Region]:
    """Passages that touch or lie close in both files become one."""
    found: list[tuple[Place, Place]] = []
    for passage in sorted(passages, key=lambda p: (p.left, p.right)):
        here = passage.left, passage.right
        recent = range(len(found) - 1, max(-1, len(found) - 1 - RECENT), -1)
        at = next((i for i in recent if all(map(_close, found[i], here))), None)
        if at is None:
            found.append(here)
        else:
            found[at] = _joined(found[at][0], passage.left), _joined(found[at][1], passage.right)
    return [Region(number, left, right) for number, (left, right) in enumerate(sorted(found), 1)]


def marked(regions: Iterable[Region], right: bool) -> dict[int, int]:
    """Lines of one side, with the number of the region each belongs to; the first of several."""
    found: dict[int, int] = {}
    for region in regions:
        place = region.right if right else region.left
        for line in range(place.first, place.last + 1):
            found.setdefault(line, region.number)
    return found


def _close(a: Place, b: Place) -> bool:
    return a.first <= b.last + NEAR and b.first <= a.last + NEAR


def _joined(a: Place, b: Place) -> Place:
    return Place(min(a.first, b.first), max(a.last, b.last))
