"""A pack as text, in the shape that the reader wants. A shape is a pure function of the pack, and is what the budget is counted on.

    SHAPES["markdown"](pack)            the pack as text
    parse(text, "markdown")             its items again: uri, lines, label and exact text, whatever strings they held
    ladder("markdown")                  the shape and its shorter forms, for budgets in which it does not fit

The packer renders with the first rung; when not even a pack without excerpts fits, it goes down the ladder until one does.
The last rung is the empty string, so every budget can be met.
"""

from __future__ import annotations

from daypack.ports import Shape
from daypack.shapes import explain, json, markdown, memory_block, xml
from daypack.shapes.items import ParsedItem
from daypack.types import Pack

__all__ = ["LADDERS", "SHAPES", "ParsedItem", "ladder", "parse"]


def nothing(pack: Pack) -> str:  # noqa: ARG001 - a shape like the others
    return ""


LADDERS: dict[str, tuple[Shape, ...]] = {
    "markdown": (markdown.render, markdown.render_lean, markdown.render_count, nothing),
    "xml": (xml.render, xml.render_lean, nothing),
    "json": (json.render, json.render_lean, json.render_bare, nothing),
    "explain": (explain.render, nothing),
    # Its header is part of what readers expect, so there is no lean form beside the full one.
    "memory-block": (memory_block.render, memory_block.render, memory_block.render_header, memory_block.render_stub, nothing),
}

SHAPES: dict[str, Shape] = {name: rungs[0] for name, rungs in LADDERS.items()}

PARSERS = {"markdown": markdown.parse, "xml": xml.parse, "json": json.parse}  # an explanation, or the memory block, is not read back


def ladder(shape: str) -> tuple[Shape, ...]:
    """The shape's forms from the full one to the empty string; the length never rises for a pack without excerpts."""
    return LADDERS[shape]


def parse(text: str, shape: str) -> list[ParsedItem]:
    """The items of a rendered pack, in order."""
    return PARSERS[shape](text)
