"""Languages without a grammar whose files show their parts at the left margin: blocks in braces, and stages of an image.

model Invoice {         ┐ Invoice                FROM node:22 AS builder    ┐ builder
  due DateTime          │                        RUN npm run build          ┘
}                       ┘                        FROM nginx                 ─ nginx
"""

from __future__ import annotations

import re

from daypack.chunk.definitions import NAME_LIMIT, SIGNATURE_LIMIT
from daypack.chunk.regions import Region
from daypack.types import PieceKind, SymbolKind

LEAST_SHARE = 0.5  # of a text in such blocks; with less the braces are not its structure (guess)

_OPENS = re.compile(
    r"[^\W\d][^\n{}]*\{[ \t]*(?:(?://|#)[^\n]*)?\r?\n?\Z|@?[^\W\d][^\n{}]*\{[^\n{}]*\}[ \t;,]*\r?\n?\Z"
)
_LEAD = re.compile(r"//|#|/?\*|--|@|\[")
_FROM = re.compile(r"FROM[ \t]+(?:--\S+[ \t]+)*(?P<image>\S+)(?:[ \t]+AS[ \t]+(?P<name>\S+))?", re.IGNORECASE)


def braced_regions(text: str) -> list[Region]:
    """A region for each block that opens and closes at the left margin, with the comments directly above it, and for the
    text between them; none where most of the text is outside such blocks.
    """
    regions: list[Region] = []
    done = inside = position = 0  # the end of the last region; of characters in blocks
    lead, opened, header = -1, -1, ""
    for line in text.splitlines(keepends=True):
        end = position + len(line)
        if opened >= 0:
            if line.startswith("}"):
                _block(regions, text, done, opened, end, header)
                inside += end - opened
                done, opened, lead = end, -1, -1
        elif _OPENS.match(line):
            opened, header = lead if lead >= 0 else position, line
            if line.rstrip(" \t\r\n;,").endswith("}"):
                _block(regions, text, done, opened, end, header)
                inside += end - opened
                done, opened = end, -1
            lead = -1
        elif _LEAD.match(line):
            lead = position if lead < 0 else lead
        else:
            lead = -1
        position = end
    if inside < LEAST_SHARE * len(text.strip()):
        return []
    if done < len(text):
        regions.append(_rest(done, len(text), len(regions)))
    return regions


def _block(regions: list[Region], text: str, done: int, start: int, end: int, header: str) -> None:
    if text[done:start].strip():
        regions.append(_rest(done, start, len(regions)))
        done = start
    signature = " ".join(header.partition("{")[0].split())[:SIGNATURE_LIMIT].rstrip(" =:")
    words = signature.partition("(")[0].split()
    name = (words[1] if len(words) > 1 else words[0] if words else "").strip("\"'")[:NAME_LIMIT]
    symbol = SymbolKind.FUNCTION if "(" in signature else SymbolKind.STRUCT
    regions.append(Region(done, end, PieceKind.SYMBOL, name, (), signature, symbol, len(regions)))


def stage_regions(text: str) -> list[Region]:
    """A region for each stage of a build of an image, named as it is, or else after its image."""
    regions: list[Region] = []
    start = position = 0
    lead = -1
    current: re.Match[str] | None = None
    for line in text.splitlines(keepends=True):
        found = _FROM.match(line)
        if found:
            begin = lead if lead >= 0 else position
            if current is not None:  # what is above the first stage belongs to it
                regions.append(_stage(current, start, begin, len(regions)))
                start = begin
            current = found
        lead = (position if lead < 0 else lead) if line.startswith("#") else -1
        position += len(line)
    if current is not None:
        regions.append(_stage(current, start, len(text), len(regions)))
    return regions


def _stage(found: re.Match[str], start: int, end: int, section: int) -> Region:
    name = found["name"] or found["image"].partition("@")[0]
    signature = " ".join(found[0].split())[:SIGNATURE_LIMIT]
    return Region(start, end, PieceKind.BLOCK, name[:NAME_LIMIT], (), signature, None, section)


def _rest(start: int, end: int, section: int) -> Region:
    return Region(start, end, PieceKind.BLOCK, "", (), "", None, section)
