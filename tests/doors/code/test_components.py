"""Components in one file call, use and import what their scripts and their markup name."""

from __future__ import annotations

from pathlib import Path
from time import process_time

import pytest
from code_support import opened

from daypack.doors.code.graph.extraction.components import extract_component, script_of
from daypack.doors.code.graph.modules import ProjectFiles

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
        ("src/Row.vue", {"src/Page.vue:2", "src/Page.vue:6"}),
        ("Row", {"src/Page.vue:2", "src/Page.vue:6"}),
    ],
)
def test_components_are_callers_users_and_importers(tmp_path: Path, reference: str, places: set[str]) -> None:
    with opened(tmp_path, FILES) as dp:
        assert {row.at for row in dp.code.callers(reference)} == places


BROUGHT = {
    "nuxt.config.ts": "export default defineNuxtConfig({})\n",
    "app/composables/tide.ts": "export function useTide() {\n  return 1\n}\n",
    "app/components/nav/button/Home.vue": "<template>\n  <p>home</p>\n</template>\n",
    "app/components/nav/NavSide.vue": (
        '<script setup>\nconst tide = useTide()\n</script>\n\n<template>\n  <NavButtonHome :tide="tide" />\n</template>\n'
    ),
    "app/pages/index.vue": (
        "<script setup>\nimport { NavSide } from '#components'\nimport { useTide } from 'other'\n\nuseTide()\n</script>\n\n"
        '<template>\n  <component :is="NavSide" />\n</template>\n'
    ),
}


def test_functions_and_components_that_a_build_brings_without_an_import_have_callers(tmp_path: Path) -> None:
    with opened(tmp_path, BROUGHT) as dp:
        assert [row.at for row in dp.code.callers("useTide")] == ["app/components/nav/NavSide.vue:2"]
        assert [row.at for row in dp.code.callers("NavButtonHome")] == ["app/components/nav/NavSide.vue:6"]
        assert [row.at for row in dp.code.callers("NavSide")] == ["app/pages/index.vue:9"]


def test_without_such_a_build_a_bare_name_of_another_file_means_nothing(tmp_path: Path) -> None:
    files = {name: text for name, text in BROUGHT.items() if name != "nuxt.config.ts"}
    with opened(tmp_path, files) as dp:
        assert dp.code.callers("useTide") == []


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


def test_a_name_of_many_capitals_is_looked_up_at_once() -> None:
    files = ProjectFiles(["nav/Home.vue", "nav/home.vue"])
    begun = process_time()
    assert files.components("Ab" * 50_000) == []
    assert process_time() - begun < 0.5
    assert files.components("NavHome") == files.components("Home") == ["nav/Home.vue"]
    assert files.components("home") == []


def test_a_build_brings_nothing_into_the_code_beside_its_folder(tmp_path: Path) -> None:
    files = {f"web/{name}": text for name, text in BROUGHT.items()} | {
        "web/app/composables/fetch.ts": "export function fetch(path) {\n  return path\n}\n",
        "api/server.ts": "export function load() {\n  return fetch('/tides') + useTide() + parsed('a')\n}\n",
        "api/parse.ts": "function parsed(text) {\n  return text\n}\n",
    }
    with opened(tmp_path, files) as dp:
        assert [row.at for row in dp.code.callers("useTide")] == ["web/app/components/nav/NavSide.vue:2"]
        assert [*dp.code.callers("fetch")] == [*dp.code.callers("parsed")] == []
