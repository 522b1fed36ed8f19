"""Every sentence is in both languages: what code and course say is what the catalogues hold, no more and no less."""

from __future__ import annotations

import importlib.util
import tomllib
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog

from grader.catalogue.load import load_course
from grader.cli.messages_command import TRACK
from grader.language import FOLDER, LANGUAGES
from grader.messages import catalogues
from grader.results.codes import CODES

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_the_shipped_catalogues_are_complete_and_in_step(language: str) -> None:
    course = load_course(ROOT, configured=False)
    core = [e.name for e in course.exercises if e.track == TRACK]
    wanted = catalogues.templates(ROOT, core, course.names, language)
    assert {f"{name}.po" for name in core} < {path.name for path in wanted}
    assert sum(len(template) for template in wanted.values()) > 1000
    assert [f"{f.file}: {f.problem}: {f.text}" for f in catalogues.findings(wanted, language)] == []


def test_every_code_of_a_verdict_is_used() -> None:
    files = [*(ROOT / "grader").rglob("*.py"), *(ROOT / "tests" / "exercises").glob("*.py")]
    places = [p for p in files if p.name not in ("codes.py", "lead.py")]
    sources = "\n".join(path.read_text("utf-8") for path in places)
    assert [slug for slug in CODES if f'"{slug}"' not in sources] == []


def test_the_words_of_click_are_words_of_click() -> None:
    spec = importlib.util.find_spec("click")
    assert spec is not None
    assert spec.origin is not None
    sources = "\n".join(path.read_text("utf-8") for path in Path(spec.origin).parent.glob("*.py"))
    assert [text for text in catalogues.CLICK if text not in sources] == []


def problems(*, wanted: dict[str, str], told: dict[str, str | None], fuzzy: str = "") -> list[str]:
    template, catalog = Catalog(), Catalog("zh")
    for text in wanted:
        template.add(text)
    for text, translation in told.items():
        catalog.add(text, translation, flags=["fuzzy"] if text == fuzzy else [])
    return [finding.problem for finding in catalogues.problems(Path("x.po"), catalog, template)]


def test_problems_of_a_catalogue_are_found() -> None:
    one = {"A {name}.": "{name}。"}
    assert problems(wanted=one, told=dict(one)) == []
    assert problems(wanted=one, told={}) == ["no translation"]
    assert problems(wanted=one, told={"A {name}.": ""}) == ["no translation"]
    assert problems(wanted={}, told=dict(one)) == ["stands nowhere in the sources any more"]
    assert problems(wanted=one, told=dict(one), fuzzy="A {name}.") == ["is marked fuzzy"]
    assert len(problems(wanted=one, told={"A {name}.": "{nom}。"})) == 1
    assert len(problems(wanted={"Use `x`.": ""}, told={"Use `x`.": "用 `y`。"})) == 1


def test_an_update_keeps_what_is_translated_and_drops_what_is_gone(tmp_path: Path) -> None:
    path, before, template = tmp_path / "x.po", Catalog("zh"), Catalog()
    before.add("stays", "留")
    before.add("goes", "去")
    catalogues.save(path, before)
    template.add("stays")
    template.add("comes")
    catalogues.save(path, catalogues.updated(path, "zh", template))
    first = path.read_bytes()
    assert {m.id: m.string for m in catalogues.load(path, "zh") if m.id} == {"stays": "留", "comes": ""}
    catalogues.save(path, catalogues.updated(path, "zh", template))
    assert path.read_bytes() == first  # no dates, no line numbers: nothing changes where nothing has changed


def test_the_package_ships_what_it_reads() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["grader"]
    shipped = {path for pattern in patterns for path in FOLDER.parent.glob(pattern)}
    assert shipped == {
        FOLDER / language / "LC_MESSAGES" / f"{name}.mo"
        for language in LANGUAGES[1:]
        for name in ("grader", "course", "said")
    }
