"""Source code: a piece for each function and each class header, and runs of lines for the rest.

    import os                ┐ rest                      module scope
    LIMIT = 3                ┘
    class Retry:             ┐ header of Retry           opens a scope; the walk goes on inside it
        \"\"\"Again.\"\"\"         │
        attempts = 0         ┘
        # how often          ┐
        @cached              │ Retry.run                 comment and decorator belong to the line below
        def run(self): …     ┘
        marker = 1           ─ rest, named Retry         closing the scope

A walk over the tree (regions.py) writes *regions*: drafts that count bytes, as tree-sitter does. Each begins at the end of the
one before, so they cover the file for any tree; because they are in order, one pass converts them to characters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from daypack.chunk import outlines
from daypack.chunk.headings import under_headings
from daypack.chunk.imports import NOTICE_CHARACTERS, notice_end
from daypack.chunk.languages import language_of
from daypack.chunk.languages.language import Language
from daypack.chunk.nested import nested_regions
from daypack.chunk.outlined.indented import function_regions
from daypack.chunk.outlined.sql import sql_regions
from daypack.chunk.regions import WALK_LIMIT, Walk
from daypack.chunk.sizing import BLOCK_CHARACTERS, BLOCK_LINES, Draft, Drafts, blocks, group, split_lines
from daypack.text import syntax
from daypack.types import PieceKind, SymbolKind

HEADER_LINES = 60
FUNCTION_LINES = 150  # p99 of Python functions is 80
PART_LINES = 100
HEADER_CHARACTERS = 8_000
FUNCTION_CHARACTERS = 12_000

OUTLINES: Mapping[str, Callable[[str], list[Draft]]] = {
    "sql": lambda text: outlines.defined_regions(text) or sql_regions(text),
    "starlark": outlines.target_regions,
    "dockerfile": outlines.stage_regions,
    "stan": outlines.stan_regions,
    "matlab": outlines.matlab_regions,
    "gdscript": function_regions,
    "nix": nested_regions,
    "jsonnet": nested_regions,
}
"""Languages with a reader of their own, because they have no grammar, or because its definitions are not theirs."""

ERROR_SHARE = 0.3  # with more errors the tree is a guess of the parser, and runs of lines are better …
UNDERSTOOD = 0.1  # … unless at least this share of the file is in definitions, which are then worth keeping


def cut_code(text: str, language: str) -> Drafts:
    """Symbols if the language has a grammar and the file follows it, else runs of lines."""
    if not text or text.isspace():
        return Drafts(iter(()))
    if len(text) > syntax.PARSE_LIMIT_BYTES:
        return Drafts(blocks(text), fallback="too large to parse")
    spec = language_of(language)
    outline = OUTLINES.get(language, outlines.braced_regions if spec is None else None)
    if outline is not None and (regions := outline(text)):
        return Drafts(_drafts(text, under_headings(text, _without_notice(text, regions), language)))
    if spec is None:
        return _by_lines(text, language, "no grammar")
    source = syntax.without_directives(syntax.encoded(text), spec.grammar)
    if spec.joined:
        source = re.sub(spec.joined.encode(), lambda found: found[0].replace(b"\n", b" "), source)
    parser = syntax.parser_for(spec.grammar)
    if parser is None:
        return _by_lines(text, language, "no grammar")
    tree, _ = syntax.parse_code(parser, source, spec.grammar)
    if tree is None:
        return Drafts(blocks(text), fallback="parsing took too long")
    walk = Walk(source, spec)
    walk.run(tree.root_node)
    if _error_share(tree.root_node, spec) > ERROR_SHARE and walk.understood < UNDERSTOOD * len(source):
        return _by_lines(text, language, "syntax errors")
    regions = _tidy(text, _in_characters(text, source, walk.regions))
    regions = under_headings(text, _without_notice(text, regions), syntax.plain_name(language))
    return Drafts(_drafts(text, regions), tuple(walk.imports))


def _by_lines(text: str, language: str, reason: str) -> Drafts:
    """Runs of lines of a text whose definitions are not known, cut at its headings."""
    whole = Draft(0, len(text), PieceKind.BLOCK)
    parts = under_headings(text, [whole], syntax.plain_name(language))
    return Drafts(blocks(text) if len(parts) < 2 else _drafts(text, parts), fallback=reason)


def _error_share(root: syntax.Node, spec: Language) -> float:
    """The share of the file inside error nodes, in [0, 1]; definitions inside error nodes do not count."""
    if not root.has_error or root.end_byte <= root.start_byte:
        return 0.0
    errors = 0
    visited = 0
    stack = [root]
    while stack and visited < WALK_LIMIT:
        node = stack.pop()
        visited += 1
        if node.is_error:
            errors += node.end_byte - node.start_byte
            for child in node.named_children:
                if (
                    child.type in spec.functions
                    or child.type in spec.containers
                    or child.type in spec.wrappers
                ):
                    errors -= child.end_byte - child.start_byte
        elif node.has_error:
            stack.extend(node.children)
    return errors / (root.end_byte - root.start_byte)


def _in_characters(text: str, source: bytes, regions: list[Draft]) -> list[Draft]:
    """The regions with character offsets. Regions are in order, so each byte is decoded once."""
    if len(text) == len(source):
        return regions
    converted: list[Draft] = []
    position_bytes = position = 0
    for region in regions:
        # A region begins at the end of the one before, so only ends are converted.
        start = position + len(source[position_bytes : region.start].decode("utf-8", "ignore"))
        end = start + len(source[region.start : region.end].decode("utf-8", "ignore"))
        position_bytes, position = region.end, end
        converted.append(region._replace(start=start, end=end))
    return converted


# Rests of a scope between its definitions that mean nothing by themselves.
_CLOSER = re.compile(
    r"(?:[^\w#/\"'`]|//[^\n]*namespace[^\n]*|/\*[^*\n]*\*/|#[ \t]*end(?:if|region)\b[^\n]*|\b(?:end|fi|done|esac)\b)*"
)
_CLOSER_LIMIT = 200
_OPENER = re.compile(
    r"[\s}]*(?:(?:public|private|protected)(?:\s*:)?\s*)+"
    r"|\s*(?:[^\n]*[:{]|#[ \t]*(?:if|el|region)[^\n]*|package\s[^\n]*)\s*"  # if TYPE_CHECKING:   #else   extern "C" {   package a.b;
    r"|\s*[A-Za-z_]\w*(?:[ \t]+[A-Za-z_]\w*){0,3}\s*"  # private   LIB_API LIB_INLINE
)


def _tidy(text: str, regions: list[Draft]) -> list[Draft]:
    """The regions; lone brackets are joined to the region before, a lone line that opens a block to the region after it."""
    tidy: list[Draft] = []
    carried = -1  # start of text that is joined to the next region
    for index, region in enumerate(regions):
        if carried >= 0:
            region = region._replace(start=carried)
            carried = -1
        elif _is_short_rest(region):
            closes = _CLOSER.match(text, region.start, region.end)
            end = closes.end() if closes and tidy else region.start
            opens = index + 1 < len(regions) and (
                _OPENER.fullmatch(text, end, region.end) or _CLOSER.fullmatch(text, end, region.end)
            )
            if end > region.start and (opens or end == region.end):
                tidy[-1] = tidy[-1]._replace(end=end)
            if end == region.end:
                continue
            if opens:
                carried = end
                continue
        tidy.append(region)
    return tidy


def _without_notice(text: str, regions: list[Draft]) -> list[Draft]:
    """The regions, with the notice of copyright at the beginning of a file as its own region, because answers do not need it."""
    end = notice_end(text)
    if end < NOTICE_CHARACTERS or not regions or end >= regions[0].end:
        return regions
    first, *others = regions
    notice = Draft(first.start, end, PieceKind.FRONT_MATTER, section=first.section)
    return [notice, first._replace(start=end), *others]


def _is_short_rest(region: Draft) -> bool:
    short = region.end - region.start <= _CLOSER_LIMIT
    return short and region.symbol is None and region.kind is PieceKind.BLOCK


def _drafts(text: str, regions: list[Draft]) -> Iterator[Draft]:
    """The regions; long regions are cut into parts with the same label."""
    for region in regions:
        lines = text.count("\n", region.start, region.end) + 1
        length = region.end - region.start
        if region.symbol in (SymbolKind.FUNCTION, SymbolKind.METHOD):
            whole = lines <= FUNCTION_LINES and length <= FUNCTION_CHARACTERS
            max_lines, limit = PART_LINES, FUNCTION_CHARACTERS
        elif region.symbol is not None or region.kind is PieceKind.PARAGRAPH:
            whole = lines <= HEADER_LINES and length <= HEADER_CHARACTERS
            max_lines, limit = HEADER_LINES, HEADER_CHARACTERS
        else:
            whole = lines <= BLOCK_LINES and length <= BLOCK_CHARACTERS
            max_lines, limit = BLOCK_LINES, BLOCK_CHARACTERS
        if whole:
            spans = [(region.start, region.end)]
        else:
            is_function = region.symbol in (SymbolKind.FUNCTION, SymbolKind.METHOD)
            below = _lead_end(text, region.start, region.end) if is_function else region.start
            spans = [*_lead_parts(text, region.start, below)]
            spans += split_lines(text, *_trimmed(text, below, region.end), max_lines, limit)
        if (
            len(spans) > 1
            and spans[-1][1] - spans[-1][0] <= _CLOSER_LIMIT
            and _CLOSER.fullmatch(text, *spans[-1])
        ):
            end = spans.pop()[1]
            spans[-1] = (spans[-1][0], end)
        for start, end in spans:
            yield region._replace(start=start, end=end)


# Lines of comments, and a string that describes what is below it, as in Julia.
_LEAD = re.compile(r"(?:\s*(?:\"{3}[\s\S]*?\"{3}[ \t]*\n|(?:#|//|\*|/\*|--|%|;)[^\n]*(?:\n|\Z)))*")
_LEAD_PART = re.compile(r"\n[ \t]*(?:#'?|//[/!]?|\*|--|%|;+)?[ \t]*\n(?=[ \t]*\S)|\n(?=[ \t]*#' @)")
LEAD_CHARACTERS = 2_000


def _lead_end(text: str, start: int, end: int) -> int:
    """The end of the comments above a definition, if they are long enough to be pieces of their own; else `start`."""
    lead = _LEAD.match(text, start, end)
    stop = lead.end() if lead else start
    return stop if stop < end and text.count("\n", start, stop) > BLOCK_LINES else start


def _lead_parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Groups of the paragraphs of a long comment."""
    if start < end:
        starts = [start, *(found.end() for found in _LEAD_PART.finditer(text, start, end))]
        yield from group(text, starts, end, LEAD_CHARACTERS)


def _trimmed(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without blanks at its ends, so that blank lines do not count as lines of a piece."""
    body = text[start:end].rstrip()
    lead = len(body) - len(body.lstrip())
    return start + max(0, body.rfind("\n", 0, lead) + 1), start + len(body)
