"""Man pages that were read as Markdown, as blocks: an option is the heading of all that explains it.

# OPTIONS            heading
- -n, --dry-run      heading below it
  Show what would
  be done.
- --colour=<when>    heading below it

  * always           list
  * never
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from daypack.chunk.sizing import Draft
from daypack.chunk.texts.blocks import LINE, NAME_LIMIT, Block, assemble
from daypack.types import PieceKind

_HEADING = re.compile(r"(#{1,2}|-) (.*)")
_LEVELS = {"#": 1, "##": 2, "-": 3}
_FENCE = re.compile(r"```|~~~~")


def cut_manual(text: str) -> Iterator[Draft]:
    """A man page in Markdown: its sections, options and paragraphs."""
    return assemble(text, manual_blocks(text))


def manual_blocks(text: str) -> Iterator[Block]:
    """Blocks and headings of a man page in Markdown, in order."""
    start = -1  # of the block that is open
    kind = PieceKind.PARAGRAPH
    closing = ""
    for match in LINE.finditer(text):
        line, at = match[0].rstrip(), match.start()
        if closing:
            if line == closing:
                closing = ""
                yield Block(start, match.end(), PieceKind.FENCE)
                start = -1
            continue
        heading, fence = _HEADING.fullmatch(line), _FENCE.fullmatch(line)
        is_item = line.lstrip().startswith(("- ", "* "))
        if start >= 0 and (not line or heading or fence or is_item):
            yield Block(start, at, kind)
            start = -1
        if heading:
            title = " ".join(heading[2].split())[:NAME_LIMIT]
            yield Block(at, match.end(), PieceKind.HEADING, _LEVELS[heading[1]], title)
        elif line and start < 0:
            start, kind = at, PieceKind.LIST if is_item else PieceKind.PARAGRAPH
            closing = fence[0] if fence else ""
    if start >= 0:
        yield Block(start, len(text), PieceKind.FENCE if closing else kind)
