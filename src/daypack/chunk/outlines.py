"""Languages without a grammar whose files show their parts at the left margin: blocks in braces, stages of an image,
targets of Bazel, definitions in templates, functions of MATLAB and Octave.

model Invoice {         ┐ Invoice                FROM node:22 AS builder    ┐ builder
  due DateTime          │                        RUN npm run build          ┘
}                       ┘                        FROM nginx                 ─ nginx
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from daypack.chunk.definitions import NAME_LIMIT, SIGNATURE_LIMIT
from daypack.chunk.sizing import PIECE_TOKENS, Draft, characters, group
from daypack.types import PieceKind, SymbolKind

LEAST_SHARE = 0.5  # of a text in such blocks; with less the braces are not its structure (guess)

_OPENS = re.compile(
    r"[^\W\d][^\n{}]*\{[ \t]*(?:(?://|#)[^\n]*)?\r?\n?\Z|@?[^\W\d][^\n{}]*\{[^\n{}]*\}[ \t;,]*\r?\n?\Z"
)
_LEAD = re.compile(r"//|#|/?\*|--|@|\[")
_INSTRUCTION = re.compile(
    r"(?:ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|MAINTAINER|ONBUILD|RUN|SHELL|STOPSIGNAL|USER|VOLUME"
    r"|WORKDIR)[ \t]",
    re.IGNORECASE,
)
_HERE = re.compile(r"<<-?(?P<quote>[\"']?)(?P<word>[A-Za-z_]\w*)(?P=quote)")
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
    """Regions for each stage of a build of an image, named as it is, or else after its image; a large one is cut between its
    instructions.
    """
    regions: list[Draft] = []
    current: re.Match[str] | None = None
    starts: list[int] = []  # of the instructions of the stage; what is above the first stage belongs to it
    position, lead, is_continued = 0, -1, False
    here = ""  # the word that ends a document inside an instruction
    for line in text.splitlines(keepends=True):
        is_comment = line.startswith("#")
        if here:
            here = "" if line.strip() == here else here
        elif not is_continued and _INSTRUCTION.match(line):
            begin = lead if lead >= 0 else position
            if found := _FROM.match(line):
                if current is not None:
                    regions += _stage(text, current, starts, begin)
                    starts = []
                current = found
            starts.append(begin)
            here = opened["word"] if (opened := _HERE.search(line)) else ""
        if not is_comment and line.strip():
            is_continued = line.rstrip().endswith("\\")
        lead = (position if lead < 0 else lead) if is_comment and not is_continued else -1
        position += len(line)
    if current is not None:
        regions += _stage(text, current, starts, len(text))
    return [
        region._replace(start=regions[at - 1].end if at else 0, section=at)
        for at, region in enumerate(regions)
    ]


def _stage(text: str, found: re.Match[str], starts: list[int], end: int) -> Iterator[Draft]:
    name = found["name"] or found["image"].partition("@")[0]
    signature = " ".join(found[0].split())[:SIGNATURE_LIMIT]
    for start, stop in group(text, starts, end, characters(text, PIECE_TOKENS)):
        yield Draft(start, stop, PieceKind.BLOCK, name[:NAME_LIMIT], signature=signature)


_CALL = re.compile(r"(?P<rule>[A-Za-z_][\w.]*)\(")
_TARGET = re.compile(r"\bname[ \t]*=[ \t]*(?P<quote>[\"'])(?P<name>[^\"'\n]+)(?P=quote)")
_DEFINES = re.compile(r"^(?:def|class)[ \t]", re.MULTILINE)


def target_regions(text: str) -> list[Draft]:
    """A region for each target of a BUILD file, with the comments directly above it, and for the text between them; none for
    a file that defines functions or has no target.
    """
    if _DEFINES.search(text):
        return []
    regions: list[Draft] = []
    done = position = 0
    lead = opened = -1
    rule = ""
    for line in text.splitlines(keepends=True):
        end = position + len(line)
        call = _CALL.match(line) if opened < 0 else None
        if call:
            opened, rule = lead if lead >= 0 else position, call["rule"]
        if opened < 0:
            lead = (position if lead < 0 else lead) if line.startswith("#") else -1
        elif line.startswith((")", "]", "}")) or (call and line.rstrip().endswith(")")):
            if named := _TARGET.search(text, opened, end):
                if text[done:opened].strip():
                    regions.append(_rest(done, opened, len(regions)))
                    done = opened
                name = named["name"][:NAME_LIMIT]
                sign = f'{rule}(name = "{name}")'[:SIGNATURE_LIMIT]
                kind = SymbolKind.FUNCTION
                regions.append(Draft(done, end, PieceKind.SYMBOL, name, (), sign, kind, len(regions)))
                done = end
            lead = opened = -1
        position = end
    if regions and done < len(text):
        regions.append(_rest(done, len(text), len(regions)))
    return regions


# {{- define "cart.labels" -}} of Helm, {% macro cents(column) %} of dbt and Jinja
_DEFINED = re.compile(
    r"^(?:\{\{-?[ \t]*(?P<define>define[ \t]+\"(?P<template>[^\"\n]+)\")"
    r"|\{%-?[ \t]*(?P<macro>macro[ \t]+(?P<function>\w+)[^%\n]*?)-?%\})",
    re.MULTILINE,
)
_NESTS = re.compile(r"\{\{-?[ \t]*(?:(?:block|define|if|range|with)\b|(?P<end>end)\b)")
_ENDMACRO = re.compile(r"\{%-?[ \t]*(?P<end>endmacro)\b")
_ASIDES = (("*/}}", "{{/*"), ("*/ -}}", "{{- /*"), ("*/}}", "{{- /*"), ("#}", "{#"))
ASIDE_CHARACTERS = 2_000


def defined_regions(text: str) -> list[Draft]:
    """A region for each named template or macro, with the comment directly above it, and for the text between them; none for
    a text without any.
    """
    regions: list[Draft] = []
    done = 0
    found = [*_DEFINED.finditer(text)]
    for this, following in zip(found, [*found[1:], None] if found else (), strict=True):
        start = _aside_start(text, done, this.start())
        if text[done:start].strip():
            regions.append(_rest(done, start, len(regions)))
            done = start
        end = _definition_end(text, this, len(text) if following is None else following.start())
        name = (this["template"] or this["function"])[:NAME_LIMIT]
        sign = " ".join((this["define"] or this["macro"]).split())[:SIGNATURE_LIMIT]
        kind = SymbolKind.FUNCTION
        regions.append(Draft(done, end, PieceKind.SYMBOL, name, (), sign, kind, len(regions)))
        done = end
    if regions and text[done:].strip():
        regions.append(_rest(done, len(text), len(regions)))
    return regions


def _aside_start(text: str, done: int, start: int) -> int:
    """The start of the comment that ends directly above `start`; `start` for none."""
    above = text[max(done, start - ASIDE_CHARACTERS) : start].rstrip()
    for closes, opens in _ASIDES:
        if above.endswith(closes) and (at := above.rfind(opens)) >= 0:
            return max(done, start - ASIDE_CHARACTERS) + at
    return start


def _definition_end(text: str, found: re.Match[str], limit: int) -> int:
    """The end of the line that closes a definition; `limit`, the start of the next one, where none does."""
    depth = 1
    for mark in (_NESTS if found["define"] else _ENDMACRO).finditer(text, found.end(), limit):
        depth += -1 if mark["end"] else 1
        if not depth:
            newline = text.find("\n", mark.end(), limit)
            return limit if newline < 0 else newline + 1
    return limit


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
