"""The page of a student: what is said, in which order, and that nothing in it acts."""

from __future__ import annotations

import re
import unicodedata
from typing import Any

import msgspec
import pytest

from grader.language import use
from grader.report.page import TEMPLATES
from grader.report.student_page import render, shares
from grader.report.text import clean
from grader.results.schema import Results

from . import conftest as build


def text_of(parse: Any, html: str) -> str:
    return next(e for e in parse(html).elements if e.tag == "body").text


def test_golden(sample: Results, golden: Any) -> None:
    """Without its style, which is judged by eye."""
    golden("student.html", re.sub(r"(?s)<style>.*</style>", "<style></style>", render(sample)))


def test_the_page_is_whole(sample: Results, parse: Any) -> None:
    page = parse(render(sample))
    assert page.unbalanced == []
    assert [e.tag for e in page.open] == []
    ids = [e.attributes["id"] for e in page.elements if "id" in e.attributes]
    assert len(ids) == len(set(ids))
    links = {e.attributes["href"] for e in page.all("a")}
    labels = {e.attributes["aria-labelledby"] for e in page.elements if "aria-labelledby" in e.attributes}
    assert {link.removeprefix("#") for link in links} | labels <= set(ids)


def test_the_page_needs_nothing_from_elsewhere(sample: Results, parse: Any) -> None:
    html = render(sample)
    page = parse(html)
    policy = next(e.attributes["content"] for e in page.all("meta") if "http-equiv" in e.attributes)
    assert policy.startswith("default-src 'none'; style-src 'unsafe-inline'; img-src data:;")
    assert not page.all("script")
    assert not page.all("link")
    assert "url(" not in html
    assert "@import" not in html


def test_what_a_failed_check_says(sample: Results, parse: Any) -> None:
    page = parse(render(sample))
    check = next(e for e in page.all("li", "failed-check") if "softmax(QKᵀ" in e.text)
    assert "The weights is 0.8812 at [0, 1, 0]" in check.text
    assert "width = 4" in check.text
    assert "By what is the score of a query and a key divided?" in check.text
    assert "0 of / 3 points" in check.text.replace("/ of", "of /")
    told = [e.text for e in page.all("desc") if "0.7054" in e.text or "0.8812" in e.text]
    assert told[0].endswith("Row 1: 0.7054, 0.0101, 0.2845.")
    assert told[1].startswith("The largest error is at [0, 1, 0].")


def test_an_exception_that_ends_several_checks_is_told_once(parse: Any) -> None:
    messages = [*["f raised NameError: name 'elf' (f.py, line 3: `elf.x`)."] * 3, "f raised TypeError."]
    failed = [build.failure("masking", "f", f"c{n}", "T", "crash", "raised", text) for n, text in enumerate(messages)]
    html = render(build.results("you", [build.exercise("masking", "Masks", "failed", failed)]))
    told = [e.text for e in parse(html).all("li", "failed-check")]
    assert ["NameError" in text for text in told] == [True, False, False, False]
    assert ["The same happens as above." in text for text in told] == [False, True, True, False]
    assert "<code>elf.x</code>" in html


def test_every_status_has_its_words(sample: Results, parse: Any) -> None:
    text = text_of(parse, render(sample))
    for said in ("passed: Position i sees", "failed: Keys the mask", "waiting: The parts work", "not judged: Padding"):
        assert said in text
    assert "costs nothing by itself" in text
    assert "Decoder decoder.py · not written yet" in text
    assert "Sentence 3." not in text  # the checks of an exercise that was not begun only fill the page


def test_a_diagnosis_comes_before_the_checks(sample: Results, parse: Any) -> None:
    text = text_of(parse, render(sample))
    what = text.index("The scores are divided by d_k")
    assert what < text.index("so its spread is √d_k") < text.index("12 of 12 probes") < text.index("The weights along")


def test_the_students_own_output_is_folded(sample: Results, parse: Any) -> None:
    page = parse(render(sample))
    fold = next(e for e in page.all("details") if "Traceback" in e.text)
    assert "batch_size, sequence_length = query.shape" in fold.text
    assert "open" not in fold.attributes


