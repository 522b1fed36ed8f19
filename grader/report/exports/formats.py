"""All formats there are, in one place: a file of this package and a line here make a new one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from grader.language import N_
from grader.report.exports import canvas, csv_table, gradescope, json_table, junit, markdown, moodle, moodle_feedback
from grader.report.exports.model import Export, Request


@dataclass(frozen=True, slots=True)
class Format:
    write: Callable[[Request], Export]
    about: str
    sheet: Literal["no", "maybe", "needed"] = "no"
    of_one: bool = False  # one student's results, not a class
    is_text: bool = True  # may go to the terminal


FORMATS: dict[str, Format] = {
    "csv": Format(csv_table.render, N_("the gradebook, for a spreadsheet")),
    "json": Format(json_table.render, N_("the gradebook, for programs")),
    "canvas": Format(canvas.render, N_("one column of Canvas's own gradebook export, filled"), sheet="needed"),
    "moodle": Format(moodle.render, N_("Moodle's own grading worksheet, filled"), sheet="needed"),
    "moodle-feedback": Format(
        moodle_feedback.render, N_("everyone's page, as Moodle's feedback zip"), sheet="maybe", is_text=False
    ),
    "gradescope": Format(gradescope.render, N_("results.json of a Gradescope autograder, of one student"), of_one=True),
    "junit": Format(junit.render, N_("JUnit XML for continuous integration, of one student"), of_one=True),
    "markdown": Format(markdown.render, N_("a summary for GitHub, of one student"), of_one=True),
}
