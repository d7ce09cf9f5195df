"""Languages without a grammar whose files show their parts at the left margin: blocks in braces, stages of an image,
functions of MATLAB and Octave.

model Invoice {         ┐ Invoice                FROM node:22 AS builder    ┐ builder
  due DateTime          │                        RUN npm run build          ┘
}                       ┘                        FROM nginx                 ─ nginx
"""

from __future__ import annotations

import re

from daypack.chunk.definitions import NAME_LIMIT, SIGNATURE_LIMIT
from daypack.chunk.sizing import Draft
from daypack.types import PieceKind, SymbolKind

LEAST_SHARE = 0.5  # of a text in such blocks; with less the braces are not its structure (guess)

_OPENS = re.compile(
    r"[^\W\d][^\n{}]*\{[ \t]*(?:(?://|#)[^\n]*)?\r?\n?\Z|@?[^\W\d][^\n{}]*\{[^\n{}]*\}[ \t;,]*\r?\n?\Z"
)
_LEAD = re.compile(r"//|#|/?\*|--|@|\[")
_FROM = re.compile(r"FROM[ \t]+(?:--\S+[ \t]+)*(?P<image>\S+)(?:[ \t]+AS[ \t]+(?P<name>\S+))?", re.IGNORECASE)


def braced_regions(text: str) -> list[Draft]:
    """A region for each block that opens and closes at the left margin, with the comments directly above it, and for the
    text between them; none where most of the text is outside such blocks.
    """
    regions: list[Draft] = []
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


def _block(regions: list[Draft], text: str, done: int, start: int, end: int, header: str) -> None:
    if text[done:start].strip():
        regions.append(_rest(done, start, len(regions)))
        done = start
    signature = " ".join(header.partition("{")[0].split())[:SIGNATURE_LIMIT].rstrip(" =:")
    words = signature.partition("(")[0].split()
    name = (words[1] if len(words) > 1 else words[0] if words else "").strip("\"'")[:NAME_LIMIT]
    symbol = SymbolKind.FUNCTION if "(" in signature else SymbolKind.STRUCT
    regions.append(Draft(done, end, PieceKind.SYMBOL, name, (), signature, symbol, len(regions)))


def stage_regions(text: str) -> list[Draft]:
    """A region for each stage of a build of an image, named as it is, or else after its image."""
    regions: list[Draft] = []
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


def _stage(found: re.Match[str], start: int, end: int, section: int) -> Draft:
    name = found["name"] or found["image"].partition("@")[0]
    signature = " ".join(found[0].split())[:SIGNATURE_LIMIT]
    return Draft(start, end, PieceKind.BLOCK, name[:NAME_LIMIT], signature=signature, section=section)


_SAYS = re.compile(r"\s*(?://+|/\*+)[ \t]*(\w[^\n]{0,80}?)[ \t]*(?:\*/)?[ \t]*\n")
PROGRAM_LINES = 60  # of a program of Stan; its blocks explain each other


def stan_regions(text: str) -> list[Draft]:
    """A short program of Stan as one region, since a prior is about a parameter declared above it; else one for each block."""
    regions = braced_regions(text)
    if not regions or text.count("\n") >= PROGRAM_LINES:
        return [
            region._replace(name=region.signature[:NAME_LIMIT]) if region.symbol else region
            for region in regions
        ]
    said = _SAYS.match(text)
    name = " ".join(said[1].split())[:NAME_LIMIT] if said else ""
    return [Draft(0, len(text), PieceKind.SYMBOL, name, symbol=SymbolKind.STRUCT)]


_FUNCTION = re.compile(
    r"^[ \t]*(?:function\b[ \t]*(?:(?:\[[^\]\n]*\]|\w+)[ \t]*=[ \t]*)?(?P<name>[A-Za-z][\w.]*)[^\n%#]*"
    r"|classdef\b[ \t]*(?:\([^()\n]*\)[ \t]*)?(?P<class>[A-Za-z]\w*)[^\n%]*)",
    re.MULTILINE,
)


def _with_comments(text: str, start: int, floor: int) -> int:
    """The start of the comments directly above a line, not before `floor`."""
    while start > floor:
        above = text.rfind("\n", floor, start - 1) + 1
        above = max(above, floor)
        if not text[above:start].lstrip().startswith(("%", "#")) or text.startswith("%%", above):
            break
        start = above
    return start


def matlab_regions(text: str) -> list[Draft]:
    """A region for each function of MATLAB or Octave, with the comments directly above it, up to the next one; a class has
    the text above its first method.
    """
    regions: list[Draft] = []
    found = [*_FUNCTION.finditer(text)]
    start, trail = 0, tuple[str, ...]()
    for this, following in zip(found, [*found[1:], None] if found else (), strict=True):
        begin = _with_comments(text, this.start(), start)
        if text[start:begin].strip():
            regions.append(_rest(start, begin, len(regions)))
            start = begin
        end = len(text) if following is None else _with_comments(text, following.start(), this.end())
        line = " ".join(this[0].split())[:SIGNATURE_LIMIT]
        name = (this["class"] or this["name"])[:NAME_LIMIT]
        if this["class"]:
            kind, trail, own = SymbolKind.CLASS, (name,), tuple[str, ...]()
        else:
            kind, own = (SymbolKind.METHOD if trail else SymbolKind.FUNCTION), trail
        label = ".".join((*own, name))
        regions.append(Draft(start, end, PieceKind.SYMBOL, label, own, line, kind, len(regions)))
        start = end
    return regions


def _rest(start: int, end: int, section: int) -> Draft:
    return Draft(start, end, PieceKind.BLOCK, section=section)
