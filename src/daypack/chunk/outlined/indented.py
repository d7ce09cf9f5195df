"""GDScript, the scripts of Godot: a region for each function, with the comments and annotations directly above it.

class_name Tide extends Node      ┐ Tide             a file is a class
var level := 0                    ┘
## Raise the level.               ┐ Tide.rise
func rise(by: int) -> void:       │
    level += by                   ┘
class Wave:                       ─ Tide.Wave
    func roll() -> void:          ┐ Tide.Wave.roll
        pass                      ┘
"""

from __future__ import annotations

import re
from typing import NamedTuple

from daypack.chunk.definitions import NAME_LIMIT, SIGNATURE_LIMIT
from daypack.chunk.sizing import Draft
from daypack.types import PieceKind, SymbolKind

_DEFINES = re.compile(r"(?P<indent>[ \t]*)(?:static[ \t]+)?(?P<what>func|class)[ \t]+(?P<name>\w+)")
_CLASS_NAME = re.compile(r"^(?:@\w[^\n]*[ \t])?class_name[ \t]+(?P<name>\w+)[^\n]*", re.MULTILINE)
_LEAD = re.compile(r"[ \t]*(?:#|@\w+(?:\([^\n]*\))?[ \t]*\r?$)")
_HEAD = re.compile(r"[\s\S]{1,1000}?:[ \t]*(?:#[^\n]*)?$", re.MULTILINE)
_QUOTES = re.compile(r"\"\"\"|'''")


class _Open(NamedTuple):
    """A definition whose end is not known yet."""

    indent: int
    name: str
    signature: str
    is_function: bool


def function_regions(text: str) -> list[Draft]:
    """A region for each function and head of a class, and for the lines between them; none for a file without a function."""
    named = _CLASS_NAME.search(text)
    own = (named["name"],) if named else ()
    regions: list[Draft] = []
    stack: list[_Open] = []
    done = last = position = 0  # the ends of the last region, and of the last line that is not blank
    lead, quoted = -1, False

    def write(end: int) -> None:
        """Write a region up to `end`, of the innermost definition."""
        nonlocal done
        if not text[done:end].strip():
            return
        path = (*own, *(one.name for one in stack))
        name, trail = ".".join(path)[:NAME_LIMIT], path[:-1]
        if stack and not (regions and regions[-1].name == name):
            symbol = SymbolKind.CLASS
            if stack[-1].is_function:
                symbol = SymbolKind.METHOD if len(path) > 1 else SymbolKind.FUNCTION
            regions.append(
                Draft(done, end, PieceKind.SYMBOL, name, trail, stack[-1].signature, symbol, len(regions))
            )
        elif named and not stack and done <= named.start() < end:
            signature = " ".join(named[0].split())[:SIGNATURE_LIMIT]
            regions.append(Draft(done, end, PieceKind.SYMBOL, name, trail, signature, SymbolKind.CLASS, 0))
        else:
            regions.append(Draft(done, end, PieceKind.BLOCK, name, trail, section=len(regions)))
        done = end

    for line in text.splitlines(keepends=True):
        end = position + len(line)
        indent = len(line) - len(line.lstrip())
        inside = bool(stack) and stack[-1].is_function and indent > stack[-1].indent
        if not line.strip():
            lead = -1 if not quoted else lead
        elif quoted or inside:
            last, lead = end, -1
        elif _LEAD.match(line):
            lead = position if lead < 0 else lead
        else:
            while stack and indent <= stack[-1].indent and not line.lstrip().startswith((")", "]", "}")):
                write(last)
                stack.pop()
            if found := _DEFINES.match(line):
                write(lead if lead >= 0 else position)
                stack.append(
                    _Open(indent, found["name"], _signature(text, position), found["what"] == "func")
                )
            last, lead = end, -1
        if len(_QUOTES.findall(line)) % 2:
            quoted = not quoted
        position = end
    write(len(text))
    return regions if any(region.symbol for region in regions if region.name != ".".join(own)) else []


def _signature(text: str, start: int) -> str:
    """The head of a definition, also one of several lines, without the colon at its end."""
    head = _HEAD.match(text, start)
    line = head[0] if head else text[start : start + SIGNATURE_LIMIT].partition("\n")[0]
    return " ".join(line.partition("#")[0].split())[:SIGNATURE_LIMIT].rstrip(" :")
