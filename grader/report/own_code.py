"""Pictures of the student's own code at work, each with the line that explains it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from grader.language import N_, _
from grader.report import norm_picture
from grader.report.drawing import Box, Drawing, Text, cells, largest, lines, spoken
from grader.report.text import clean_line
from grader.results.schema import Array, Number, Picture, PictureKind

WORD = 7.0  # the width of a letter of the words


@dataclass(frozen=True, slots=True)
class Plate:
    """A picture with its caption."""

    task: str
    title: str
    line: str
    drawing: Drawing


@dataclass(frozen=True, slots=True)
class Kind:
    title: str
    line: str
    draw: Callable[[Picture, str], Drawing | None]


def plate(picture: Picture) -> Plate | None:
    """None for a file from elsewhere whose numbers do not fit the picture."""
    kind = KINDS[picture.kind]
    drawing = kind.draw(picture, _(kind.title))
    return Plate(picture.task, _(kind.title), _(kind.line), drawing) if drawing else None


def _matrix(array: Array) -> list[list[Number]] | None:
    """The rows of a kept matrix, if it is one."""
    if len(array.corner) != 2 or min(array.corner) < 1 or array.corner[0] * array.corner[1] != len(array.values):
        return None
    width = array.corner[1]
    return [list(array.values[start : start + width]) for start in range(0, len(array.values), width)]


def _only(picture: Picture) -> list[list[Number]] | None:
    """Of a picture of one matrix."""
    return _matrix(picture.arrays[0]) if len(picture.arrays) == 1 else None


def _mask(picture: Picture, title: str) -> Drawing | None:
    """Filled where it may be attended to; words, if there are any, stand in the cells."""
    rows = _only(picture)
    if rows is None:
        return None
    width = len(rows[0])
    words = [clean_line(word, 12) for word in picture.words]
    said = [words[r * width : (r + 1) * width] for r in range(len(rows))] if len(words) == len(rows) * width else []
    box = Box(0 if said else 18, 0 if said else 16, 58 if said else 24, 24)
    axes = () if said else _indices(box, len(rows), width)
    allowed = [[c for c, value in enumerate(row) if value not in (0, "nan")] for row in rows]
    told = [[said[r][c] if said else str(c) for c in row] or [_("nothing")] for r, row in enumerate(allowed)]

    def named(row: int) -> str:
        return _("sequence {n}").format(n=row) if said else _("query {n}").format(n=row)

    return Drawing(
        title=title,
        description=_("May be attended to: {rows}").format(rows=spoken(told, named)),
        width=round(box.left + width * box.width),
        height=round(box.top + len(rows) * box.height),
        paths=cells(box, rows, largest(rows), gap=2),
        texts=(*axes, *lines(box, said, "word")),
    )


def _indices(box: Box, rows: int, columns: int) -> tuple[Text, ...]:
    across = Text(11, tuple((box.centre(c), str(c)) for c in range(columns)), "index")
    return (across, *(Text(box.baseline(r), ((box.left - 5, str(r)),), "index", "end") for r in range(rows)))


def _weights(picture: Picture, title: str) -> Drawing | None:
    """A row for each word, in per cent."""
    rows = _only(picture)
    words = [clean_line(word, 12) for word in picture.words]
    if rows is None or not len(words) == len(rows) == len(rows[0]):
        return None
    longest = round(max(map(len, words)) * WORD)
    box = Box(longest + 8, 20, max(42, longest + 4), 24)
    texts = [[_percent(value) for value in row] for row in rows]
    heads = Text(13, tuple((box.centre(c), word) for c, word in enumerate(words)), "word")
    names = (Text(box.baseline(r), ((box.left - 7, word),), "word", "end") for r, word in enumerate(words))
    return Drawing(
        title=title,
        description=_("In per cent. {rows}").format(rows=spoken(texts, lambda r: words[r])),
        width=round(box.left + len(words) * box.width),
        height=round(box.top + len(rows) * box.height),
        paths=cells(box, rows, max(0.5, min(largest(rows), 1.0)), gap=2),
        texts=(heads, *names, *lines(box, texts)),
    )


def _percent(value: Number) -> str:
    return str(value) if isinstance(value, str) else f"{value * 100:.0f}" if abs(value) < 100 else f"{value * 100:.0e}"


def _table(picture: Picture, title: str) -> Drawing | None:
    """Cells without numbers."""
    rows = _only(picture)
    if rows is None:
        return None
    box = Box(26, 18, 14, 11)
    marks = range(0, len(rows), 4)
    across = Text(12, tuple((box.centre(c), str(c)) for c in range(0, len(rows[0]), 4)), "index")
    down = (Text(box.baseline(r), ((box.left - 5, str(r)),), "index", "end") for r in marks)
    first, last = (", ".join(_short(v) for v in row[:4]) for row in (rows[0], rows[-1]))
    return Drawing(
        title=title,
        description=_(
            "{down} positions down, {across} columns across. "
            "Position 0 begins with {first}; position {end} with {last}."
        ).format(down=len(rows), across=len(rows[0]), first=first, end=len(rows) - 1, last=last),
        width=round(box.left + len(rows[0]) * box.width),
        height=round(box.top + len(rows) * box.height),
        paths=cells(box, rows, max(1.0, min(largest(rows), 2.0)), gap=0),
        texts=(across, *down),
    )


def _short(value: Number) -> str:
    return str(value) if isinstance(value, str) else f"{value:.2f}"


def _norm(picture: Picture, title: str) -> Drawing | None:
    found: Sequence[list[list[Number]] | None] = [_matrix(array) for array in picture.arrays]
    if len(found) != 2 or found[0] is None or found[1] is None or len(found[0]) != len(found[1]):
        return None
    return norm_picture.draw(found[0], found[1], title)


KINDS: dict[PictureKind, Kind] = {
    "causal": Kind(
        N_("The mask your causal_mask makes"),
        N_("A row is a query, a column a key. Filled means may attend: each position sees itself and all before it."),
        _mask,
    ),
    "padding": Kind(
        N_("Your padding_mask on two sentences"),
        N_("The dots fill the sentences up to one length. Real words should be filled, dots should not."),
        _mask,
    ),
    "attention": Kind(
        N_("Your attention on a sentence"),
        N_(
            "How much the word of a row looks at that of a column, in per cent: a row sums to 100. Words of one kind "
            "look at each other."
        ),
        _weights,
    ),
    "causal attention": Kind(
        N_("The same with a causal mask"),
        N_("Nothing stands right of the diagonal: a word shares its 100 per cent among itself and those before it."),
        _weights,
    ),
    "positions": Kind(
        N_("Your positional table"),
        N_("A row is a position, a column a wave: fast on the left, slow on the right. So no two rows are alike."),
        _table,
    ),
    "norm": Kind(
        N_("Five tokens before and after your LayerNorm"),
        N_(
            "A dot is a feature, the bar reaches one standard deviation to either side of the mean. Afterwards every "
            "mean should be at 0, and every bar reach from \u22121 to 1."
        ),
        _norm,
    ),
}
