"""`--lang zh`: what commands say in Chinese, and what does not depend on the language."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from grader.cli.main import COMMANDS, main, without_language

ROOT = Path(__file__).parents[3]
TOY = Path(__file__).parents[1] / "data" / "toy"
CHINESE = re.compile("[\u4e00-\u9fff]")


@pytest.fixture
def toy(tmp_path: Path) -> Path:
    """A fresh copy of the toy course with one mistake in it."""
    shutil.copytree(TOY, tmp_path / "toy", ignore=shutil.ignore_patterns(".grade", "__pycache__"))
    text = (TOY / "solutions" / "scale.py").read_text("utf-8").replace("solutions.", "exercises.")
    wrong = text.replace("x * factor", "x + factor")
    assert wrong != text
    (tmp_path / "toy" / "exercises" / "scale.py").write_text(wrong, "utf-8")
    return tmp_path / "toy"


def grade(folder: Path, *arguments: str, code: int = 0, **variables: str) -> str:
    """What `grade …` prints, in a locale of its own."""
    environment = {k: v for k, v in os.environ.items() if not k.startswith("LC_") and not k.startswith("LANG")}
    environment |= {"NO_COLOR": "1", "COLUMNS": "100", "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **variables}
    done = subprocess.run(
        [sys.executable, "-m", "grader.cli.main", *arguments],
        cwd=folder, env=environment, capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    shown = done.stdout + done.stderr
    assert "Traceback" not in shown, shown
    assert done.returncode == code, shown
    return shown


@pytest.fixture
def quietly(chinese: None, capsys: pytest.CaptureFixture[str]) -> Any:
    """What `grade --lang zh …` prints, in this process."""

    def run(*arguments: str, code: int = 0) -> str:
        assert main(["--lang", "zh", *arguments]) == code
        return "".join(capsys.readouterr())

    return run


def test_a_verdict_in_chinese(toy: Path) -> None:
    shown = grade(toy, "scale", "--lang", "zh", code=1)
    assert "Every number is multiplied by the factor." in shown  # a course that has no catalogue stays as it is
    assert re.search(r"输出在 \[0, 1\] 处：应为 \S+，实际为 \S+（相差 \S+，容许 \S+）。", shown)
    assert "最小的失败用例：" in shown
    assert re.search(r"\d 项未通过。", shown)
    assert "下一步：修正 exercises/scale.py，然后运行 `grade scale`。卡住了？`grade hint scale`。" in shown
    assert "此结果在隔离级别 2（Landlock 与 seccomp）下得出" in shown or "此结果在隔离级别" in shown


def test_the_locale_chooses_and_the_option_wins(toy: Path) -> None:
    assert "尚未评分" in grade(toy, "list", LANG="zh_CN.UTF-8")
    assert "尚未评分" in grade(toy, "list", LC_ALL="zh_CN.UTF-8", LANG="en_GB.UTF-8")
    assert "not graded yet" in grade(toy, "list", LC_MESSAGES="de_DE.UTF-8", LANG="zh_CN.UTF-8")
    assert "not graded yet" in grade(toy, "--lang", "en", "list", LANG="zh_CN.UTF-8")
    assert "not graded yet" in grade(toy, "list")


def test_an_unknown_language_is_one_sentence(toy: Path) -> None:
    assert grade(toy, "list", "--lang", "xx", code=2) == "grade: There is no language 'xx': choose from en, zh.\n"
    assert grade(toy, "list", "--lang=", code=2) == "grade: There is no language '': choose from en, zh.\n"
    assert grade(toy, "list", "--lang", "xx", code=2, LANG="zh") == "grade: 没有语言 'xx'：请从 en, zh 中选择。\n"


@pytest.mark.parametrize(
    ("arguments", "rest", "language"),
    [
        (["--lang", "zh", "list"], ["list"], "zh"),
        (["list", "--lang=zh"], ["list"], "zh"),
        (["report", "--lang"], ["report"], ""),
        (["run", "--", "--lang", "zh"], ["run", "--", "--lang", "zh"], None),
        (["run", "--language", "zh"], ["run", "--language", "zh"], None),
        ([], [], None),
    ],
)
def test_the_option_may_stand_anywhere(arguments: list[str], rest: list[str], language: str | None) -> None:
    assert without_language(arguments) == (rest, language)


def test_results_do_not_depend_on_the_language(toy: Path) -> None:
    found = []
    for language in ("en", "zh"):
        raw = json.loads(grade(toy, "scale", "--json", "--lang", language, code=1))
        raw["seconds"] = 0
        for check in (c for e in raw["exercises"] for c in e["checks"]):
            check["seconds"] = 0
        found.append(raw)
        kept = (toy / ".grade" / "results.json").read_text("utf-8")
        assert not CHINESE.search(kept)
    assert found[0] == found[1]


def test_old_results_are_shown_in_chinese(toy: Path) -> None:
    grade(toy, "scale", code=1)
    before = (toy / ".grade" / "results.json").read_bytes()
    grade(toy, "report", "--out", "en.html")
    grade(toy, "report", "--out", "zh.html", "--lang", "zh")
    english, chinese = ((toy / name).read_text("utf-8") for name in ("en.html", "zh.html"))
    assert '<html lang="en">' in english
    assert not CHINESE.search(english)
    assert '<html lang="zh">' in chinese
    for words in ("批改结果", "最小的失败用例", "关于这个判定的更多说明", "试试", "期望值", "你的结果"):
        assert words in chinese
    assert (toy / ".grade" / "results.json").read_bytes() == before


def test_a_batch_speaks_the_language_of_its_last_run(toy: Path) -> None:
    shutil.copytree(toy / "exercises", toy / "class" / "ada")
    grade(toy, "batch", "class", "--out", "out", "-j", "1")
    page = toy / "out" / "students" / "ada" / "report.html"
    assert '<html lang="en">' in page.read_text("utf-8")
    results = page.with_name("results.json").read_bytes()
    book = (toy / "out" / "gradebook.csv").read_bytes()
    shown = grade(toy, "batch", "class", "--out", "out", "-j", "1", "--lang", "zh")
    assert "1 份提交" in shown
    assert '<html lang="zh">' in page.read_text("utf-8")
    assert "班级结果" in (toy / "out" / "index.html").read_text("utf-8")
    assert page.with_name("results.json").read_bytes() == results
    assert (toy / "out" / "gradebook.csv").read_bytes() == book  # programs read it


def test_all_commands_help_in_chinese(quietly: Any) -> None:
    assert "为练习评分" in quietly("--help")
    for name in [*COMMANDS, "show train", "show continuation", "show pretrained"]:
        shown = quietly(*name.split(), "--help")
        assert shown.startswith("用法： grade"), shown
        assert "显示此帮助并退出。" in shown
        assert "例：`grade" in shown
        unknown = [line for line in shown.splitlines()[1:] if re.search(r"[a-z]{2,} [a-z]{2,} [a-z]{2,}", line)]
        assert [line for line in unknown if "`" not in line] == []


def test_lines_of_help_are_no_wider_than_the_terminal(quietly: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from rich.cells import cell_len

    monkeypatch.setenv("COLUMNS", "80")
    for name in ("batch", "check", "run"):
        assert max(map(cell_len, quietly(name, "--help").splitlines())) <= 80


def test_wrong_use_in_chinese(quietly: Any) -> None:
    course = ("--course", str(ROOT))
    assert quietly(*course, "hint", "atention", code=2) == (
        "grade: 没有名为 'atention' 的练习。你是不是想写 'attention'？\n"
    )
    assert "没有选项 '--colour'。" in quietly("list", "--colour", code=2)
    assert quietly("--course", "/nowhere", "list", code=2).startswith("grade: 没有文件夹 '/nowhere'；")


def test_the_course_in_chinese_and_the_rest_in_english(quietly: Any, tmp_path: Path) -> None:
    root = tmp_path / "course"
    for part in ("exercises", "solutions"):
        shutil.copytree(ROOT / part, root / part)
    course = ("--course", str(root))
    assert CHINESE.search(quietly(*course, "hint", "attention", "1").splitlines()[2])
    assert not CHINESE.search(quietly(*course, "hint", "tokenizer", "1").splitlines()[2])
    assert quietly(*course, "stubs", "--check").strip() == "所有模板都与参考答案同步。"  # stubs stay English
    assert not CHINESE.search((root / "exercises" / "attention.py").read_text("utf-8"))


def test_a_verdict_is_explained_in_chinese(quietly: Any) -> None:
    assert quietly("explain", "wrong_shape") == (
        "wrong_shape (形状)\n\n…：形状应为 …，实际为 …。\n\n"
        "请逐个轴比较这两个形状。各字母的含义写在模板的 docstring 里。\n"
    )
