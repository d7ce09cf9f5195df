"""Templates and components: markup at its elements, and the code inside it as code of its own language.

    <script setup lang="ts">   ┐ code       cut as TypeScript
    const open = ref(false)    │
    </script>                  ┘
    <template>                 ┐ markup     elements by their indentation, joined up to the size of a piece
      <dialog v-if="open">     │
    </template>                ┘
    <style scoped> … </style>  ─ code       cut as CSS

A page of few lines is one piece, because its parts explain each other. No grammar reads the markup: template languages mix
with it in ways that no parser of HTML expects, while authors indent what is inside an element in all of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from daypack.chunk.code import cut_code
from daypack.chunk.outlines import defined_regions
from daypack.chunk.sizing import PIECE_TOKENS, Draft, Drafts, characters, split_lines
from daypack.text.fences import SECTION_ENDS, enclosed
from daypack.types import PieceKind

MARKUP_LINES = 60
DEEPEST = 40  # levels of elements; deeper ones are cut by lines
MOST_PARTS = 1_000
DEFINITION_CHARACTERS = 4_000  # of a named template that stays whole. guess

_OPENING = re.compile(
    r"(?im)<(script|style)\b([^<>]{0,500})>"
    r"|\A(---)[ \t]*\n"  # code above the markup of Astro
    r"|^@(?:code|functions)\b\s*\{[ \t]*\n?"  # C# in a Razor page
)
_CLOSING = {**SECTION_ENDS, "@": r"(?m)^\}"}
_LANGUAGE = re.compile(r"""(?i)\b(?:lang|type)\s*=\s*["']?(?:[\w-]{1,20}/)?(?:x-)?([\w.+-]{1,30})""")
_SCRIPTS = {"ts": "typescript", "typescript": "typescript", "tsx": "tsx", "jsx": "tsx", "babel": "tsx"}
_JAVASCRIPT = frozenset({"", "js", "javascript", "module", "ecmascript"})
_STYLES = {"scss": "scss", "sass": "scss", "less": "scss"}
# A line that goes on with the element above it.
_GOES_ON = re.compile(
    r"</|[)\]}/>]|-->|(?:\{%-?|<%-?|\{\{-?|@)\s*(?:end|else|elif|elsif|elseif|when|case|empty)|\{\{/|\{/|\{:"
)


class _Part(NamedTuple):
    """A range of the page; `language` is that of its code, "" for markup. `inner` is where the code is."""

    start: int
    end: int
    language: str = ""
    inner: tuple[int, int] = (0, 0)


class _Line(NamedTuple):
    start: int
    end: int
    indent: int  # -1: blank
    goes_on: bool


def cut_template(text: str) -> Drafts:
    """The pieces of a page in a template language, or of a component in one file. A long named template is cut as a page is,
    and its pieces have its name.
    """
    regions = defined_regions(text)
    if not regions:
        return _cut_page(text)
    drafts: list[Draft] = []
    imports: list[str] = []
    for region in regions:
        section = drafts[-1].section + 1 if drafts else 0
        if region.symbol is not None and region.end - region.start <= DEFINITION_CHARACTERS:
            drafts.append(region._replace(section=section))
            continue
        page = _cut_page(text[region.start : region.end])
        imports += page.imports
        for draft in page.drafts:
            own = draft if draft.symbol is not None else region
            start, end = region.start + draft.start, region.start + draft.end
            drafts.append(own._replace(start=start, end=end, section=section + draft.section))
    return Drafts(drafts, tuple(imports))


def _cut_page(text: str) -> Drafts:
    limit = characters(text, PIECE_TOKENS)
    if len(text) <= limit:
        return Drafts([Draft(0, len(text), PieceKind.BLOCK)])
    drafts: list[Draft] = []
    imports: list[str] = []
    section = 0
    for part in _parts(text):
        if not part.language:
            drafts += _markup(text, part, limit, section)
            continue
        code = cut_code(text[slice(*part.inner)], part.language)
        imports += code.imports
        drafts += _around(part, [*code.drafts], section)
        section = drafts[-1].section + 1 if drafts else 0
    return Drafts(_joined(drafts, limit), tuple(imports))


