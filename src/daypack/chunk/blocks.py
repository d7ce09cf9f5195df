"""Blocks to drafts: small neighbours are joined, large ones cut, each under its headings.

    # Retries            ┐
                         │ name "Retries"              one piece: a heading belongs to what it introduces
    Calls are repeated.  ┘
    ## Limits            ┐ name "Limits", trail ("Retries",)
    - three times        ┘ kind LIST

A heading over headings belongs to the first of them, and the target of a link to the heading or text below. A comment or a rule belongs to
the text above it, the first of a text to the block below it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from daypack.chunk.sizing import (
    MERGED_TOKENS,
    PIECE_TOKENS,
    SMALL_TOKENS,
    TINY_TOKENS,
    Draft,
    characters,
    group,
    split_lines,
    split_runs,
    split_sentences,
)
from daypack.text.tables import column_names
from daypack.types import PieceKind

NAME_LIMIT = 200
FENCE_LINES = 60


class Block(NamedTuple):
    """Neighbouring lines of one kind; a heading when `level` is not 0."""

    start: int
    end: int
    kind: PieceKind
    level: int = 0
    title: str = ""


_ITEM_START = re.compile(r"\n(?=[ \t]*(?:[*+•-]|\(?(?:\d{1,9}|#)[.)])[ \t])")
# blocks that say nothing by themselves: a rule, comments, and directives and fields that tell the writer's tools something
_SILENT = re.compile(
    r"(?:\W|_)*"
    r"|\s*(?:(?:<!--(?:(?!-->).)*-->|\{/\*(?:(?!\*/\}).)*\*/\})\s*)+"
    r"|\s*\.\.[ \t]+(?:contents|include|highlight|sectnum|default-domain|currentmodule)::[^\n]*(?:\n[ \t]+:[^\n]*)*\s*"
    r"|\s*:(?:orphan|tocdepth|nosearch|nocomments):[^\n]*",
    re.DOTALL,
)
# the target of a link, which belongs to the heading or text below it
_TARGET = re.compile(
    r"\s*(?:<a\s+(?:name|id)\s*=[^<>]{1,200}>\s*(?:</a>)?\s*)+|(?:\.\.[ \t]+_[^:\n]{1,200}:\s*)+"
)


def assemble(text: str, blocks: Iterable[Block]) -> Iterator[Draft]:
    """Drafts of the blocks: small neighbours joined, large ones cut, each under its headings."""
    limit = characters(text, PIECE_TOKENS)
    small = characters(text, SMALL_TOKENS)
    merged = characters(text, MERGED_TOKENS)
    tiny = characters(text, TINY_TOKENS)

    outline: list[tuple[int, str]] = []  # the headings that are open, outermost first
    name, trail = "", ()  # type: str, tuple[str, ...]
    section = -1  # of the text before the first heading: 0, if there is any
    heading: Block | None = None  # waits for the text that it introduces, a first subsection included
    target = -1  # where a link's target begins, or a comment, that waits for the heading or text below it
    start, end, kind = 0, 0, PieceKind.PARAGRAPH  # the piece under construction; none when end == start
    only_marks = True  # it says nothing yet, like a rule or a bare heading mark

    for block in blocks:
        if block.level:
            if end > start:
                yield from _parts(text, start, end, kind, limit, name, trail, section)
                start = end
            elif heading is not None and heading.level >= block.level:
                yield Draft(heading.start, heading.end, PieceKind.HEADING, name, trail, section=section)
                heading = None
            if target >= 0:
                block = block._replace(start=target)
            if heading is not None:
                block = block._replace(start=heading.start)
            target = -1
            while outline and outline[-1][0] >= block.level:
                outline.pop()
            trail = tuple(title for _, title in outline if title)
            name = block.title
            outline.append((block.level, block.title))
            section += 1
            heading = block
            continue

        section = max(section, 0)
        if _TARGET.fullmatch(text, block.start, block.end):
            if end > start:
                yield from _parts(text, start, end, kind, limit, name, trail, section)
                start = end
            target = block.start if target < 0 else target
            continue
        length = block.end - block.start
        says_nothing = length < tiny and _SILENT.fullmatch(text, block.start, block.end) is not None
        if says_nothing and end == start and heading is None:
            target = block.start if target < 0 else target
            continue
        if end > start:
            left = end - start
            total = block.end - start
            joins = total <= merged and (left < small or length < tiny)
            joins = joins or (
                total <= limit and (only_marks or (left < tiny and kind is PieceKind.PARAGRAPH))
            )
            # text after a list or fence has another subject
            if kind is not PieceKind.PARAGRAPH and block.kind is not kind:
                joins = total <= merged and left < tiny and kind is not PieceKind.FRONT_MATTER
            if joins or says_nothing:
                if block.kind is not kind:
                    kind = (
                        (block.kind if length * 2 >= left else kind)
                        if kind is PieceKind.PARAGRAPH
                        else (kind if left * 2 >= length else block.kind)
                    )
                end = block.end
                only_marks = only_marks and says_nothing
                continue
            yield from _parts(text, start, end, kind, limit, name, trail, section)
        start = block.start if target < 0 else target
        start = start if heading is None else heading.start
        heading, target = None, -1
        end, kind = block.end, block.kind
        only_marks = says_nothing

    if end > start:
        yield from _parts(text, start, end, kind, limit, name, trail, section)
    elif heading is not None:
        yield Draft(heading.start, heading.end, PieceKind.HEADING, name, trail, section=section)
    elif target >= 0 and not end:  # nothing but a comment
        yield Draft(target, len(text), PieceKind.PARAGRAPH, section=0)


def _parts(
    text: str,
    start: int,
    end: int,
    kind: PieceKind,
    limit: int,
    name: str,
    trail: tuple[str, ...],
    section: int,
) -> Iterator[Draft]:
    """The block as one draft, or as several that fit."""
    if end - start <= limit:
        yield Draft(start, end, kind, name, trail, section=section)
        return
    match kind:
        case PieceKind.LIST:
            starts = [start, *(item.end() for item in _ITEM_START.finditer(text, start, end))]
            spans = group(text, starts, end, limit)
        case PieceKind.FENCE:
            spans = split_lines(text, start, end, FENCE_LINES, limit + limit // 2)
        case PieceKind.TABLE:
            yield from _rows(Draft(start, end, kind, name, trail, section=section), text, limit)
            return
        case PieceKind.FRONT_MATTER:
            spans = split_runs(text, start, end, limit)
        case _:
            spans = split_sentences(text, start, end, limit)
    for part_start, part_end in spans:
        yield Draft(part_start, part_end, kind, name, trail, section=section)


def _rows(table: Draft, text: str, limit: int) -> Iterator[Draft]:
    """Even runs of rows; those behind the first have the head of the table in their name."""
    runs = -(-(table.end - table.start) // limit)
    even = (table.end - table.start) // runs + limit // 8
    head = column_names(text[table.start : table.end])[:NAME_LIMIT]
    for start, end in split_runs(text, table.start, table.end, min(limit, even)):
        if start > table.start and head:
            yield table._replace(
                start=start, end=end, name=(f"{table.name}: {head}"[:NAME_LIMIT] if table.name else head)
            )
        else:
            yield table._replace(start=start, end=end)
