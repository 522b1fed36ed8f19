"""Heat maps of failed checks, and the pictures of the student's own code: what is filled, outlined and said."""

from __future__ import annotations

import re
from typing import Any

import pytest
from msgspec.structs import replace

from grader.report import own_code
from grader.report.drawing import Drawing
from grader.report.heat import heat_maps
from grader.report.student_page import LEFT_OUT, MAPS, PRINTED, render
from grader.results.schema import Array, Evidence, Number, Picture, Results


def array(rows: list[list[Number]], label: str = "") -> Array:
    shape = [len(rows), len(rows[0])]
    return Array(label=label, shape=shape, corner=shape, values=[v for row in rows for v in row])


def shapes(drawing: Drawing, kind: str) -> int:
    """How many rectangles of a class there are."""
    return sum(path.d.count("M") for path in drawing.paths if path.kind == kind)


def words(drawing: Drawing) -> list[list[str]]:
    """The lines inside the cells."""
    return [[word for _, word in text.places] for text in drawing.texts if text.kind == ""]


def maps(expected: list[list[Number]], got: list[list[Number]], worst: list[int] | None = None) -> list[Drawing]:
    return heat_maps(Evidence(expected=array(expected), got=array(got), worst=worst))


def test_wrong_cells_are_outlined_in_yours_and_in_the_difference() -> None:
    expected, yours, difference = maps([[1.0, 2.0], [3.0, 4.0]], [[1.0, 2.5], [3.0, 0.0]], [1, 1])
    assert [shapes(d, "wrong") for d in (expected, yours, difference)] == [0, 2, 2]
    assert [shapes(d, "worst") for d in (expected, yours, difference)] == [0, 1, 0]
    assert shapes(expected, "wanted") == 1
    assert words(difference) == [["0", "0.5000"], ["0", "\u22124.0000"]]
    assert yours.description.startswith("The largest error is at [1, 1]. Row 0: 1.0000, 2.5000.")


def test_both_are_coloured_on_the_scale_of_what_was_expected() -> None:
    expected, yours, _ = maps([[1.0, -1.0, 0.5]], [[100.0, -0.5, 0.0]])
    assert [shapes(expected, kind) for kind in ("p6", "n6", "p3")] == [1, 1, 1]
    assert [shapes(yours, kind) for kind in ("p6", "n3", "nil")] == [1, 1, 1]


def test_what_is_no_number_has_a_shade_of_its_own() -> None:
    _, yours, difference = maps([[1.0, "-inf"]], [["nan", "-inf"]])
    assert shapes(yours, "odd") == 2
    assert words(difference) == [["NaN", "0"]]


def test_arrays_of_other_shapes_have_no_difference() -> None:
    assert [d.title for d in maps([[1.0, 2.0]], [[1.0], [2.0]])] == ["expected (1 × 2)", "yours (2 × 1)"]
    assert heat_maps(Evidence()) == []


def test_a_small_error_is_shown_where_it_is_the_worst() -> None:
    *_, difference = maps([[1.0, 2.0]], [[1.0, 2.0001]], [0, 1])
    assert shapes(difference, "wrong") == 1
    assert words(difference) == [["0", "0.0001"]]


def plate(kind: Any, *arrays: list[list[Number]], words: list[str] | None = None) -> own_code.Plate | None:
    return own_code.plate(Picture(task="t", kind=kind, arrays=[array(a) for a in arrays], words=words or []))


def drawing(kind: Any, *arrays: list[list[Number]], words: list[str] | None = None) -> Drawing:
    found = plate(kind, *arrays, words=words)
    assert found is not None
    return found.drawing


def test_a_mask_is_filled_where_it_allows() -> None:
    causal = drawing("causal", [[1, 0], [1, 1]])
    assert (shapes(causal, "p6"), shapes(causal, "nil")) == (3, 1)
    assert causal.description == "May be attended to: Query 0: 0. Query 1: 0, 1."
    padding = drawing("padding", [[1, 0]], words=["cat", "·"])
    assert padding.description == "May be attended to: Sequence 0: cat."


def test_weights_are_told_in_per_cent() -> None:
    found = drawing("attention", [[0.25, 0.75], ["nan", 1.0]], words=["the", "cat"])
    assert words(found) == [["25", "75"], ["nan", "100"]]
    assert found.description == "In per cent. The: 25, 75. Cat: nan, 100."


def test_the_norm_tells_mean_and_deviation() -> None:
    found = drawing("norm", [[1.0, 3.0]], [[-1.0, 1.0]])
    assert found.description == "Token 0: mean 2.00, deviation 1.00 before, mean 0.00, deviation 1.00 after."
    assert "no finite number after" in drawing("norm", [[1.0, 3.0]], [["nan", "inf"]]).description


@pytest.mark.parametrize("kind", own_code.KINDS)
def test_numbers_that_do_not_fit_make_no_picture(kind: Any) -> None:
    broken = Array(label="", shape=[2, 2], corner=[2, 2], values=[1.0])
    assert own_code.plate(Picture(task="t", kind=kind, arrays=[broken] * len("ab"[: 1 + (kind == "norm")]))) is None
    assert own_code.plate(Picture(task="t", kind=kind, arrays=[])) is None


def test_every_picture_of_the_sample_is_on_the_page_with_its_line(sample: Results, parse: Any) -> None:
    page = parse(render(sample))
    captions = [e.text for e in page.all("figcaption")]
    for kind in own_code.KINDS.values():
        assert f"{kind.title} {kind.line}" in captions


def test_a_page_has_room_for_so_many_pictures_and_so_much_output(build: Any) -> None:
    seen = Evidence(expected=array([[1.0]]), got=array([[2.0]]))
    checks = [
        replace(build.check("e", "t", f"c{n}", "Title", "failed"), evidence=seen, detail="x" * (PRINTED // 50))
        for n in range(MAPS + 20)
    ]
    html = render(build.results("a", [build.exercise("e", "E", "failed", checks)]))
    assert len(re.findall('class="map"', html)) == 3 * MAPS
    assert html.count("Its picture is left out here") == 20
    assert html.count(LEFT_OUT) == MAPS + 20 - 50
