"""Templates and components are cut at their elements, and the code in them at its functions."""

from __future__ import annotations

import pytest
from chunk_checks import check_promises, cut_source
from hypothesis import given, settings
from hypothesis import strategies as st

from daypack.chunk import TEMPLATES, cut
from daypack.types import Piece, Record, RecordKind

FILLER = "".join(f"const berth{n} = ref({n}) // so that the page is not one piece\n" for n in range(12))
COMPONENT = f"""<script setup lang="ts">
import {{ ref }} from 'vue'

{FILLER}
/** Lets the boat go. */
function castOff(boat: Boat) {{
  boat.moored = false
}}

const isLate = (boat: Boat) => boat.due < Date.now()
</script>

<template>
  <ul>
    <li v-for="boat in boats">{{{{ boat.name }}}}</li>
  </ul>
</template>

<style scoped lang="scss">
.late {{ color: red; }}
</style>
"""


def pieces(text: str, language: str) -> tuple[Piece, ...]:
    record = Record("page", text, RecordKind.CODE, language=language)
    found = cut(record)
    check_promises(record.text, found)
    return found.pieces


def piece_with(words: str, text: str, language: str) -> str:
    (found,) = [p for p in pieces(text, language) if words in text[p.span.start : p.span.end]]
    return text[found.span.start : found.span.end]


@pytest.mark.parametrize("language", ["vue", "svelte"])
def test_the_script_of_a_component_is_cut_at_its_functions(language: str) -> None:
    names = [piece.name for piece in pieces(COMPONENT, language) if piece.symbol]
    assert names == ["castOff", "isLate", ".late"]
    assert piece_with("moored", COMPONENT, language).startswith("/** Lets the boat go. */")
    assert piece_with("v-for", COMPONENT, language).startswith("<template>")


def test_the_imports_of_a_component_are_those_of_its_script() -> None:
    assert cut(Record("page", COMPONENT, RecordKind.CODE, language="vue")).imports == (
        "import { ref } from 'vue'",
    )


def test_a_short_component_is_one_piece() -> None:
    assert (
        len(pieces("<script>\nlet n = 0\nfunction up() { n += 1 }\n</script>\n<b>{n}</b>\n", "svelte")) == 1
    )


def test_markup_is_cut_between_elements() -> None:
    row = '    <li class="berth">\n      <span class="name">Berth {n}</span>\n      <span class="price">{n} a day</span>\n    </li>\n'
    text = "<section>\n  <ul>\n" + row * 30 + "  </ul>\n</section>\n"
    found = pieces(text, "html")
    assert len(found) > 3
    for piece in found[1:]:
        assert text[piece.span.start : piece.span.end].lstrip().startswith('<li class="berth">')


def test_branches_of_a_template_stay_with_their_condition() -> None:
    branch = "    <p>The harbour master answers within a day.</p>\n" * 8
    text = (
        f"<div>\n  {{% if open %}}\n{branch}  {{% else %}}\n{branch}  {{% endif %}}\n  <p>End</p>\n</div>\n"
    )
    for piece in pieces(text, "twig"):
        assert not text[piece.span.start : piece.span.end].lstrip().startswith(("{% else", "{% endif"))


def test_code_of_a_razor_page_is_cut_at_its_members() -> None:
    text = '@page "/boats"\n\n' + "<p>One more boat lies at the pier today.</p>\n" * 30
    text += "\n@code {\n    private int boats;\n\n    private async Task CastOffAsync()\n    {\n        boats -= 1;\n    }\n}\n"
    assert [piece.name for piece in pieces(text, "razor") if piece.symbol] == ["CastOffAsync"]


def test_front_matter_of_astro_is_typescript() -> None:
    text = "---\nimport Pier from './Pier.astro'\nfunction due(boat: Boat) {\n  return boat.due\n}\n---\n"
    text += "<p>One more boat lies at the pier today.</p>\n" * 30
    assert [piece.name for piece in pieces(text, "astro") if piece.symbol] == ["due"]


def test_data_and_markup_in_a_script_are_no_code() -> None:
    text = '<script type="application/json">\n{"a": 1}\n</script>\n<script type="text/x-template">\n<p></p>\n</script>\n'
    assert not any(piece.symbol for piece in pieces(text + "<p>Words of a page.</p>\n" * 60, "html"))


@pytest.mark.parametrize("opening", ["<script>", "<style>", "@code {\n", "---\n"])
def test_many_openings_without_an_end_take_no_time(opening: str) -> None:
    assert pieces(opening * 20_000, "razor")


FRAGMENTS = [
    '<script lang="ts">\n', "</script>\n", "<style>\n", "</style>", "---\n", "@code {\n", "}\n", "<div>\n", "  <p>\n", "  </p>\n",
    "</div>\n", "{% if a %}\n", "{% else %}\n", "\t\t<b>{{ x }}</b>\n", "function f() { return 1 }\n", ".a { color: red }\n",
    "\n", "x" * 1500 + "\n", "日本語\n", "\ud800", "\r\n", "<!-- ", "-->",
]  # fmt: skip


@pytest.mark.parametrize("language", sorted(TEMPLATES))
@settings(max_examples=20)
@given(parts=st.lists(st.sampled_from(FRAGMENTS), max_size=30), repeats=st.integers(1, 8))
def test_a_template_keeps_every_character(language: str, parts: list[str], repeats: int) -> None:
    cut_source("".join(parts) * repeats, language)
