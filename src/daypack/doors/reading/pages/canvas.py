"""Canvases of notes (`.canvas`, JSON Canvas) as Markdown: the texts of their cards, without the places; and drawings of
Excalidraw in notes, without the encoded shapes.

## Field work                      a group, and below it the cards inside, from top to bottom
The mast is free in autumn.        a card with a text
[[Projects/Heron.md#Goals]]        a note or file, as a link; a web page by its address
- Heron → Budget: is paid by       an arrow, by the names of its cards, and its label
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from daypack.shapes.loose_json import objects_of, parsed, text_of

NAME = 60  # characters of the first line of a card that name it beside an arrow
HEAD = 4_096  # characters in which the front matter says that a note is a drawing
FARTHEST = 1e9  # pixels; larger numbers are ignored
MOST_PAIRS = 1_000_000  # of a card and a group: a second. guess

# The shapes, packed or as JSON, with the mark of a comment around them; and lines that are in each drawing.
_SHAPES = re.compile(
    r"^(?:%%\r?\n)?##? Drawing\r?\n```(?:compressed-)?json\r?\n[\s\S]*?(?:^```[ \t]*(?:\r?\n(?:%%[ \t]*)?|\Z)|\Z)",
    re.MULTILINE,
)
_SAME = re.compile(r"^(?:==⚠.*|# Excalidraw Data|##? Text Elements)\r?\n", re.MULTILINE)

_Node = Mapping[str, Any]


def render_canvas(text: str) -> str | None:
    """The canvas as Markdown; None for other files."""
    canvas = parsed(text, None)
    if not isinstance(canvas, dict) or not isinstance(canvas.get("nodes"), list):
        return None
    return render_canvas_of(canvas)


def render_canvas_of(canvas: Mapping[str, Any]) -> str:
    """The nodes and edges of JSON Canvas as Markdown."""
    nodes = sorted(objects_of(canvas.get("nodes")), key=_place)
    groups = [node for node in nodes if node.get("type") == "group"]
    cards = [node for node in nodes if node.get("type") != "group"]
    outside, *inside = _by_group(cards, groups)
    parts = [*map(_said, outside)]
    for group, held in zip(groups, inside, strict=True):
        label = " ".join(_text(group, "label").split())
        parts += [f"## {label}" if label else "", *map(_said, held)]
    parts.append("\n".join(_arrows(nodes, canvas.get("edges"))))
    return "\n\n".join(filter(None, parts)) + "\n"


def render_drawing(text: str) -> str | None:
    """A note of Obsidian's Excalidraw with the texts that its drawing shows; None for other notes."""
    if not text.startswith("---") or "\nexcalidraw-plugin:" not in text[:HEAD] or not _SHAPES.search(text):
        return None
    return _SAME.sub("", _SHAPES.sub("", text))


def _by_group(cards: Sequence[_Node], groups: Sequence[_Node]) -> list[list[_Node]]:
    """The cards outside of all groups, then those of each group. A group may stand in another; the smaller one holds the card.
    A canvas of more than MOST_PAIRS was not drawn by hand, and its groups hold none.
    """
    held: list[list[_Node]] = [[] for _ in range(1 + len(groups))]
    areas = [_area(group) for group in groups] if len(cards) * len(groups) <= MOST_PAIRS else []
    smallest = sorted(range(len(areas)), key=lambda at: areas[at][2] * areas[at][3])
    for card in cards:
        x, y, width, height = _area(card)
        middle_x, middle_y = x + width / 2, y + height / 2
        for at in smallest:
            left, top, wide, high = areas[at]
            if 0 <= middle_x - left <= wide and 0 <= middle_y - top <= high:
                held[1 + at].append(card)
                break
        else:
            held[0].append(card)
    return held


def _text(node: _Node, key: str) -> str:
    return text_of(node.get(key))


def _number(node: _Node, key: str) -> float:
    value = node.get(key)
    return float(value) if isinstance(value, int | float) and abs(value) < FARTHEST else 0.0


def _place(node: _Node) -> tuple[float, float]:
    return _number(node, "y"), _number(node, "x")


def _area(node: _Node) -> tuple[float, float, float, float]:
    return _number(node, "x"), _number(node, "y"), _number(node, "width"), _number(node, "height")


def _said(card: _Node) -> str:
    if file := _text(card, "file"):
        return f"[[{file}{_text(card, 'subpath')}]]"
    return _text(card, "text").strip("\n") or _text(card, "url")


def _arrows(nodes: Sequence[_Node], edges: object) -> Iterator[str]:
    names = {_text(node, "id"): _name(node) for node in nodes}
    for edge in objects_of(edges):
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
