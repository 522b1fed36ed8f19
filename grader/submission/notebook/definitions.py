"""The definitions in a notebook's cells as the text of one file: what they need comes along, the rest is left."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from grader.language import N_
from grader.submission.notebook.blocks import Block, blocks
from grader.submission.notebook.names import Names

MOST = 20  # sentences of a kind


@dataclass(frozen=True, slots=True)
class Cell:
    """A code cell. `whole`: it is as it was made from a file, so it is that file's text, all of it."""

    label: str  # "cell 3"
    text: str
    whole: bool = False
    newlines: int = 3  # behind its last line


@dataclass(frozen=True, slots=True)
class Span:
    """From line `first` of the text on, lines come from a cell, beginning with its line `line`."""

    first: int
    label: str
    line: int


@dataclass(frozen=True, slots=True)
class Definitions:
    text: str
    spans: tuple[Span, ...]
    names: frozenset[str]  # the functions and classes
    notes: tuple[str, ...]  # a sentence on each oddity that a student should know


@dataclass(frozen=True, slots=True)
class _Piece:
    """Lines that stay together: a block, or a whole cell."""

    cell: int
    first: int
    lines: tuple[str, ...]
    newlines: int


def definitions(cells: Sequence[Cell], elsewhere: Mapping[str, str] | None = None) -> Definitions:
    """Later definitions of a name win. What a definition needs to be made is put before it.

    `elsewhere`: names that these cells define as an answer to another exercise, which is named. They become imports
    from it, as they would be written in files, so that a mistake in one exercise is no mistake in the next.
    """
    every = [block for number, cell in enumerate(cells) for block in blocks(cell.text, number)]
    found = [_imported(block, (elsewhere or {}).get(block.name, "")) for block in every]
    notes = [*_doubles(cells, found)]
    if not elsewhere and all(cell.whole for cell in cells):
        pieces = [_Piece(i, 1, tuple(cell.text.split("\n")), cell.newlines) for i, cell in enumerate(cells)]
    else:
        chosen = _needed(_newest(found))
        ordered, moved = _in_order(chosen)
        ordered.sort(key=lambda block: not block.opens)
        notes += _moved(cells, found, moved)[:MOST]
        pieces = [_Piece(b.cell, b.first, b.lines, 1) for b in ordered]
    text, spans = _joined(cells, pieces)
    return Definitions(text, spans, frozenset(b.name for b in found if b.name), tuple(notes))


def _imported(block: Block, exercise: str) -> Block:
    if not exercise:
        return block
    line = f"from exercises.{exercise} import {block.name}"
    return Block("import", block.cell, block.heading, (line,), Names(bound=frozenset({block.name})))


def same(text: str, other: str) -> bool:
    """Whether both define the same functions and classes in the same words, whatever stands around them."""
    return _bodies(text) == _bodies(other)


def _bodies(text: str) -> dict[str, str]:
    return {block.name: "\n".join(block.lines).strip() for block in blocks(text, 0) if block.name}


def _newest(found: list[Block]) -> list[Block]:
    """Without definitions that a later one of that name replaces, and without statements that come again."""
    last = {block.name: i for i, block in enumerate(found) if block.name and not block.decorated}
    again = {block.lines: i for i, block in enumerate(found) if not block.name}
    made_from = {n: i for i, b in enumerate(found) for n in b.names.bound & b.names.now}  # `attend = jit(attend)`

    def stays(i: int, block: Block) -> bool:
        if not block.name:
            return again[block.lines] == i
        return block.decorated or i == last[block.name] or i < made_from.get(block.name, -1)

    return [block for i, block in enumerate(found) if stays(i, block)]


