"""Texts that say nothing are not worth the tokens of a pack."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from daypack import Daypack
from daypack.pack.silent import is_empty_list, says_nothing
from daypack.testing import make_chunk
from daypack.types import Chunk, PieceKind
from support import project


def chunk(text: str, kind: PieceKind = PieceKind.PARAGRAPH, language: str = "markdown") -> Chunk:
    return make_chunk(text, 1)._replace(kind=kind, language=language)


@pytest.mark.parametrize(
    ("text", "kind", "language"),
    [
        ("## Tides", PieceKind.HEADING, "markdown"),
        ("## How do I measure the tides of a harbour?", PieceKind.HEADING, "markdown"),
        ("## Why the harbour moved, and what it cost.", PieceKind.HEADING, "markdown"),
        ("1. Tides ........ 3\n2. The moon in all its phases ........ 12", PieceKind.HEADING, ""),
        ("See also [The moon](moon.md) and [tables](#tables).", PieceKind.PARAGRAPH, "markdown"),
        ("- [Tides](tides.md)\n- [The moon](moon.md)\n", PieceKind.LIST, "markdown"),
        ("[tides]: tides.md\n[moon]: https://moon.example", PieceKind.PARAGRAPH, "markdown"),
        ("![top](up.gif)\n\n<br/>", PieceKind.PARAGRAPH, "markdown"),
        ("<!-- more -->", PieceKind.PARAGRAPH, "markdown"),
        ("---\ntitle: Tides of the harbour\nsort_rank: 4\n---", PieceKind.FRONT_MATTER, "markdown"),
        (
            "---\ntitle: Tides\nref: docs/moon/tides.md\nreplace: { 'moon': 'sun' }\ndraft: true\n---",
            PieceKind.FRONT_MATTER,
            "markdown",
        ),
        ("---\nauthor:\nrating:\ntags:\n  - book\n---", PieceKind.FRONT_MATTER, "markdown"),
        (".. _almanac: https://almanac.example/tides", PieceKind.PARAGRAPH, "rst"),
        (".. toctree::\n   :maxdepth: 2\n\n   tides\n   moon", PieceKind.PARAGRAPH, "rst"),
        ("See :ref:`tides` and :doc:`moon`.", PieceKind.PARAGRAPH, "rst"),
        ("详见[潮汐](tides.md)。", PieceKind.PARAGRAPH, "markdown"),
        ("* xref:tides.adoc[Tides]\n* xref:moon.adoc[The moon]", PieceKind.LIST, "asciidoc"),
        (":toc: left\n:icons: font\n:sectnums:\n:!figure-caption:", PieceKind.PARAGRAPH, "asciidoc"),
        (":imagesdir: ../images\n:pdf-fontsdir: fonts/of/the/harbour", PieceKind.PARAGRAPH, "asciidoc"),
        (":url-tides: https://almanac.example/tides", PieceKind.PARAGRAPH, "asciidoc"),
        (":orphan:\n:tocdepth: 2", PieceKind.PARAGRAPH, "rst"),
        (":PROPERTIES:\n:ID: 5f2c-11\n:END:", PieceKind.PARAGRAPH, "org"),
        (
            "@chapter Tides\n@menu\n* Low tide:: When the mud shows.\n* High tide::\n@end menu",
            PieceKind.LIST,
            "texinfo",
        ),
        ("[^tides]: See [Tides](tides.md).", PieceKind.PARAGRAPH, "markdown"),
        ("## Tasks\n\n- [ ] \n", PieceKind.LIST, "markdown"),
    ],
)
def test_links_headings_and_marks_say_nothing(text: str, kind: PieceKind, language: str) -> None:
    assert says_nothing(chunk(text, kind, language))


@pytest.mark.parametrize(
    ("text", "kind", "language"),
    [
        ("## Next meeting\n\nAugust 19th", PieceKind.PARAGRAPH, "markdown"),
        ("- [The almanac](https://almanac.example) prints tides", PieceKind.LIST, "markdown"),
        ("Set `tides` to low, see [the moon](moon.md) for its phases.", PieceKind.PARAGRAPH, "markdown"),
        ("* **Recording**: <https://video.example/1>", PieceKind.LIST, "markdown"),
        ("---\ntitle: Tides\nowner: harbour\n---", PieceKind.FRONT_MATTER, "markdown"),
        ("---\ntitle: Tides\nreviewed: true\n---", PieceKind.FRONT_MATTER, "markdown"),
        ("---\ntitle: Tides\ndate: 01/02/2026\n---", PieceKind.FRONT_MATTER, "markdown"),
        ("---\ntitle: Tides\ntags: sea/moon\n---", PieceKind.FRONT_MATTER, "markdown"),
        ("---\ntitle: Tides\nberth: {quay: north, depth: 12}\n---", PieceKind.FRONT_MATTER, "markdown"),
        ("---\nauthor: Leif\nrating: 7\nfinished:\ntags: []\n---", PieceKind.FRONT_MATTER, "markdown"),
        ("tides", PieceKind.PARAGRAPH, "markdown"),
        ("任何人都可以在中午测量水位（[表](tides.md)）。", PieceKind.PARAGRAPH, "markdown"),
        ("| [Tides](tides.md) |", PieceKind.TABLE, "markdown"),
        ("1.2 A berth may cost at most 12 euros a night.", PieceKind.HEADING, ""),
        ("1.2 酒店每晚最多可报销一百二十欧元。", PieceKind.HEADING, ""),
        ("** TODO Call the harbour about the moon", PieceKind.HEADING, "org"),
        (":Author: Leif Dahl", PieceKind.PARAGRAPH, "rst"),
        (":Author: Leif Dahl", PieceKind.PARAGRAPH, "markdown"),
        (":PROPERTIES:\n:SERIAL: 123\n:END:", PieceKind.PARAGRAPH, "org"),
        (":revdate: 2026-10-19", PieceKind.PARAGRAPH, "asciidoc"),
        (":datadir: /var/lib/payd", PieceKind.PARAGRAPH, "asciidoc"),
        (":toc:\n:author: Leif Dahl", PieceKind.PARAGRAPH, "asciidoc"),
        (":sector-title: 12", PieceKind.PARAGRAPH, "asciidoc"),
        ("[^a]: Held on 19 October", PieceKind.PARAGRAPH, "markdown"),
    ],
)
def test_a_few_words_of_their_own_say_something(text: str, kind: PieceKind, language: str) -> None:
    assert not says_nothing(chunk(text, kind, language))


FILES = {
    "tides.md": "# Tides\n\nThe tides of the harbour are measured at noon.\n\n## Elsewhere\n\nSee also [The harbour](harbour.md).\n",
    "harbour.md": "# Harbour\n\nIts tides are high.\n",
}


def test_the_best_clause_of_a_text_of_numbered_clauses_is_in_the_pack(dp: Daypack, tmp_path: Path) -> None:
    rules = "BERTHS\n\n1. Sums\n\n1.1 Nets are dried on the quay.\n\n1.2 A berth may cost at most 12 euros a night.\n\n2. Ends\n\n2.1 Berths end at noon.\n"
    project(tmp_path, {"rules.txt": rules, "notes.md": "# Meeting\n\n- The price of nets rises in May.\n"})
    dp.files.add(tmp_path)
    assert "12 euros" in dp.pack("price of a berth a night", budget=500).text


def test_a_pack_shows_no_link_to_another_page(dp: Daypack, tmp_path: Path) -> None:
    project(tmp_path, FILES)
    dp.files.add(tmp_path)
    pack = dp.pack("tides of the harbour", budget=500)
    assert "measured at noon" in pack.text
    assert "See also" not in pack.text


def test_a_link_is_shown_where_the_store_has_nothing_better(dp: Daypack, tmp_path: Path) -> None:
    project(tmp_path, {"tides.md": "See also [Tides of the harbour](harbour.md).\n"})
    dp.files.add(tmp_path)
    assert "See also" in dp.pack("tides of the harbour", budget=500).text


@pytest.mark.parametrize(
    ("name", "text", "question", "answer"),
    [
        ("tides.rst", "Tides\n=====\n\n:Author: Leif Dahl\n", "who is the author of the tides", "Leif Dahl"),
        ("tides.md", "# Tides\n\n[^a]: Measured on 19 October\n", "when were tides measured", "19 October"),
    ],
)
def test_fields_and_footnotes_are_in_the_pack(
    dp: Daypack, tmp_path: Path, name: str, text: str, question: str, answer: str
) -> None:
    project(tmp_path, {name: text, "harbour.md": "# Harbour\n\nThe tides of the harbour are high.\n"})
    dp.files.add(tmp_path)
    assert answer in dp.pack(question, budget=500).text


TASKS = {
    "template.md": "# Template\n\n## Tasks\n\n- [ ] \n",
    "monday.md": "# Monday\n\nThe open tasks:\n\n- [ ] Call the harbour\n",
}


@pytest.mark.parametrize("question", ["open tasks", '"tasks"'])
def test_a_list_without_words_is_not_in_the_pack(dp: Daypack, tmp_path: Path, question: str) -> None:
    project(tmp_path, TASKS)
    dp.files.add(tmp_path)
    pack = dp.pack(question, budget=500)
    assert "Call the harbour" in pack.text
    assert "template.md" not in pack.text


def test_a_list_without_words_is_not_the_first_hit(dp: Daypack, tmp_path: Path) -> None:
    project(tmp_path, TASKS)
    dp.files.add(tmp_path)
    found = [candidate.chunk.uri for candidate in dp.search("open tasks")]
    assert found == ["monday.md"]


@pytest.mark.parametrize(
    "text",
    ["- [ ] \n- [x]\n", "## Tasks\n\n- \n", "Tasks\n=====\n\n1. ____\n2. ...", "<!-- fill in -->\n* …\n* -"],
)
def test_a_list_of_items_to_fill_in_is_empty(text: str) -> None:
    assert is_empty_list(chunk(text, PieceKind.LIST))


@pytest.mark.parametrize(
    "text",
    [
        "- `<input>`\n- `<select>`",
        "- <DatePicker>\n- <BerthSelect/>",
        "- `==`\n- !=",
        "- ✅\n- ❌",
        "- `-`\n- `_`",
        "- Call the harbour\n---\n",
    ],
)
def test_a_list_of_tags_marks_or_words_is_not_empty(text: str) -> None:
    assert not is_empty_list(chunk(text, PieceKind.LIST))


@pytest.mark.parametrize("items", ["- `==`\n- `!=`\n", "- <Equal/>\n- <Unequal/>\n", "- 🟰\n- ❌\n"])
@pytest.mark.parametrize("question", ["which comparison operators are there?", '"comparison operators"'])
def test_a_list_of_tags_or_marks_is_in_the_pack_that_asks_for_it(
    dp: Daypack, tmp_path: Path, items: str, question: str
) -> None:
    page = f"# Expressions\n\nComparison operators of expressions are read from left to right.\n\n## Comparison operators\n\n{items}"
    project(tmp_path, {"expressions.md": page, "harbour.md": "# Harbour\n\nBoats are compared at noon.\n"})
    dp.files.add(tmp_path)
    assert items.strip() in dp.pack(question, budget=500).text


def test_the_reasons_tell_a_silent_text_from_one_of_low_score(dp: Daypack, tmp_path: Path) -> None:
    project(tmp_path, FILES)
    dp.files.add(tmp_path)
    pack = dp.pack("tides of the harbour", budget=500)
    assert [one.chunk.text.strip() for one in pack.omitted.no_content] == [
        "## Elsewhere\n\nSee also [The harbour](harbour.md)."
    ]
    assert not pack.omitted.low_score
    assert "out: no content" in pack.to("explain")
    assert "1 without content" in pack.to("explain")
    assert json.loads(pack.to("json"))["omitted"]["count"]["no_content"] == 1
    assert 'no_content="1"' in pack.to("xml")
