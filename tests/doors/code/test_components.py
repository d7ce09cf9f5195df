"""Components in one file call, use and import what their scripts and their markup name."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_support import opened

from daypack.doors.code.graph.extraction.components import extract_component, script_of

FILES = {
    "src/uploads.ts": "export function retry(file: string) {\n  return file\n}\nexport const limit = 3\n",
    "src/Row.vue": (
        '<template>\n  <p @click="again">{{ name }} of {{ limit }}</p>\n</template>\n\n'
        '<script setup lang="ts">\nimport { limit, retry } from "./uploads"\n'
        "const again = () => retry(name)\n</script>\n"
    ),
    "src/Page.vue": (
        '<script setup lang="ts">\nimport Row from "./Row.vue"\n</script>\n\n<template>\n  <Row v-for="file in files" />\n</template>\n'
    ),
    "src/Line.svelte": (
        '<script>\n  import { retry } from "./uploads"\n</script>\n\n{#if late}\n  <b on:click={() => retry("a")}>{late}</b>\n{/if}\n'
    ),
}


@pytest.mark.parametrize(
    ("reference", "places"),
    [
        ("retry", {"src/Row.vue:7", "src/Line.svelte:6"}),
        ("limit", {"src/Row.vue:2"}),
        ("again", {"src/Row.vue:2"}),
        ("src/Row.vue", {"src/Page.vue:2"}),
    ],
)
def test_components_are_callers_users_and_importers(tmp_path: Path, reference: str, places: set[str]) -> None:
    with opened(tmp_path, FILES) as dp:
        assert {row.at for row in dp.code.callers(reference)} == places


@pytest.mark.parametrize(
    ("language", "text", "kept"),
    [
        ("vue", '<Row :file="one" @click="two()" title="three"/>', [";Row", ";one", ";two()"]),
        ("vue", '<p v-for="file in files" v-if="late">{{ name }}</p>', [";files", ";late", "; name"]),
        ("vue", '<!-- <Row @click="one"/>\n --><p @click="two()"/><!-- {{ three }}', [";two()"]),
        ("vue", '<p #slot="one" v-slot:two="three">four</p><style>.five {}</style>', []),
        (
            "svelte",
            "{#each files as file}<Row {file} on:click={open}/>{/each}",
            [";files", ";Row", ";file", ";open"],
        ),
        ("astro", "---\nconst a = 1\n---\n<Row at={a}/>", ["const a = 1", ";Row", ";a"]),
    ],
)
def test_markup_keeps_what_names_something(language: str, text: str, kept: list[str]) -> None:
    script = script_of(text, language)
    assert len(script) == len(text)
    assert script.count("\n") == text.count("\n")
    assert script.split() == " ".join(kept).split()


@pytest.mark.parametrize(
    "text", ["", "<script>", "<script>" * 9_000, "{{" * 9_000, '<p :a="' * 9_000, "\ud800<Row/>"]
)
def test_any_text_has_facts(text: str) -> None:
    assert extract_component(text, "vue") is not None