def _needed(found: list[Block]) -> list[Block]:
    """The definitions, and what they need, and what that needs."""
    own = {block.name for block in found if block.name}
    taken = {i for i, b in enumerate(found) if b.always or b.kind == "definition" or _extends_own(b, own)}
    binders: dict[str, list[int]] = defaultdict(list)
    for i, block in enumerate(found):
        if block.kind in ("import", "assignment", "branch"):
            for name in block.names.bound:
                binders[name].append(i)
    waiting = [name for i in taken for name in found[i].names.now | found[i].names.later]
    while waiting:
        for i in binders.pop(waiting.pop(), ()):
            if i not in taken:
                taken.add(i)
                waiting += found[i].names.now | found[i].names.later
    return [found[i] for i in sorted(taken)]


def _extends_own(block: Block, own: set[str]) -> bool:
    """`Head.forward = forward`, `attend = jit(attend)`."""
    remade = block.names.bound & own & block.names.now
    return block.kind == "assignment" and bool(remade or (not block.names.bound and block.names.now & own))


def _in_order(chosen: list[Block]) -> tuple[list[Block], list[tuple[Block, str, Block]]]:
    """As they stand, but what a statement needs at once comes before it, also if it stands further down."""
    first: dict[str, int] = {}
    for i, block in enumerate(chosen):
        for name in block.names.bound:
            first.setdefault(name, i)
    ordered: list[Block] = []
    moved: list[tuple[Block, str, Block]] = []
    seen: set[int] = set()
    for start in range(len(chosen)):
        path = {start: None}  # what waits for what, in order
        while path:
            i = next(reversed(path))
            ahead = sorted((first[n], n) for n in chosen[i].names.now if n in first)
            step = next(((j, n) for j, n in ahead if j not in seen and j not in path), None)
            if i in seen or step is None:
                path.popitem()
                if i not in seen:
                    seen.add(i)
                    ordered.append(chosen[i])
            else:
                if step[0] > i:
                    moved.append((chosen[i], step[1], chosen[step[0]]))
                path[step[0]] = None
    return ordered, moved


def _doubles(cells: Sequence[Cell], found: list[Block]) -> list[str]:
    """A sentence on each definition that stands in more than one cell."""
    where: dict[str, dict[str, None]] = defaultdict(dict)
    for block in found:
        if block.name and not block.decorated:
            where[block.name][cells[block.cell].label] = None
    doubles = [(name, list(labels)) for name, labels in sorted(where.items()) if len(labels) > 1]
    return [_double(name, labels) for name, labels in doubles[:MOST]]


def _double(name: str, labels: list[str]) -> str:
    first, last, count = labels[0], labels[-1], len(labels)
    if count == 2:
        return N_(f"{name} is defined in {first} and {last}: the one in {last} is graded.")
    return N_(f"{name} is defined in {count} cells, from {first} to {last}: the one in {last} is graded.")


def _moved(cells: Sequence[Cell], found: list[Block], moved: list[tuple[Block, str, Block]]) -> list[str]:
    """A sentence on each that needs a name which nothing above it binds."""
    above: dict[str, Block] = {}
    for block in reversed(found):
        above |= dict.fromkeys(block.names.bound, block)
    said = []
    for block, name, source in moved:
        if (above[name].cell, above[name].first) > (block.cell, block.first):
            here, there = cells[block.cell].label, cells[source.cell].label
            needs = N_(
                f"Line {block.heading} of {here} needs {name}, which stands further down, in {there}: it was taken "
                f"first here, but run from top to bottom the notebook would stop. Move it up."
            )
            said.append(needs)
    return said


def _joined(cells: Sequence[Cell], pieces: list[_Piece]) -> tuple[str, tuple[Span, ...]]:
    """Pieces that follow each other in a cell stay so; between others stand two empty lines."""
    parts: list[str] = []
    spans: list[Span] = []
    line = 1
    for cell, group in groupby(pieces, lambda piece: piece.cell):
        mine = list(group)
        for n, piece in enumerate(mine):
            spans.append(Span(line, cells[cell].label, piece.first))
            newlines = cells[cell].newlines if n == len(mine) - 1 else 1
            parts.append("\n".join(piece.lines) + "\n" * newlines)
            line += len(piece.lines) - 1 + newlines
    return "".join(parts), tuple(spans)
