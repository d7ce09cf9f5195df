"""Short questions about a name with humps that no text has: a product in prose is answered, a class in code is not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.types import EmptyReason
from support import project

PROSE = {
    "db.md": "# Database\n\nWe keep the orders in Postgres. The database runs on one server, and we copy it each night.\n",
    "ci.md": "# Releases\n\nThe build server tests each commit, then an engineer merges the branch of the repository.\n",
    "tea.md": "# Kitchen\n\nThe kettle stands on the stove. Green tea is in the left cupboard.\n",
}
CODE = {
    "conf.py": '"""Configuration of the shop."""\nimport json\n\n\ndef load_config(path):\n    """Read the configuration from a file."""\n    with open(path) as file:\n        return json.load(file)\n',
    "db.py": '"""The database of the shop."""\n\n\ndef connect(url):\n    """Connect to the Postgres database on the server."""\n    return url\n',
}


def opened(folder: Path, files: dict[str, str]) -> Daypack:
    root = project(folder / "p", files)
    daypack = Daypack.open(folder / "s", root=root)
    daypack.files.add(root)
    return daypack


@pytest.fixture(scope="module")
def prose(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daypack]:
    with opened(tmp_path_factory.mktemp("prose"), PROSE) as daypack:
        yield daypack


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daypack]:
    with opened(tmp_path_factory.mktemp("code"), CODE) as daypack:
        yield daypack


@pytest.mark.parametrize(
    "question", ["how does PostgreSQL work?", "what is PostgreSQL", "describe PostgreSQL", "PostgreSQL"]
)
def test_a_product_under_another_name_is_answered_from_the_near_text_and_told(
    prose: Daypack, question: str
) -> None:
    pack = prose.pack(question)
    assert pack.empty_reason is None
    assert "We keep the orders in Postgres." in pack.text
    assert "Nothing in the store mentions `PostgreSQL`" in pack.text


@pytest.mark.parametrize(
    "question",
    [
        "where is loadOrders used",
        "what is load_orders",
        "what does Orders::load do",
        "what does LoadOrders() do",
    ],
)
def test_a_name_that_only_code_has_still_empties_an_answer_from_prose(prose: Daypack, question: str) -> None:
    assert prose.pack(question, budget=300).empty_reason is EmptyReason.ANCHOR_NOT_FOUND


@pytest.mark.parametrize("question", ["where is XmlConfig used", "what is PostgreSQL", "XmlConfig"])
def test_a_name_that_code_lacks_shows_no_other_code(code: Daypack, question: str) -> None:
    assert code.pack(question, budget=300).empty_reason is EmptyReason.ANCHOR_NOT_FOUND
    assert code.code.pack(question).empty_reason == "anchor_not_found"


def test_a_product_that_no_text_is_near_to_is_not_found(prose: Daypack) -> None:
    assert prose.pack("what is PowerPoint", budget=300).empty_reason


def test_a_pack_of_code_shows_no_code_for_a_missing_name_that_a_page_is_near_to(tmp_path: Path) -> None:
    with opened(tmp_path, PROSE | {"conf.py": CODE["conf.py"]}) as both:
        assert "We keep the orders in Postgres." in both.pack("what is PostgreSQL").text
        for question in (
            "what is PostgreSQL",
            "where is PostgreSQL used",
            "PostgreSQL",
            "where is XmlConfig used",
        ):
            assert both.code.pack(question).empty_reason == "anchor_not_found"
