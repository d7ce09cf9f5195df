"""Facts of components in one file: of their scripts, and of the expressions and components in their markup.

    <script setup lang="ts">            the script, and of the markup what names something, at its place; the rest is blank:
    const again = () => retry(file)
    </script>                           const again = () => retry(file)
    <template>
      <Row v-if="failed" @click="again"/>       ;Row      ;failed         ;again

So one reading of TypeScript gives all facts, with the lines of the file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from daypack.doors.code.graph.extraction.extract import extract
from daypack.doors.code.graph.facts import FileFacts
from daypack.text.fences import SECTION_ENDS, enclosed

COMPONENTS = frozenset({"vue", "svelte", "astro"})
SCRIPT = "typescript"
MOST = 5_000  # expressions

_CODE = re.compile(r"(?i)\A(---)[ \t]*\n|<(script|style)\b[^<>]{0,500}>")
_COMMENT = re.compile(r"<!--[\s\S]*?(?:-->|\Z)")
_NAMING = {
    "vue": re.compile(
        r"<([A-Z]\w*)|(?:\s[:@]|\sv-(?!slot|for|text=))[\w.:-]*=\"([^\"]*)\"|\sv-for=\"[^\"]*?\s(?:in|of)\s+([^\"]*)\"|\{\{([^{}]*)\}\}"
    ),
    "svelte": re.compile(
        r"<([A-Z]\w*)|\{#(?:if|each|await|key)\s+([^{}]*?)(?:\sas\s[^{}]*)?\}|\{:else if\s+([^{}]*)\}|\{(?:@html\s)?([^{}#/:@][^{}]*)\}"
    ),
    "astro": re.compile(r"<([A-Z]\w*)|\{([^{}<>]*)\}"),
}


def extract_component(text: str, language: str) -> FileFacts:
    """The facts of a component, which are those of TypeScript."""
    return extract(script_of(text, language), SCRIPT)


def script_of(text: str, language: str) -> str:
    """The text with only what is TypeScript, at its place."""
    shown = [" " if character != "\n" else "\n" for character in text]
    at = 0
    for start, end, is_code in _parts(text):
        _name(shown, text, at, start, language)
        if is_code:
            shown[start:end] = text[start:end]
        at = end
    _name(shown, text, at, len(text), language)
    return "".join(shown)


def _parts(text: str) -> Iterator[tuple[int, int, bool]]:
    """(start, end, whether it is a script) of the bodies of scripts and styles."""
    for mark, opening, closing in enclosed(
        text, _CODE, SECTION_ENDS, lambda opening: (opening[1] or opening[2]).lower()
    ):
        yield opening.end(), closing.start(), mark != "style"


def _name(shown: list[str], text: str, start: int, end: int, language: str) -> None:
    """Show what the markup between two places names, each after a semicolon; its comments name nothing."""
    markup = _COMMENT.sub(lambda comment: " " * len(comment[0]), text[start:end])
    for count, found in enumerate(_NAMING[language].finditer(markup)):
        if count >= MOST:
            return
        group = found.lastindex or 1
        first, last = start + found.start(group), start + found.end(group)
        if first > start and text[first:last].strip():
            shown[first - 1] = ";"
            shown[first:last] = text[first:last]
