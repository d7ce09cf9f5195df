"""A pack as text, in the shape that the reader wants. A shape is a pure function of the pack, and the budget
counts its result.

    render(pack, "markdown")            the pack as text
    ladder("markdown")                  the shape and its shorter forms, for budgets in which it does not fit

The packer renders with the longest form whose frame is a small part of the budget; when not even a pack without
excerpts fits, it goes down the ladder until one does. The last stub is the empty string, so every budget can be met.
A command shows one shape, and imports no other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from daypack.errors import InputError

if TYPE_CHECKING:
    from daypack.ports import Ladder
    from daypack.types import Pack

__all__ = ["SHAPES", "check_shape", "ladder", "render"]

SHAPES = ("markdown", "xml", "json", "explain", "memory-block")


def ladder(shape: str) -> Ladder:
    """The shape's forms from the full one to ""; without excerpts the length never rises."""
    from daypack.ports import Ladder

    match shape:
        case "markdown":
            from daypack.shapes import markdown

            return Ladder((markdown.render, markdown.render_lean), (markdown.render_count, nothing))
        case "xml":
            from daypack.shapes import xml

            return Ladder((xml.render, xml.render_lean), (nothing,))
        case "json":
            from daypack.shapes import json

            return Ladder(
                (json.render, json.render_without_list, json.render_lean), (json.render_bare, nothing)
            )
        case "explain":
            from daypack.shapes import explain

            return Ladder((explain.render,), (nothing,))
        case "memory-block":
            from daypack.shapes import memory_block

            # Its header is part of what readers expect, so there is no lean form beside the full one.
            return Ladder(
                (memory_block.render,), (memory_block.render_header, memory_block.render_stub, nothing)
            )
    raise KeyError(shape)


def nothing(pack: Pack) -> str:  # noqa: ARG001 - a shape like the others
    return ""


def check_shape(name: str) -> None:
    """Raise InputError for a name that no shape has."""
    if name not in SHAPES:
        raise InputError(f"unknown shape {name!r}; choose from {', '.join(SHAPES)}")


def render(pack: Pack, shape: str) -> str:
    """The pack in full in this shape. Raises InputError."""
    check_shape(shape)
    return ladder(shape).forms[0](pack)
