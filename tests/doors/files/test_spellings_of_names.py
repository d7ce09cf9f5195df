"""File names of macOS, whose letters may be taken apart, and the names that people type."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.filters import Glob
from daypack.system import path_named, unicode_forms
from support import WORDS, project

FORMS = ["NFC", "NFD"]
TEXTS = {
    "Verträge/Müll.md": "# Abfuhr\n\nThe bin is emptied on Tuesday.\n",
    "gebühr.py": "def mahngebühr(tage):\n    return tage\n\n\ndef main():\n    return mahngebühr(3)\n",
    "other.md": "# Other\n\nThe bin of the office is emptied on Monday.\n",
}


@pytest.fixture(params=FORMS)
def daypack(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Daypack]:
    def spelt(text: str) -> str:
        return unicodedata.normalize(request.param, text)

    folder = project(tmp_path / "home", {spelt(name): spelt(text) for name, text in TEXTS.items()})
    with Daypack.open(tmp_path / "store", root=folder, settings=WORDS) as opened:
        opened.files.add(folder)
        yield opened


def nfc(text: str) -> str:
    return unicodedata.normalize("NFC", text)


@pytest.mark.parametrize("form", FORMS)
def test_a_file_is_opened_by_either_spelling_of_its_name(daypack: Daypack, form: str) -> None:
    name = unicodedata.normalize(form, "Verträge/Müll.md")
    assert "Tuesday" in daypack.get(name).text
    assert daypack.get(f"{name}:3").text == "The bin is emptied on Tuesday."
    assert daypack.files.why(daypack.files.root / name) is None


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("path", ["Verträge", "Verträge/Müll.md", "Ver*/Mü*", "**/Müll.md"])
def test_a_path_narrows_a_question_in_either_spelling(daypack: Daypack, form: str, path: str) -> None:
    found = daypack.search("when is the bin emptied?", filter=Glob(unicodedata.normalize(form, path)))
    assert {nfc(one.chunk.uri) for one in found.candidates} == {"Verträge/Müll.md"}


def test_a_question_names_a_file_in_either_spelling(daypack: Daypack) -> None:
    pack = daypack.pack("When is the bin emptied in Müll.md?", budget=300)
    assert nfc(pack.excerpts[0].citation.uri) == "Verträge/Müll.md"
    assert not pack.stats.anchors_missing


@pytest.mark.parametrize("form", FORMS)
def test_code_is_named_in_either_spelling(daypack: Daypack, form: str) -> None:
    name, file = (unicodedata.normalize(form, one) for one in ("mahngebühr", "gebühr.py"))
    assert [row.symbol.name for row in daypack.code.callers(name)] == ["main"]
    assert len(daypack.code.symbols(path=file)) == 2


def test_a_new_name_stays_as_it_is_written(tmp_path: Path) -> None:
    assert path_named(str(tmp_path / "neu-ä.md")) == tmp_path / "neu-ä.md"
    assert unicode_forms("plain") == ("plain",)
