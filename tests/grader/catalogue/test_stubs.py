"""References become stubs; broken marks end in a sentence with the line."""

from __future__ import annotations

import pytest

from grader.catalogue.stubs import as_submission, make_stub, regions
from grader.errors import CourseError

REFERENCE = '''"""Two things."""

from solutions.other import helper


# BEGIN SOLUTION
SECRET = 42
# END SOLUTION


def double(x):
    """Twice x."""
    # BEGIN SOLUTION
    y = x
    return y + y
    # END SOLUTION


class Box:
    def __init__(self, n):
        super().__init__()
        # BEGIN SOLUTION
        self.n = helper(n)
        # END SOLUTION
'''

STUB = '''"""Two things."""

from exercises.other import helper


def double(x):
    """Twice x."""
    raise NotImplementedError("double: write the body (stuck? run `grade hint things`)")


class Box:
    def __init__(self, n):
        super().__init__()
        raise NotImplementedError("Box.__init__: write the body (stuck? run `grade hint things`)")
'''


def test_regions_become_one_line_and_nothing_of_them_is_left() -> None:
    assert make_stub(REFERENCE, "things") == STUB
    compile(STUB, "stub", "exec")


def test_a_reference_becomes_a_submission_by_its_imports_only() -> None:
    assert as_submission(REFERENCE) == REFERENCE.replace("solutions.", "exercises.")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("# BEGIN SOLUTION\nx = 1\n", "things.py:1: this solution is never closed"),
        ("x = 1\n# END SOLUTION\n", "things.py:2: `# END SOLUTION` without"),
        (
            "# BEGIN SOLUTION\n# BEGIN SOLUTION\n# END SOLUTION\n",
            "things.py:2: a solution begins inside the one of line 1",
        ),
        ("x = 1\n", "has no solution"),
    ],
)
def test_broken_marks_are_named_with_their_line(text: str, says: str) -> None:
    with pytest.raises(CourseError, match=says):
        regions(text, "things")
