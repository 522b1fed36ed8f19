"""A submission as data: whose it is, and the text of each exercise file, or why there is none."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from grader.results.schema import Origin


@dataclass(frozen=True, slots=True)
class SourceFile:
    """One file of a submission. `text` is None when it cannot be graded, and `problem` then says why."""

    name: str  # the exercise's name: attention for attention.py
    text: str | None
    problem: str | None = None
    notebook: bool = False  # it was NAME.ipynb
    spans: tuple[tuple[int, str, int], ...] = ()  # from this line on, lines are this cell's, beginning with its line …
    notes: tuple[str, ...] = ()  # sentences on how the text was found
    called: str = ""  # its own name where that is not the exercise's: week1.ipynb, my_attn.py

    @property
    def file(self) -> str:
        """What verdicts call it: a .py file as it is graded, whatever its name was."""
        return self.called or f"{self.name}.ipynb" if self.notebook else f"{self.name}.py"

    @property
    def handed_in_as(self) -> str:
        """What the student calls it."""
        return self.called or self.file


@dataclass(frozen=True, slots=True)
class Submission:
    """Files by exercise name. An exercise without a file is simply not in `files`."""

    student: str
    files: dict[str, SourceFile] = field(default_factory=dict)
    problems: tuple[str, ...] = ()  # sentences about the submission as a whole
    origin: Origin | None = None  # what the platform or the roster says of it
    called: str = ""  # the student as handed in, where a roster gave another name; sentences may say it

    def fingerprint(self) -> str:
        """Of everything a verdict may depend on: names and texts, not the student's name."""
        digest = hashlib.sha256()
        for name in sorted(self.files):
            file = self.files[name]
            cells = [repr(file.spans)] if file.notebook else []  # a verdict names them
            for part in (name, file.text or "", file.problem or "", *cells):
                digest.update(f"{len(part)}:{part}".encode("utf-8", "backslashreplace"))
        return digest.hexdigest()[:16]
