"""The language of words: which one is chosen, and how a sentence that was made in English is recognised."""

from __future__ import annotations

import pytest

from grader.errors import UsageError
from grader.language import Template, _, current, filled, ngettext, of_environment, said, template, use, words_of
from grader.results import codes

TEXT = "No exercise {name}. {hint}"


def made(key: str, translation: str) -> Template:
    found = template(key, translation)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("environment", "language"),
    [
        ({"LANG": "zh_CN.UTF-8"}, "zh"),
        ({"LANG": "zh"}, "zh"),
        ({"LC_ALL": "en_GB.UTF-8", "LANG": "zh_CN.UTF-8"}, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "zh_TW", "LANG": "de_DE"}, "zh"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "zhx"}, "en"),
        ({}, "en"),
    ],
)
def test_the_first_variable_that_is_set_decides(environment: dict[str, str], language: str) -> None:
    assert of_environment(environment) == language


def test_another_language_is_refused_with_those_there_are() -> None:
    with pytest.raises(UsageError, match=r"There is no language 'xx': choose from en, zh\."):
        use("xx")


def test_english_stands_for_itself() -> None:
    assert current() == "en"
    assert _("passed") == said("passed") == "passed"
    assert ngettext("{n} check", "{n} checks", 1) == "{n} check"
    assert ngettext("{n} check", "{n} checks", 2) == "{n} checks"


def test_a_template_finds_what_stands_in_its_fields() -> None:
    found = made(TEXT, "{hint} {name}")
    assert found.values_in("No exercise 'x'. Did you mean 'y'?") == {"name": "'x'", "hint": "Did you mean 'y'?"}
    assert found.values_in("No exercise 'x'. ") == {"name": "'x'", "hint": ""}
    assert found.values_in("No exercise 'x'") is None
    assert found.values_in("There is no exercise 'x'. ") is None


def test_a_field_that_stands_twice_counts_once() -> None:
    found = made("write {path}, then read {path}", "{path}")
    assert found.values_in("write a, then read a") == {"path": "a"}


def test_of_two_fields_that_touch_the_first_takes_all() -> None:
    assert made("it raised {text}{where}", "").values_in("it raised x (line 3)") == {"text": "x (line 3)"}
    assert made("{text}{where} was raised", "").values_in("x was raised") == {"text": "x"}


def test_the_end_may_not_be_found_before_the_middle() -> None:
    assert made("begin {a} middle {b} end", "").values_in("begin middle end") is None
    assert made("overlap{a}lap", "").values_in("overlap") is None


def test_a_template_of_fields_alone_would_fit_everything() -> None:
    assert template("{a}: {b}", "{a}：{b}") is None
    assert template("no fields at all", "") is None
    assert template("the set {1, 2 of ids", "") is None


def test_formats_of_a_translation_were_applied_before() -> None:
    assert filled("{seconds:.0f} 秒，{name!r}，{{}}", {"seconds": "3", "name": "'x'"}) == "3 秒，'x'，{}"


@pytest.mark.usefixtures("chinese")
def test_sentences_with_their_parts_in_chinese() -> None:
    assert said("No exercise 'atention'. Did you mean 'attention'?") == (
        "没有名为 'atention' 的练习。你是不是想写 'attention'？"
    )
    assert said("the gradient of the output") == "输出的梯度"
    assert said("nobody wrote this sentence") == "nobody wrote this sentence"


@pytest.mark.usefixtures("chinese")
def test_of_several_templates_the_one_that_says_most() -> None:
    templates = words_of("zh").templates
    lengths = [sum(map(len, t.literals)) for t in templates]
    assert lengths == sorted(lengths, reverse=True)


@pytest.mark.usefixtures("chinese")
def test_a_verdict_is_made_from_its_values_again() -> None:
    values = {"what": "the output", "got": [2, 3], "want": [3, 2]}
    assert codes.render("wrong_shape", values) == "The output should have shape [3, 2], got [2, 3]."
    assert codes.shown("wrong_shape", values, "") == "输出：形状应为 [3, 2]，实际为 [2, 3]。"


@pytest.mark.usefixtures("chinese")
def test_names_of_code_stay_names() -> None:
    shown = codes.shown("no_gradient", {"what": "value"}, "")  # `value` is a word of ours, too
    assert shown == "没有梯度传到 value。"
    why = "with your own parts it does not run. Encoder raised NameError: the output"
    assert said(why) == "换上你自己的各部分后无法运行。Encoder 抛出了 NameError：the output"  # though 编码器 is a title
    raised = {"task": "attention", "etype": "ValueError", "text": "the output", "where": ""}
    assert codes.shown("raised", raised, "") == "attention 抛出了 ValueError：the output"


@pytest.mark.usefixtures("chinese")
def test_text_of_a_student_is_never_a_format() -> None:
    hostile = {"task": "{etype.__class__}", "etype": "{0}", "text": "{text!r} {", "where": "}"}
    assert codes.shown("raised", hostile, "") == "{etype.__class__} 抛出了 {0}：{text!r} {}"
    assert said("{0} is missing: `grade reset {1}` brings the stub back.") == (
        "缺少 {0}：`grade reset {1}` 会恢复空白模板。"
    )


@pytest.mark.usefixtures("chinese")
def test_an_old_file_without_values_still_speaks() -> None:
    assert codes.shown("not_started", {}, "attention is not written yet.") == "attention 尚未编写。"
    assert codes.shown("of_tomorrow", {"x": 1}, "It failed.") == "It failed."


@pytest.mark.usefixtures("chinese")
def test_sentences_about_notebooks_name_cells_in_chinese() -> None:
    doubled = "attention.ipynb: f is defined in cell 1 and cell 3: the one in cell 3 is graded."
    assert (
        said(doubled)
        == "attention.ipynb: f 在第 1 个单元格和第 3 个单元格中都有定义：评分用的是第 3 个单元格中的那个。"
    )
    below = said(
        "attention.ipynb: Line 1 of cell 1 needs Base, which stands further down, in cell 3: it was taken first here, "
        "but run from top to bottom the notebook would stop. Move it up."
    )
    assert below.startswith("attention.ipynb：第 1 个单元格的第 1 行需要 Base")
    problem = "its code cells hold more than 256 KiB or 20,000 lines; hand in the code without data"
    assert said(problem) == "它的代码单元格超过 256 KiB 或 20,000 行；请提交不含数据的代码"
    where = {"task": "f", "etype": "E", "text": "x", "where": " (attention.ipynb, cell 3, line 5: `y = x`)"}
    assert codes.shown("raised", where, "") == "f 抛出了 E：x（attention.ipynb 第 3 个单元格，第 5 行：`y = x`）"
    assert said("weird: nothing known") == "weird: nothing known"


@pytest.mark.parametrize(
    ("text", "expected"),
    [("20 min", "20 分钟"), ("3 h 20 min (of which 30 min are free)", "3 小时 20 分钟（其中 30 分钟 不计）")],
)
def test_a_length_of_time_is_said_unit_by_unit(text: str, expected: str) -> None:
    use("zh")
    try:
        assert said(text) == expected
    finally:
        use("en")
