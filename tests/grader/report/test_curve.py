"""The loss curve of `grade show train`, in the terminal and in the page."""

from __future__ import annotations

from pathlib import Path

from grader.report import student_page
from grader.report.curve import HEIGHT, WIDTH, curve, sparkline
from grader.results.schema import Training
from grader.results.store import load

TRAINING = Training(steps=[0, 10, 20], losses=[3.0, 2.0, 1.0], before="<b>xq\u202e", after="the words")


def test_a_falling_loss_is_a_falling_line() -> None:
    assert sparkline([3.0, 2.0, 1.0]) == "█▅▁"
    assert sparkline([1.0] * 100) == "▁" * 34
    path = curve(TRAINING).path
    heights = [float(point.split()[1]) for point in path.removeprefix("M").split("L")]
    assert heights == sorted(heights)
    assert all(0 <= height <= HEIGHT for height in heights)
    assert path.split("L")[-1].startswith(f"{WIDTH}")


def test_one_step_is_enough() -> None:
    assert curve(Training(steps=[0], losses=[3.4], before="", after="")).path.startswith("M")


def test_the_page_shows_it_when_there_is_one() -> None:
    results = load(Path(__file__).with_name("sample.json"))
    page = student_page.render(results, TRAINING)
    assert "Your GPT at work" in page
    assert "<b>xq" not in page
    assert "\\u202e" in page
    assert "Your GPT at work" not in student_page.render(results)