def test_of_a_hidden_check_only_verdict_and_help_are_shown(sample: Results, parse: Any) -> None:
    html = render(sample)
    assert "SECRET" not in html
    assert "norm_hidden" not in html
    assert "failed: A hidden check Try Look at inputs with a small variance. 0" in text_of(parse, html)


def test_score_problems_isolation_and_environment(sample: Results, parse: Any) -> None:
    text = text_of(parse, render(sample))
    assert "Ada Lovelace 19 of 54 points" in text
    assert "encoder.py is in the folder twice" in text
    assert "isolation level 2 (landlock + seccomp)" in text
    for value in ("0.1.0", "3.11.7", "2.13.0", "linux-x86_64", "c0ffee12", "5ub0a1b2", "5a17"):
        assert value in text


def test_the_bar_adds_up(sample: Results) -> None:
    parts = {share.kind: share.points for share in shares(sample)}
    assert parts == {"passed": 19.0, "failed": 19.0, "not_started": 10.0, "error": 6.0}
    assert sum(parts.values()) == sample.possible


def test_hostile_text_adds_no_element_and_no_attribute(
    hostile: tuple[str, Results], sample: Results, parse: Any
) -> None:
    text, results = hostile
    html = render(results)
    page = parse(html)
    assert page.shapes() <= parse(render(sample)).shapes()
    assert page.unbalanced == []
    assert " ".join(clean(text).split()) in page.all("h1")[0].text
    strange = {c for c in html if unicodedata.category(c) in ("Cc", "Cf", "Cs")} - {"\n", "\t"}
    assert not strange
    html.encode("utf-8")


def test_nothing_at_all_still_makes_a_page(build: Any, parse: Any) -> None:
    assert "0 of 0 points" in text_of(parse, render(build.results("Nobody", [])))


@pytest.mark.parametrize("dark", [False, True])
def test_text_has_enough_contrast(dark: bool) -> None:
    """WCAG AA, 4.5 to 1, for every ink on every ground it stands on."""
    css = (TEMPLATES / "base.css").read_text(encoding="utf-8")
    blocks = re.findall(r":root \{(.*?)\}", css, re.S)
    colors = dict(re.findall(r"--([\w-]+): (#[0-9a-f]{3,6});", blocks[1 if dark else 0]))
    for ink in ("ink", "soft", "passed", "failed", "not_started", "blocked", "error", "link"):
        for ground in ("paper", "raised", "wash-failed", "wash-note"):
            assert contrast(colors[ink], colors[ground]) >= 4.5, (ink, ground)
    for cell in ("above", "below", "off", "nil", "wash-next"):  # the numbers of the pictures stand on these
        assert contrast(colors["ink"], colors[cell]) >= 4.5, cell


def contrast(a: str, b: str) -> float:
    high, low = sorted((luminance(a), luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def luminance(color: str) -> float:
    channels = [int(color[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_what_is_not_graded_yet_has_its_part_of_the_bar() -> None:
    right = build.check("layer_norm", "LayerNorm", "c", "T")
    later = msgspec.structs.replace(build.exercise("masking", "Masks", "not_started", []), possible=12.0)
    one = build.results("you", [later, build.exercise("layer_norm", "Norm", "passed", [right])])
    assert [(share.label, share.points) for share in shares(one)] == [("earned", 2.0), ("not graded yet", 12.0)]
    assert "Not graded yet." in render(one)


def test_a_limit_that_ends_the_import_is_told_once(parse: Any) -> None:
    stopped = {"task": "masking.py", "limit": 6.0, "where": ""}
    rows = [
        build.failure("masking", "f", f"c{n}", "T", "time-out", "cpu_timeout", "", values=stopped) for n in range(3)
    ]
    html = render(build.results("you", [build.exercise("masking", "Masks", "failed", rows)]))
    assert html.count("masking.py used more than 6.0 s of computing time and was stopped.") == 2  # and what to do next


def test_your_own_page_is_headed_in_your_language(chinese: None) -> None:
    checks = [build.check("masking", "causal_mask", "rows", "Holds.", "passed")]
    made = build.results("you", [build.exercise("masking", "Masks", "passed", checks)])
    use("zh")
    html = render(made)
    assert "<h1><bdi>你</bdi></h1>" in html
    assert "<title>你: " in html
