"""A map of rectangles: folders and, inside them, their parts. The area shows tokens, the colour a value.

Pure: files in, rectangles in units of the picture out. Rectangles are laid out in rows, as square as possible (Bruls, Huizing
and van Wijk, 2000).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

HEAD = 16.0  # the line with the name of a folder
LETTER = 7.0  # the width of a letter
GAP = 1.5
HEATS = 5  # classes h0 … h4 in the style sheet
SMALLEST = 11.0  # the side of the smallest square that is shown
DEPTH = 3  # levels of folders inside folders
ROOMY = 90.0  # a folder with sides of at least this length shows its parts


@dataclass(slots=True)
class Part:
    """A file, a folder, or the rest of a folder: its size, and the value for its colour."""

    name: str
    path: str
    size: int = 0
    value: float = 0.0
    files: int = 0
    parts: dict[str, Part] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tile:
    """A rectangle; `heat` is -1 for the frame of a folder."""

    x: float
    y: float
    width: float
    height: float
    label: str
    about: str
    path: str
    heat: int = -1


def tree(
    files: Iterable[tuple[str, int, float]], base: str, joined: Callable[[float, float], float]
) -> Part | None:
    """The folder `base` as a tree, from files as (path, size, value); `joined` is the value of two parts together. None when the
    folder has no files. A folder whose only part is a folder becomes one part with it.
    """
    root = Part(base, base)
    start = f"{base}/" if base else ""
    for path, size, value in files:
        if not path.startswith(start) or size <= 0:
            continue
        at, where = root, start
        names = path[len(start) :].split("/")
        for name in names:
            where += name
            at.value = joined(at.value, value) if at.files else value
            at.size, at.files = at.size + size, at.files + 1
            at = at.parts.setdefault(name, Part(name, where))
            where += "/"
        at.size, at.value, at.files = size, value, 1
    return _joined(root) if root.files else None


def _joined(part: Part) -> Part:
    part.parts = {name: _joined(inner) for name, inner in part.parts.items()}
    for name, inner in part.parts.items():
        if len(inner.parts) == 1 and (only := next(iter(inner.parts.values()))).parts:
            only.name = f"{inner.name}/{only.name}"
            part.parts[name] = only
    return part


def treemap(root: Part, width: float, height: float, describe: Callable[[Part], str]) -> list[Tile]:
    """The rectangles of a folder's parts and, inside of folders, those of their parts; `describe` returns the text of a part."""
    frames: list[Tile] = []
    leaves: list[tuple[Tile, float]] = []

    def lay(folder: Part, inside: Box, depth: int) -> None:
        for part, box in _laid(folder, inside):
            x, y, w, h = box
            tile = _tile(part, box, describe)
            if part.parts and depth < DEPTH and w >= ROOMY and h >= ROOMY:
                frames.append(tile)
                lay(part, (x + GAP, y + HEAD, w - 2 * GAP, h - HEAD - GAP), depth + 1)
            else:
                leaves.append((tile, part.value))

    lay(root, (0.0, 0.0, width, height), 1)
    heats = _heats([value for _, value in leaves])
    coloured = (replace(tile, heat=heat) for (tile, _), heat in zip(leaves, heats, strict=True))
    return [*frames, *coloured]


Box = tuple[float, float, float, float]


def _tile(part: Part, box: Box, describe: Callable[[Part], str]) -> Tile:
    x, y, width, height = box
    letters = int((width - 6) / LETTER)
    label = part.name if len(part.name) <= letters else f"{part.name[: letters - 1]}…"
    x, y, width, height = round(x, 1), round(y, 1), round(width, 1), round(height, 1)
    return Tile(
        x, y, width, height, label if letters >= 4 and height >= HEAD - 2 else "", describe(part), part.path
    )


def _laid(folder: Part, box: Box) -> list[tuple[Part, Box]]:
    """The parts of a folder with their boxes inside `box`, the largest first; parts too small to see become one part."""
    parts = sorted(folder.parts.values(), key=lambda part: (-part.size, part.name))
    area = box[2] * box[3]
    shown = [part for part in parts if part.size * area / folder.size >= SMALLEST * SMALLEST]
    if rest := parts[len(shown) :]:
        files = sum(part.files for part in rest)
        size, value = sum(part.size for part in rest), min(part.value for part in rest)
        shown.append(Part(f"{files:,} more", folder.path, size, value, files))
    return [*zip(shown, _squarified([part.size for part in shown], box), strict=True)]


def _squarified(sizes: Sequence[float], box: Box) -> list[Box]:
    x, y, width, height = box
    scale = width * height / (sum(sizes) or 1.0)
    areas = [max(size * scale, 1e-9) for size in sizes]
    boxes: list[Box] = []
    at = 0
    while at < len(areas):
        side = max(min(width, height), 1e-9)
        end = at + 1
        while end < len(areas) and _worst(areas[at : end + 1], side) <= _worst(areas[at:end], side):
            end += 1
        row = areas[at:end]
        thick = sum(row) / side
        along = 0.0
        for area in row:
            long = area / thick
            boxes.append((x, y + along, thick, long) if width >= height else (x + along, y, long, thick))
            along += long
        if width >= height:
            x, width = x + thick, width - thick
        else:
            y, height = y + thick, height - thick
        at = end
    return [_inset(box) for box in boxes]


def _inset(box: Box) -> Box:
    x, y, width, height = box
    across, down = min(GAP, width / 2), min(GAP, height / 2)
    return x + across / 2, y + down / 2, width - across, height - down


def _worst(row: Sequence[float], side: float) -> float:
    """The largest ratio of sides, at least 1, among the rectangles in a row."""
    total = sum(row)
    return max(side * side * max(row) / total**2, total**2 / (side * side * min(row)))


def _heats(values: Sequence[float]) -> list[int]:
    """For each value, the fifth of the values to which it belongs, 0 to HEATS - 1, with the largest in the last."""
    order = sorted(set(values))
    places = {value: number for number, value in enumerate(order)}
    return [places[value] * HEATS // len(order) for value in values]
