"""Blocks become drafts: small neighbours are joined, large blocks cut, each under its headings.

    # Retries            ┐
                         │ name "Retries"              one piece: a heading belongs to what it introduces
    Calls are repeated.  ┘
    ## Limits            ┐ name "Limits", trail ("Retries",)
    - three times        ┘ kind LIST

What code printed belongs to the code; where both do not fit with the text above, the code moves to the piece of its result.
A heading directly above another belongs to the lower one, and the target of a link to the heading or text below it. A comment
or a rule belongs to the text above it, or, at the beginning of the text, to the block below it. A sentence that ends in a
colon belongs to the list, code or table below it, and text inside a list item to the item.
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
from daypack.text.tables import column_names, row_ends
from daypack.types import PieceKind

NAME_LIMIT = 200
FENCE_LINES = 60
LINE = re.compile(r"[^\n]*\n?")


class Block(NamedTuple):
    """Neighbouring lines of one kind. A block with a `level` above 0 is a heading."""

    start: int
    end: int
    kind: PieceKind
    level: int = 0
    title: str = ""
    continues: bool = (
        False  # the block continues the list item above it, or is what the code above it printed
    )


_ITEM_START = re.compile(r"\n(?=[ \t]*(?:[*+•-]|\(?(?:\d{1,9}|#)[.)])[ \t])")
# blocks without content for readers: a rule, comments, and directives and fields for the writer's tools
_SILENT = re.compile(
    r"(?:\W|_)*"
    r"|\s*(?:(?:<!--(?:(?!-->).)*-->|\{/\*(?:(?!\*/\}).)*\*/\})\s*)+"
    r"|\s*\.\.[ \t]+(?:contents|include|highlight|sectnum|default-domain|currentmodule)::[^\n]*(?:\n[ \t]+:[^\n]*)*\s*"
    r"|\s*\.\.[ \t]+(?![_|]|\[[\w#*])(?:(?!::)[^\n])*\s*"  # a comment
    r"|\s*:(?:orphan|tocdepth|nosearch|nocomments):[^\n]*"
    r"|(?:\s*(?:@end[ \t]+\w+|</[\w.-]+[ \t]*>|\{\{[<%][ \t]*/[\w-]+[ \t]*[>%]\}\}|\{%-?[ \t]*(?:end|/[ \t]*)\w+[ \t]*-?%\}))+\s*",  # ends of elements
    re.DOTALL,
)
# the target of a link, which belongs to the heading or text below it
_TARGET = re.compile(
    r"\s*(?:<a\s+(?:name|id)\s*=[^<>]{1,200}>\s*(?:</a>)?\s*)+|(?:\.\.[ \t]+_[^:\n]{1,200}:\s*)+|(?:\([^()\n]{1,200}\)=\s*)+"
    r"|(?:\.\.[ \t]+(?:[\w-]+:)?(?:setting|confval|option|envvar|index|function|class|method|attribute|data|exception)::[^\n]*\s*)+"
)
# a line in bold, which is the heading of the text below it
_BOLD = re.compile(r"\s*(?:\*\*[^*\n]+\*\*|__[^_\n]+__)[:?]?\s*")
# the end of a text that introduces the next block, and the end of a sentence
_COLON = re.compile(r"[:：][*_`\"')\]]{0,3}\s*\Z")
_STOP = re.compile(r"(?:[.!?][*_`\"')\]]{0,3}\s+|[。！？][*_`」』”）]{0,3}\s*)(?=\S)")


def line_end(text: str, start: int, end: int) -> int:
    """One past the newline of the line at `start`, at most `end`."""
    newline = text.find("\n", start, end)
    return end if newline < 0 else newline + 1


def assemble(text: str, blocks: Iterable[Block]) -> Iterator[Draft]:
    """The drafts of the blocks: small neighbours joined, large blocks cut, each under its headings."""
    assembly = _Assembly(text)
    for block in blocks:
        if block.level:
            yield from assembly.add_heading(block)
        elif _TARGET.fullmatch(text, block.start, block.end):
            yield from assembly.add_target(block)
        else:
            yield from assembly.add_text(block)
    yield from assembly.close()


class _Assembly:
    """The current piece, the headings above it, and the heading and target that belong to the text after it."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._limit = characters(text, PIECE_TOKENS)
        self._small = characters(text, SMALL_TOKENS)
        self._merged = characters(text, MERGED_TOKENS)
        self._tiny = characters(text, TINY_TOKENS)
        self._outline: list[tuple[int, str]] = []  # (level, name) of the headings above, the outermost first
        self._name, self._trail = "", tuple[str, ...]()
        self._section = -1  # 0 for text before the first heading
        # These wait for the text below: a heading, with that of its first subsection, and the start of a link's target or a comment.
        self._heading: Block | None = None
        self._target = -1
        self._start, self._end, self._kind = 0, 0, PieceKind.PARAGRAPH  # no piece when end == start
        self._says_nothing = True  # the piece so far has no content, as a rule or a bare heading mark
        self._lead = -1  # the start of a sentence at the end of the piece that introduces the next block
        self._opened = False  # the piece begins with the sentence that introduces its list
        self._code = -1  # the start of a fence at the end of the piece

    def add_heading(self, block: Block) -> Iterator[Draft]:
        waiting = self._heading
        if self._end > self._start:
            yield from self._piece()
        elif waiting is not None and waiting.level >= block.level:
            yield self._bare_heading(waiting)
            waiting = None
        if self._target >= 0:
            block = block._replace(start=self._target)
        if waiting is not None:
            block = block._replace(start=waiting.start)
        self._target = -1
        while self._outline and self._outline[-1][0] >= block.level:
            self._outline.pop()
        self._trail = tuple(title for _, title in self._outline if title)
        self._name = block.title
        self._outline.append((block.level, block.title))
        self._section += 1
        self._heading = block

    def add_target(self, block: Block) -> Iterator[Draft]:
        self._section = max(self._section, 0)
        if self._end > self._start:
            yield from self._piece()
        if self._target < 0:
            self._target = block.start

    def add_text(self, block: Block) -> Iterator[Draft]:
        self._section = max(self._section, 0)
        says_nothing = self._is_silent(block)
        if self._end > self._start:
            if says_nothing or self._joins(block):
                self._kind = self._joint_kind(block)
                self._end, self._code = block.end, self._code_of(block)
                self._says_nothing = self._says_nothing and says_nothing
                self._opened = self._opened or self._is_introduced(block)
                self._lead = self._lead_of(block, says_nothing=says_nothing)
                return
            if self._is_introduced(block):
                lead = self._lead
                if lead > self._start:
                    self._end = lead
                    yield from self._piece()
                self._start, self._end, self._kind = lead, block.end, block.kind
                self._opened, self._lead, self._says_nothing = True, self._lead_of(block), False
                self._code = self._code_of(block)
                return
            code = self._code
            if block.continues and self._start < code and block.end - code <= self._limit:
                self._end = code
                yield from self._piece()
                self._start, self._end, self._kind = code, block.end, block.kind
                self._opened, self._lead, self._says_nothing, self._code = False, -1, False, -1
                return
            yield from self._piece()
        elif says_nothing and self._heading is None:
            if self._target < 0:
                self._target = block.start
            return
        self._start = block.start if self._target < 0 else self._target
        if self._heading is not None:
            self._start = self._heading.start
        self._heading, self._target = None, -1
        self._end, self._kind, self._says_nothing = block.end, block.kind, says_nothing
        self._opened, self._lead, self._code = False, self._lead_of(block), self._code_of(block)

    def close(self) -> Iterator[Draft]:
        if self._end > self._start:
            yield from self._piece()
        elif self._heading is not None:
            yield self._bare_heading(self._heading)
        elif self._target >= 0 and not self._end:  # the text is only a comment
            yield Draft(self._target, len(self._text), PieceKind.PARAGRAPH, section=0)

    def _is_silent(self, block: Block) -> bool:
        is_tiny = block.end - block.start < self._tiny
        return is_tiny and _SILENT.fullmatch(self._text, block.start, block.end) is not None

    def _lead_of(self, block: Block, *, says_nothing: bool = False) -> int:
        """The start of the sentence by which the piece, which now ends with `block`, introduces the next block; -1 for none. A
        caption, which is not a sentence, may be between the two.
        """
        if _COLON.search(self._text, max(block.start, block.end - 8), block.end):
            stops = [match.end() for match in _STOP.finditer(self._text, block.start, block.end)]
            return stops[-1] if stops and block.kind is PieceKind.PARAGRAPH else block.start
        return self._lead if says_nothing or self._is_caption(block) else -1

    def _code_of(self, block: Block) -> int:
        """The start of a block that may have a result below it; -1 for others."""
        return block.start if block.kind is PieceKind.FENCE and not block.continues else -1

    def _is_caption(self, block: Block) -> bool:
        """True for a short text that is not a sentence, such as the name of a file above its content."""
        if block.kind is not PieceKind.PARAGRAPH or block.end - block.start >= self._tiny:
            return False
        return not self._text[block.start : block.end].rstrip().endswith((".", "!", "?", "。", "！", "？"))

    def _is_introduced(self, block: Block) -> bool:
        """True when the piece ends in a sentence that introduces the block. A long list or fence counts too: it is cut into parts."""
        if self._lead < 0 or block.kind is PieceKind.PARAGRAPH:
            return False
        return block.end - self._lead <= self._limit or block.kind in (PieceKind.LIST, PieceKind.FENCE)

    def _joins(self, block: Block) -> bool:
        """True when a block belongs to the current piece."""
        length, left, total = block.end - block.start, self._end - self._start, block.end - self._start
        if block.kind is PieceKind.PARAGRAPH and _BOLD.fullmatch(self._text, block.start, block.end):
            return self._says_nothing
        if self._is_introduced(block) and self._lead - self._start >= self._small:
            return False  # the sentence begins a new piece
        if total <= self._limit and (
            block.continues
            or self._is_introduced(block)
            or (self._lead >= 0 and self._is_caption(block))
            or (self._opened and self._kind is block.kind is PieceKind.LIST)
        ):
            return True
        if self._kind is not PieceKind.PARAGRAPH and block.kind is not self._kind:
            # text after a list or fence has another subject
            return total <= self._merged and left < self._tiny and self._kind is not PieceKind.FRONT_MATTER
        if total <= self._merged and (left < self._small or length < self._tiny):
            return True
        is_lead_in = left < self._tiny and self._kind is PieceKind.PARAGRAPH
        if is_lead_in and block.kind is not PieceKind.PARAGRAPH:
            return True
        return total <= self._limit and (self._says_nothing or is_lead_in)

    def _joint_kind(self, block: Block) -> PieceKind:
        """The kind of the larger part of the piece; of equal parts, that which is not a paragraph."""
        length, left = block.end - block.start, self._end - self._start
        if self._kind is PieceKind.PARAGRAPH:
            return block.kind if length * 2 >= left else self._kind
        return self._kind if left * 2 >= length else block.kind

    def _piece(self) -> Iterator[Draft]:
        """Yield the current piece, if any, and begin a new one."""
        start, self._start = self._start, self._end
        table = self._kind is PieceKind.TABLE
        head = column_names(self._text[start : self._end])[:NAME_LIMIT] if table else ""
        self._section += bool(head)
        draft = Draft(start, self._end, self._kind, self._name, self._trail, head, section=self._section)
        yield from _parts(draft, self._text, self._limit)
        self._section += bool(head)

    def _bare_heading(self, block: Block) -> Draft:
        """The draft of a heading without text below it."""
        return Draft(
            block.start, block.end, PieceKind.HEADING, self._name, self._trail, section=self._section
        )


