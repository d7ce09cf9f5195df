"""Diagrams of draw.io (`.drawio`) and Excalidraw as Markdown, by what their shapes and arrows say, as a canvas of notes.

draw.io packs each page: XML in codes of an address, deflated, in base64. The places inside a container count from its corner.
"""

from __future__ import annotations

import html
import re
import zlib
from base64 import b64decode
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote

from daypack.doors.reading.pages.canvas import NAME, render_canvas_of
from daypack.doors.reading.pages.xml_texts import root_of
from daypack.shapes.loose_json import object_of, objects_of, parsed, text_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_MOST_UNPACKED = 20_000_000  # bytes of all pages; a deflated one may be a bomb
_DEEPEST = 20  # containers in each other
_BREAK = re.compile(r"<(?:br|/div|/p|/li|/h\d)\b[^<>]*>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>]*>")


def render_diagram(text: str) -> str | None:
    """A diagram of draw.io as Markdown; None for other XML, and for one that is damaged or defines entities."""
    root = root_of(text, "mxfile", "mxGraphModel")
    if root is None:
        return None
    pages = root.findall("diagram") if root.tag == "mxfile" else [root]
    try:
        shown = [
            (page.get("name", ""), _canvas(model)) for page, model in zip(pages, _models(pages), strict=True)
        ]
    except (ValueError, zlib.error):
        return None
    parts = list[str]()
    for name, canvas in shown:
        said = render_canvas_of(canvas).strip("\n")
        parts += [f"# {' '.join(name.split())}" if said and len(pages) > 1 else "", said]
    return "\n\n".join(filter(None, parts)) + "\n"


def _models(pages: Iterable[Element]) -> Iterator[Element]:
    """The graph of each page. Raises ValueError and zlib.error."""
    left = _MOST_UNPACKED
    for page in pages:
        packed = (page.text or "").strip()
        if len(page) or not packed:
            yield page
            continue
        unpacked = zlib.decompressobj(-15).decompress(b64decode(packed), left)
        left -= len(unpacked)
        model = root_of(unquote(unpacked.decode()), "mxGraphModel") if left else None
        if model is None:
            raise ValueError("a page is damaged, or a bomb")
        yield model


def _canvas(model: Element) -> Mapping[str, Any]:
    """The cells of a graph as a canvas of notes has them: shapes with their places, and arrows."""
    cells: dict[str, tuple[Element, str]] = {}  # its geometry, and its text
    for one in model.iter():
        cell = one if one.tag == "mxCell" else one.find("mxCell")
        if cell is not None and (name := one.get("id", "")) and name not in cells:
            cells[name] = cell, _plain(one.get("label") or one.get("value") or "")
    parents = {cell.get("parent", "") for cell, said in cells.values() if cell.get("vertex") and said}
    labels = dict[str, list[str]]()  # of arrows, which are cells of their own
    for cell, said in cells.values():
        if cell.get("vertex") and said and _is_arrow(cells, cell.get("parent", "")):
            labels.setdefault(cell.get("parent", ""), []).append(said)
    nodes, edges = list[dict[str, Any]](), list[dict[str, str]]()
    for name, (cell, said) in cells.items():
        if cell.get("edge"):
            label = " ".join(filter(None, (said, *labels.get(name, ()))))
            ends = [cell.get("source", ""), cell.get("target", "")]
            if all(end in cells and cells[end][1] for end in ends):
                edges.append({"fromNode": ends[0], "toNode": ends[1], "label": label})
            elif label:  # as a call between the lines of a sequence diagram
                nodes.append({"id": name, "type": "text", "text": label, **_area(cells, name)})
        elif said and not _is_arrow(cells, cell.get("parent", "")):
            kind = {"type": "group", "label": said} if name in parents else {"type": "text", "text": said}
            nodes.append({"id": name, **kind, **_area(cells, name)})
    return {"nodes": nodes, "edges": edges}


