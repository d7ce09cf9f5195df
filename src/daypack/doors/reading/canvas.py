"""Canvases of notes (`.canvas`, JSON Canvas) as Markdown: the texts of their cards, without the places.

## Field work                      a group, and below it the cards inside, from top to bottom
The mast is free in autumn.        a card with a text
[[Projects/Heron.md#Goals]]        a note or file, as a link; a web page by its address
- Heron → Budget: is paid by       an arrow, by the names of its cards, and its label
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

NAME = 60  # characters of the first line of a card that name it beside an arrow

_Node = Mapping[str, Any]


def render_canvas(text: str) -> str | None:
    """The canvas as Markdown; None for other files."""
    try:
        canvas = json.loads(text)
    except (ValueError, RecursionError):
        return None
    if not isinstance(canvas, dict) or not isinstance(canvas.get("nodes"), list):
        return None
    nodes = sorted((node for node in canvas["nodes"] if isinstance(node, dict)), key=_place)
    groups = [node for node in nodes if node.get("type") == "group"]
    cards = [node for node in nodes if node.get("type") != "group"]
    # A group may stand in another; the smaller one holds the card.
    holds = {id(card): min((g for g in groups if _is_in(card, g)), key=_size, default=None) for card in cards}
    parts = [_said(card) for card in cards if holds[id(card)] is None]
    for group in groups:
        parts.append(f"## {' '.join(_text(group, 'label').split())}" if _text(group, "label").strip() else "")
        parts += [_said(card) for card in cards if holds[id(card)] is group]
    parts.append("\n".join(_arrows(nodes, canvas.get("edges"))))
    return "\n\n".join(filter(None, parts)) + "\n"


def _text(node: _Node, key: str) -> str:
    value = node.get(key)
    return value if isinstance(value, str) else ""


def _number(node: _Node, key: str) -> float:
    value = node.get(key)
    return float(value) if isinstance(value, int | float) else 0.0


def _place(node: _Node) -> tuple[float, float]:
    return _number(node, "y"), _number(node, "x")


def _size(node: _Node) -> float:
    return _number(node, "width") * _number(node, "height")


def _is_in(card: _Node, group: _Node) -> bool:
    """True when the middle of a card is inside a group."""
    for edge, side in (("x", "width"), ("y", "height")):
        from_edge = _number(card, edge) + _number(card, side) / 2 - _number(group, edge)
        if not 0 <= from_edge <= _number(group, side):
            return False
    return True


def _said(card: _Node) -> str:
    if file := _text(card, "file"):
        return f"[[{file}{_text(card, 'subpath')}]]"
    return _text(card, "text").strip("\n") or _text(card, "url")


def _arrows(nodes: Sequence[_Node], edges: object) -> Iterator[str]:
    names = {_text(node, "id"): _name(node) for node in nodes}
    for edge in edges if isinstance(edges, list) else []:
        if not isinstance(edge, dict):
            continue
        start, end = (names.get(_text(edge, side), "") for side in ("fromNode", "toNode"))
        if start and end:
            label = " ".join(_text(edge, "label").split())
            yield f"- {start} → {end}{f': {label}' if label else ''}"


def _name(node: _Node) -> str:
    """The first line of a card, the name of its file, or the label of a group."""
    if file := _text(node, "file"):
        return file.rpartition("/")[2].removesuffix(".md")
    said = (_text(node, "label") or _said(node)).strip().lstrip("#> ").partition("\n")[0].strip()
    return said if len(said) <= NAME else f"{said[:NAME].rstrip()}…"
