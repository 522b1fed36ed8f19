"""What a check, a diagnosis and a pair of arrays say in the terminal, as lines of a page."""

from __future__ import annotations

from itertools import zip_longest

from rich.text import Text

from grader.language import _, said
from grader.report.grid import Grid, pair
from grader.report.terminal_page import GUTTER, Page, foreign, joined, mark
from grader.report.text import clean_output
from grader.report.words import WORDS, sentence
from grader.results.schema import Check, Diagnosis, Evidence

TIMES = " \u00d7 "


def title_line(page: Page, check: Check) -> Text:
    """One check on one line."""
    title = Text(_title(check), "bold" if check.status == "failed" else "")
    return page.ends(joined("  ", mark(check.status), " ", title), check)


def failure_lines(page: Page, check: Check, limit: int, side: int, detail: bool = False) -> list[Text]:
    """Title, what happened, the smallest failing case, the two corners, and what to try."""
    head, *more = page.cut(Text(_title(check), "bold").wrap(page.console, max(20, page.width - 16)), limit)
    head.rstrip()
    lines = [page.ends(joined("  ", mark(check.status), " ", head), check), *page.behind(more)]
    if not check.hidden:
        lines += page.wrapped(Text(_message(check)), limit)
        if check.evidence and limit > 1:
            lines += _evidence(page, check.evidence, side)
    lines += advice_lines(page, check, limit)
    if detail and not check.hidden:
        lines += [
            line
            for row in clean_output(check.detail).splitlines()
            for line in page.wrapped(Text(row, "dim"), 8, "  ┆ ")
        ]
    return lines


def advice_lines(page: Page, check: Check, limit: int) -> list[Text]:
    """What to try, if the check knows."""
    if not check.help:
        return []
    return page.wrapped(Text.assemble((_("Try: "), "bold"), (foreign(said(check.help)), "italic")), min(limit, 3))


def whole_file_lines(page: Page, check: Check) -> list[Text]:
    """What keeps every check of a file from being judged, said once."""
    return [*page.wrapped(Text(_message(check), "bold"), 4), *advice_lines(page, check, 3)]


def diagnosis_lines(page: Page, diagnosis: Diagnosis, limit: int) -> list[Text]:
    what = page.wrapped(Text(foreign(said(diagnosis.what)), "bold yellow"), 2, "  ! ")
    why = page.wrapped(Text(foreign(said(diagnosis.why))), limit) if limit else []
    return what + why


def _title(check: Check) -> str:
    if check.hidden:
        return _("A hidden check, not run here") if check.code == "hidden_here" else _("A hidden check")
    return foreign(said(check.title))


def _message(check: Check) -> str:
    return foreign(sentence(check)) or WORDS[check.status].sentence


def _evidence(page: Page, evidence: Evidence, side: int) -> list[Text]:
    dims = ", ".join(f"{foreign(name)} = {foreign(said(str(value)))}" for name, value in evidence.dims.items())
    lines = page.wrapped(Text(_("smallest failing case: {dims}").format(dims=dims), "dim"), 1) if dims else []
    expected, yours = pair(evidence, side) if side else (None, None)
    blocks = [_array(grid, color) for grid, color in ((expected, "green"), (yours, "red")) if grid]
    for row in zip_longest(*blocks):
        line = joined(Text(GUTTER, "dim"))
        for cell, block in zip(row, blocks, strict=True):
            width = max(text.cell_len for text in block)
            line.append_text(cell or Text()).append(" " * (width + 3 - (cell.cell_len if cell else 0)))
        line.rstrip()
        line.truncate(page.width)
        lines.append(line)
    return lines


def _array(grid: Grid, color: str) -> list[Text]:
    """A caption and the rows; the worst cell carries a star."""
    width = max(len(cell.text) for row in grid.cells for cell in row) + 1
    shape = f" ({TIMES.join(map(str, grid.shape))})" if grid.shape else ""
    lines = [Text(f"{grid.label}{shape}", "dim")]
    for index, row in zip_longest(grid.rows, grid.cells):
        line = Text(f"{index:>2}" if index is not None else "", "dim")
        for cell in row or ():
            line.append(f"{'*' * cell.worst}{cell.text}".rjust(width + 1), color if cell.worst or cell.differs else "")
        lines.append(line.append(" ⋯" if grid.more_columns else "", "dim"))
    return lines