def _parts(text: str) -> Iterator[_Part]:
    """The page as parts that follow each other."""
    at = 0
    ranges = enclosed(text, _OPENING, _CLOSING, lambda opening: (opening[1] or opening[3] or "@").lower())
    for mark, opening, closing in islice(ranges, MOST_PARTS):
        end = closing.end()
        language = _language(mark, opening[2] or "")
        if not language or not text[opening.end() : closing.start()].strip():
            continue
        if opening.start() > at:
            yield _Part(at, opening.start())
        yield _Part(opening.start(), end, language, (opening.end(), closing.start()))
        at = end
    if at < len(text):
        yield _Part(at, len(text))


def _language(mark: str, attributes: str) -> str:
    """The language of the code in a section; "" for data, and for markup in a script."""
    if mark == "---":
        return "typescript"
    if mark == "@":
        return "csharp"
    said = _LANGUAGE.search(attributes)
    word = said[1].lower() if said else ""
    if mark == "style":
        return _STYLES.get(word, "css")
    return _SCRIPTS.get(word, "javascript" if word in _JAVASCRIPT else "")


def _around(part: _Part, drafts: Sequence[Draft], section: int) -> Iterator[Draft]:
    """The drafts of the code at their places in the page; the tags around it belong to the first and the last."""
    offset = part.inner[0]
    for index, draft in enumerate(drafts):
        start = part.start if not index else draft.start + offset
        end = part.end if index + 1 == len(drafts) else draft.end + offset
        yield draft._replace(start=start, end=end, section=section + draft.section)


def _joined(drafts: Sequence[Draft], limit: int) -> Iterator[Draft]:
    """The drafts, with neighbours that define nothing in one piece if both fit into it."""
    waiting: Draft | None = None
    for draft in drafts:
        if waiting is None:
            waiting = draft
        elif waiting.symbol is None and draft.symbol is None and draft.end - waiting.start <= limit:
            waiting = waiting._replace(end=draft.end, name=waiting.name or draft.name)
        else:
            yield waiting
            waiting = draft
    if waiting is not None:
        yield waiting


# ---------------------------------------------------------------- markup


def _markup(text: str, part: _Part, limit: int, section: int) -> Iterator[Draft]:
    lines = [*_lines(text, part.start, part.end)]
    for first, last in _elements(text, lines, 0, len(lines), limit, DEEPEST):
        yield Draft(first, last, PieceKind.BLOCK, section=section)


def _lines(text: str, start: int, end: int) -> Iterator[_Line]:
    while start < end:
        newline = text.find("\n", start, end)
        stop = end if newline < 0 else newline + 1
        line = text[start:stop]
        words = line.lstrip()
        indent = len(line[: len(line) - len(words)].expandtabs(4)) if words else -1
        yield _Line(start, stop, indent, bool(words) and _GOES_ON.match(words) is not None)
        start = stop


def _elements(
    text: str, lines: Sequence[_Line], low: int, high: int, limit: int, depth: int
) -> Iterator[tuple[int, int]]:
    """Ranges of characters: whole elements, as many as fit; of a long one its beginning and the elements inside it."""
    if low >= high:
        return
    start, end = lines[low].start, lines[high - 1].end
    if end - start <= limit:
        yield start, end
        return
    heads = _heads(lines, low, high)
    if not depth or len(heads) < 2:
        yield from split_lines(text, start, end, MARKUP_LINES, limit)
        return
    first = heads[0]
    for head, stop in zip(heads, [*heads[1:], high], strict=True):
        if lines[stop - 1].end - lines[first].start <= limit:
            continue
        if first < head:
            yield lines[first].start, lines[head].start
            first = head
        if lines[stop - 1].end - lines[head].start > limit:
            yield from _elements(text, lines, head, stop, limit, depth - 1)
            first = stop
    if first < high:
        yield lines[first].start, end


def _heads(lines: Sequence[_Line], low: int, high: int) -> list[int]:
    """The lines at which elements begin: those with the least indentation, and if that is one element alone, those of the
    least indentation inside it.
    """
    begins = [n for n in range(low, high) if lines[n].indent >= 0 and not lines[n].goes_on]
    if not begins:
        return []
    for inside in (begins, begins[1:]):
        least = min((lines[n].indent for n in inside), default=0)
        heads = [n for n in inside if lines[n].indent == least]
        if len(heads) > 1 or inside is not begins:
            break
    return [low, *(n for n in heads if n > low)]
