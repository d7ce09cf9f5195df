"""A symbol between its neighbours: a wide picture for screens, and a tall one for phones.

Pure: names in, boxes and lines in units of the picture out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

LINE, BOX = 40.0, 34.0  # height of a row, and of the box in it
WIDE, SIDE, MIDDLE = 1000.0, 300.0, 280.0  # widths: the wide picture, a box at a side, a box in the middle
TALL, RAIL = 360.0, 22.0
LETTER = 7.4
HEAD = 24.0


class Near(NamedTuple):
    """A neighbour: its name, its relation, a text about it, and the target of a click."""

    name: str
    how: str
    about: str
    link: str


class Group(NamedTuple):
    """Neighbours under a heading; `left_out` is the number of those that are not drawn."""

    title: str
    near: Sequence[Near]
    left_out: int = 0


@dataclass(frozen=True, slots=True)
class Node:
    x: float
    y: float
    width: float
    name: str
    how: str
    about: str
    link: str  # "" for the symbol itself
    height: float = BOX


@dataclass(frozen=True, slots=True)
class Heading:
    x: float
    y: float
    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    width: float
    height: float
    nodes: tuple[Node, ...]
    paths: tuple[str, ...]
    headings: tuple[Heading, ...]


def wide(centre: str, above: Group, left: Group, right: Group, below: Group) -> Picture:
    """The wide picture: users at the left, used symbols at the right, the container above, tests below."""
    column = len(above.near) + 1 + len(below.near) + (len(below.near) > 0) * 0.6
    rows = max(len(left.near), len(right.near), column, 1)
    height = HEAD + rows * LINE
    middle = (WIDE - MIDDLE) / 2
    top = HEAD + (height - HEAD - column * LINE) / 2
    centre_y = top + len(above.near) * LINE
    core = Node(middle, centre_y, MIDDLE, _cut(centre, MIDDLE), "", centre, "")
    nodes, paths, headings = [core], [], []
    at = centre_y + BOX / 2
    for group, x, near_edge, core_edge in (
        (left, 0.0, SIDE, middle),
        (right, WIDE - SIDE, WIDE - SIDE, middle + MIDDLE),
    ):
        start = HEAD + (height - HEAD - len(group.near) * LINE) / 2
        if group.near:
            headings.append(Heading(x, start - 8, _title(group)))
        for number, one in enumerate(group.near):
            y = start + number * LINE
            nodes.append(_node(one, x, y, SIDE))
            bend, here = (near_edge + core_edge) / 2, y + BOX / 2
            paths.append(f"M{near_edge:g} {here:g}C{bend:g} {here:g} {bend:g} {at:g} {core_edge:g} {at:g}")
    for number, one in enumerate(above.near):
        nodes.append(_node(one, middle, top + number * LINE, MIDDLE))
    start = centre_y + 1.6 * LINE
    for number, one in enumerate(below.near):
        nodes.append(_node(one, middle, start + number * LINE, MIDDLE))
    if above.near:
        paths.append(f"M{WIDE / 2:g} {centre_y - LINE + BOX:g}V{centre_y:g}")
    if below.near:
        headings.append(Heading(middle, start - 8, _title(below)))
        paths.append(f"M{WIDE / 2:g} {centre_y + BOX:g}V{start:g}")
    return Picture(WIDE, height + 2, tuple(nodes), tuple(paths), tuple(headings))


def tall(centre: str, above: Group, left: Group, right: Group, below: Group) -> Picture:
    """The tall picture, from top to bottom: the container, users, the symbol, used symbols, tests."""
    nodes: list[Node] = []
    paths: list[str] = []
    headings: list[Heading] = []
    y = 2.0
    spots: list[float] = []
    core = 0.0
    for group in (above, left, None, right, below):
        if group is None:
            nodes.append(Node(0.0, y, TALL, _cut(centre, TALL), "", centre, ""))
            core = y + BOX / 2
            y += LINE + 6
        elif group.near:
            y += HEAD
            headings.append(Heading(RAIL, y - 8, _title(group)))
            for one in group.near:
                nodes.append(_node(one, RAIL, y, TALL - RAIL))
                spots.append(y + BOX / 2)
                y += LINE
            y += 6
    paths += [f"M{RAIL:g} {spot:g}H8V{core:g}" for spot in spots]
    return Picture(TALL, y, tuple(nodes), tuple(paths), tuple(headings))


def _title(group: Group) -> str:
    return group.title + (f", {group.left_out:,} more below" if group.left_out else "")


def _node(one: Near, x: float, y: float, width: float) -> Node:
    return Node(x, y, width, _cut(one.name, width - LETTER * len(one.how)), one.how, one.about, one.link)


def _cut(name: str, width: float) -> str:
    """The name, cut at its beginning to fit a width, because the end identifies it best."""
    letters = max(int((width - 18) / LETTER), 4)
    return name if len(name) <= letters else f"…{name[1 - letters :]}"
