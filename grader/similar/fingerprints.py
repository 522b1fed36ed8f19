"""Fingerprints of a stream of symbols, by winnowing.

Schleimer, Wilkerson, Aiken, "Winnowing: Local Algorithms for Document Fingerprinting" (SIGMOD 2003): every run of K
symbols is hashed, and of every WINDOW neighbouring hashes the smallest is kept. So a shared passage of K + WINDOW - 1
symbols is always found, none shorter than K ever is, and what is kept does not depend on where a passage stands.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from grader.similar.symbols import Unit

K = 8  # docs/similarity.md says how this was chosen
WINDOW = 3
BASE, PRIME = 1_000_003, (1 << 61) - 1  # of the rolling hash (Karp, Rabin)
_LEAVES = pow(BASE, K, PRIME)  # what the oldest symbol of a run is multiplied with when it leaves


class Place(NamedTuple):
    """The lines of one occurrence, the last one included."""

    first: int
    last: int


Fingerprints = dict[int, Place]  # the first occurrence of each


def fingerprints(units: Iterable[Unit]) -> Fingerprints:
    """Those that winnowing keeps."""
    found: Fingerprints = {}
    for unit in units:
        hashes = _hashes(unit)
        for at in _winnowed(hashes):
            if hashes[at] not in found:
                lines = [symbol.line for symbol in unit[at : at + K]]
                found[hashes[at]] = Place(min(lines), max(lines))
    return found


def every(units: Iterable[Unit]) -> set[int]:
    """All of them: for what is to be taken out, wherever it stands."""
    return {value for unit in units for value in _hashes(unit)}


@lru_cache(maxsize=1 << 16)
def _number(text: str) -> int:
    """The same on every machine and in every run, as hash() is not."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=7).digest())


def _hashes(unit: Unit) -> list[int]:
    """Of every run of K symbols."""
    value, numbers, hashes = 0, [_number(symbol.text) for symbol in unit], list[int]()
    for at, number in enumerate(numbers):
        value = (value * BASE + number) % PRIME
        if at >= K:
            value = (value - numbers[at - K] * _LEAVES) % PRIME
        if at >= K - 1:
            hashes.append(value)
    return hashes


def _winnowed(hashes: list[int]) -> list[int]:
    """Where the kept ones stand; of equal ones the last."""
    kept: dict[int, None] = {}
    for begin in range(max(1, len(hashes) - WINDOW + 1) if hashes else 0):
        window = hashes[begin : begin + WINDOW]
        smallest = min(window)
        kept[begin + len(window) - 1 - window[::-1].index(smallest)] = None
    return list(kept)
