"""The fenced blocks of a page, in order, and what comments that no reader sees say about them.

<!-- place: a class of two -->             once a page: where its commands run (places.py); else an empty folder
<!-- before: cp a b -->                    a command that is run and not shown
<!-- not run: it installs from the net --> the next block is looked at and not run
<!-- not run: `make proof`: an hour -->    lines of the next block that begin so are not run

Data or Python below a paragraph that ends with `FOLDER/NAME`: becomes that file; the page's commands then read it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
NOWHERE = "an empty folder"
PIECES = re.compile(
    r"^<!-- (?P<what>place|before|not run): (?P<text>.*?) -->$"
    r"|^(?P<indent> *)(?P<fence>```+)(?P<kind>[^\n`]*)\n(?P<body>.*?)^(?P=indent)(?P=fence) *$",
    re.MULTILINE | re.DOTALL,
)
WRITTEN = ("python", "toml", "json", "yaml")


@dataclass(frozen=True, slots=True)
class Block:
    """`skipped`: reasons by the beginning of a line; that of "" is the whole block's. `above`: the page before it."""

    kind: str
    text: str
    line: int
    above: str
    skipped: dict[str, str]

    def reason(self, line: str) -> str | None:
        """Why this line is not run, if it is not."""
        return next((why for start, why in self.skipped.items() if line.startswith(start)), None)

    @property
    def file(self) -> str | None:
        """The file that it becomes, if it is one."""
        named = re.search(r"`([\w.\-]+/[\w.\-/]+)`:\n\n\Z", self.above)
        return named[1] if named and self.kind in WRITTEN else None


def blocks_of(page: str) -> list[Block]:
    """A command of a `before` comment is a block of the kind "before"."""
    found, skipped = list[Block](), dict[str, str]()
    for piece in PIECES.finditer(page):
        above = page[: piece.start()]
        line = above.count("\n") + 1
        if piece["what"] == "not run":
            command = re.fullmatch(r"`(.+?)`: (.+)", piece["text"])
            skipped |= {command[1]: command[2]} if command else {"": piece["text"]}
        elif piece["what"] == "before":
            found.append(Block("before", piece["text"] + "\n", line, above, {}))
        elif piece["kind"] is not None:
            body = re.sub(rf"^{piece['indent']}", "", piece["body"], flags=re.MULTILINE)
            found.append(Block(piece["kind"].strip(), body, line, above, skipped))
            skipped = {}
    return found


def place_of(page: str) -> str:
    named = re.search(r"^<!-- place: (.*?) -->$", page, re.MULTILINE)
    return named[1] if named else NOWHERE


def name(path: Path) -> str:
    return str(path.relative_to(ROOT))
