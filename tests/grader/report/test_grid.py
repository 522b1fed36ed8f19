"""The window of numbers that a verdict shows: rows, the worst cell, what differs."""

from __future__ import annotations

from grader.report.grid import MINUS, Grid, pair, single
from grader.results.schema import Array, Evidence, Number


def array(shape: list[int], corner: list[int] | None = None, values: list[Number] | None = None) -> Array:
    corner = corner or shape
    size = 1
    for n in corner:
        size *= n
    return Array(label="x", shape=shape, corner=corner, values=list(range(size)) if values is None else values)


def texts(grid: Grid | None) -> list[list[str]]:
    assert grid is not None
    return [[cell.text for cell in row] for row in grid.cells]


def test_a_matrix_keeps_its_rows_and_says_when_there_is_more() -> None:
    grid = single(array([3, 9], [3, 6]), 4)
    assert texts(grid) == [["0", "1", "2", "3"], ["6", "7", "8", "9"], ["12", "13", "14", "15"]]
    assert grid
    assert grid.more_columns
    assert not grid.more_rows


def test_scalars_and_vectors() -> None:
    assert texts(single(array([], [], [2.5]), 4)) == [["2.5000"]]
    vector = single(array([3]), 4)
    assert texts(vector) == [["0", "1", "2"]]
    assert vector
    assert vector.rows == ()
    assert vector.columns == (0, 1, 2)


def test_the_window_moves_to_the_worst_cell() -> None:
    worst = [9, 10]
    expected, yours = pair(Evidence(expected=array([12, 12], [6, 6]), got=array([12, 12]), worst=worst), 4)
    assert yours
    shown = {
        (r, c): cell
        for r, row in zip(yours.rows, yours.cells, strict=True)
        for c, cell in zip(yours.columns, row, strict=False)
    }
    assert shown[9, 10].worst
    assert shown[9, 10].text == str(9 * 12 + 10)
    assert [cell.worst for row in yours.cells for cell in row].count(True) == 1
    assert expected
    assert expected.rows == (0, 1, 2, 3)
    assert not any(cell.worst for row in expected.cells for cell in row)


def test_the_slice_of_the_worst_cell_is_shown_if_it_was_kept() -> None:
    _, yours = pair(Evidence(got=array([2, 3, 2]), worst=[1, 2, 0]), 4)
    assert yours
    assert yours.place == "[1, :, :]"
    assert texts(yours)[2][0] == "10"
    _, deep = pair(Evidence(got=array([2, 3, 2, 2]), worst=[1, 2, 0, 1]), 4)
    assert texts(deep) == [["20", "21"], ["22", "23"]]
    _, outside = pair(Evidence(got=array([2, 2, 2], [1, 2, 2]), worst=[1, 0, 0]), 4)
    assert outside
    assert outside.place == "[0, :, :]"
    assert not any(cell.worst for row in outside.cells for cell in row)


def test_cells_that_differ_are_marked_and_rounding_is_not() -> None:
    expected = array([4], values=[1.0, 0.5411, "inf", 2.0])
    got = array([4], values=[1.001, 0.5412, "nan", 3.0])
    _, yours = pair(Evidence(expected=expected, got=got), 6)
    assert yours
    assert [cell.differs for cell in yours.cells[0]] == [False, False, True, True]


def test_numbers_of_a_picture_are_written_alike() -> None:
    values: list[Number] = [-0.5, 1.25, 0.0, 1e-9, "nan", "-inf", "inf"]
    grid = single(array([7], values=values), 7)
    assert texts(grid) == [[f"{MINUS}0.5000", "1.2500", "0.0000", f"1.0e{MINUS}09", "NaN", f"{MINUS}∞", "∞"]]
    assert texts(single(array([2], values=[-3.0, 250000.0]), 7)) == [[f"{MINUS}3", "2.5e+05"]]
    assert texts(single(array([2], values=[12.5, 345.678]), 7)) == [["12.50", "345.68"]]


def test_an_array_that_contradicts_itself_is_not_shown() -> None:
    assert single(array([2, 2], values=[1.0]), 4) is None
    assert single(array([0, 3], [0, 3], []), 4) is None
    assert single(Array(label="x", shape=[2], corner=[1, 2], values=[1.0, 2.0]), 4) is None
    assert pair(Evidence(), 4) == (None, None)
    _, yours = pair(Evidence(got=array([2]), worst=[5, 5]), 4)
    assert yours
    assert not yours.cells[0][0].worst