def _is_arrow(cells: Mapping[str, tuple[Element, str]], name: str) -> bool:
    return name in cells and bool(cells[name][0].get("edge"))


def _area(cells: Mapping[str, tuple[Element, str]], name: str) -> dict[str, float]:
    area = {"x": 0.0, "y": 0.0, "width": 0.0, "height": 0.0}
    at = name
    for _ in range(_DEEPEST):
        if at not in cells:
            break
        cell = cells[at][0]
        geometry = cell.find("mxGeometry")
        if geometry is not None:
            first = geometry.find("mxPoint") if at == name and cell.get("edge") else None
            for key in area if at == name else ("x", "y"):
                area[key] += _number((geometry if first is None else first).get(key, ""))
        at = cell.get("parent", "")
    return area


def _number(value: str) -> float:
    return float(value) if re.fullmatch(r"-?\d{1,9}(?:\.\d{1,20})?", value) else 0.0


def _plain(label: str) -> str:
    """The text of a label, which may be HTML."""
    return _in_lines(html.unescape(_TAG.sub("", _BREAK.sub("\n", label)))) if label else ""


def _in_lines(said: str) -> str:
    """The text of a shape; a short one, which is broken to fit the shape, in one line."""
    lines = [*filter(None, (" ".join(line.split()) for line in said.split("\n")))]
    return (" " if sum(map(len, lines)) < NAME else "\n").join(lines)


def render_excalidraw(text: str) -> str | None:
    """A drawing of Excalidraw as Markdown; None for other JSON."""
    if '"excalidraw' not in text[:_HEAD]:
        return None
    drawing = parsed(text, None)
    if not isinstance(drawing, dict) or not text_of(drawing.get("type")).startswith("excalidraw"):
        return None
    elements = [one for one in objects_of(drawing.get("elements")) if one.get("isDeleted") is not True]
    return render_canvas_of({"nodes": [*_nodes(elements)], "edges": [*_arrows(elements)]})


_HEAD = 400  # characters, in which a drawing says what it is


def _texts(elements: Iterable[Mapping[str, Any]]) -> Iterator[tuple[Mapping[str, Any], str]]:
    for one in elements:
        said = text_of(one.get("originalText")) or text_of(one.get("text"))
        if one.get("type") == "text" and said.strip():
            yield one, _in_lines(said)
        elif name := " ".join(text_of(one.get("name")).split()):
            yield one, name


def _nodes(elements: list[Mapping[str, Any]]) -> Iterator[dict[str, Any]]:
    """The texts, without those of arrows between two of them. One inside of a shape has its name, to which arrows lead."""
    said_by = {text_of(one.get("containerId")) or text_of(one.get("id")) for one, _ in _texts(elements)}
    lines = {
        text_of(one.get("id"))
        for one in elements
        if one.get("type") in ("arrow", "line") and all(end in said_by for end in _ends(one))
    }
    for one, said in _texts(elements):
        within = text_of(one.get("containerId"))
        if within in lines:
            continue
        kind = (
            {"type": "group", "label": said} if one.get("type") == "frame" else {"type": "text", "text": said}
        )
        area = {key: one.get(key) for key in ("x", "y", "width", "height")}
        yield {"id": within or text_of(one.get("id")), **kind, **area}


def _arrows(elements: list[Mapping[str, Any]]) -> Iterator[dict[str, str]]:
    labels = {text_of(one.get("containerId")): said for one, said in _texts(elements)}
    for one in elements:
        if one.get("type") in ("arrow", "line"):
            begin, end = _ends(one)
            yield {"fromNode": begin, "toNode": end, "label": labels.get(text_of(one.get("id")), "")}


def _ends(arrow: Mapping[str, Any]) -> list[str]:
    """The shapes that an arrow leads from and to."""
    return [text_of(object_of(arrow.get(f"{end}Binding")).get("elementId")) for end in ("start", "end")]