def _parts(piece: Draft, text: str, limit: int) -> Iterator[Draft]:
    """The piece as one draft, or as several that fit."""
    start, end = piece.start, piece.end
    if end - start <= limit:
        yield piece
        return
    match piece.kind:
        case PieceKind.LIST:
            starts = [start, *(item.end() for item in _ITEM_START.finditer(text, start, end))]
            spans = group(text, starts, end, limit)
        case PieceKind.FENCE:
            spans = split_lines(text, start, end, FENCE_LINES, limit + limit // 2)
        case PieceKind.TABLE:
            yield from _rows(piece, text, limit)
            return
        case PieceKind.FRONT_MATTER:
            spans = split_runs(text, start, end, limit)
        case _:
            spans = split_sentences(text, start, end, limit)
    for part_start, part_end in spans:
        yield piece._replace(start=part_start, end=part_end)


def _rows(table: Draft, text: str, limit: int) -> Iterator[Draft]:
    """Even runs of a table's rows; all but the first have the head of the table in their name."""
    even = (table.end - table.start) // -(-(table.end - table.start) // limit) + limit // 8
    ends = [table.start + end for end in row_ends(text[table.start : table.end])]
    limit = min(limit, even)
    runs = (
        group(text, [table.start, *ends], table.end, limit)
        if ends
        else split_runs(text, table.start, table.end, limit)
    )
    for start, end in runs:
        if start > table.start and (head := table.signature):
            yield table._replace(
                start=start, end=end, name=(f"{table.name}: {head}"[:NAME_LIMIT] if table.name else head)
            )
        else:
            yield table._replace(start=start, end=end)
