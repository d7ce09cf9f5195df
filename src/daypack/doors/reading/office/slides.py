"""PowerPoint: each slide under its title, with tables, diagrams, charts and notes."""

from __future__ import annotations

import zipfile
from collections.abc import Sequence
from typing import TYPE_CHECKING

from daypack.doors.reading.office.charts import add_chart
from daypack.doors.reading.office.text import Text, add_table, escaped
from daypack.doors.reading.office.zipped_xml import (
    attribute,
    first,
    local,
    needed,
    opened,
    part,
    relations,
    table_rows,
    words_of,
)

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element


def read_pptx(data: bytes, text: Text, most_pages: int) -> None:
    """Add to `text` the slides in order, each under its title, with tables and notes."""
    archive = opened(data)
    slides = first(needed(archive, "ppt/presentation.xml"), "sldIdLst")
    targets = relations(archive, "ppt/presentation.xml")
    ids = [
        value
        for slide in (slides if slides is not None else ())
        for key, value in slide.attrib.items()
        if key.endswith("}id")
    ]
    for number, slide_id in enumerate(ids[:most_pages], 1):
        name = targets.get(slide_id, "")
        if (slide := part(archive, name)) is not None:
            _add_slide(slide, number, text)
            beside = [*relations(archive, name).values()]
            _add_diagrams(archive, beside, text)
            _add_charts(archive, beside, text)
            _add_notes(archive, beside, text)
    if len(ids) > most_pages:
        text.leave_out(f"slides {most_pages + 1:,} to {len(ids):,} were")


def _add_slide(slide: Element, number: int, text: Text) -> None:
    text.gap()
    text.begin()
    titles = (shape for shape in slide.iter() if local(shape) == "sp" and _is_title(shape))
    title = next((" ".join(_paragraphs(shape)) for shape in titles), "")
    text.title = text.title or title
    text.add(f"## {' '.join(title.split()) or f'Slide {number}'}")
    text.gap()
    _shapes(slide, text)


def _add_diagrams(archive: zipfile.ZipFile, beside: Sequence[str], text: Text) -> None:
    for target in beside:
        if "/diagrams/data" in target and (diagram := part(archive, target)) is not None:
            for line in _paragraphs(diagram):
                text.add(f"- {' '.join(line.split())}")


def _add_charts(archive: zipfile.ZipFile, beside: Sequence[str], text: Text) -> None:
    for target in beside:
        if "/charts/chart" in target and (chart := part(archive, target)) is not None:
            add_chart(chart, text)


def _add_notes(archive: zipfile.ZipFile, beside: Sequence[str], text: Text) -> None:
    target = next((target for target in beside if "/notesSlides/" in target), "")
    if not target or (page := part(archive, target)) is None:
        return
    bodies = (shape for shape in page.iter() if local(shape) == "sp" and _kind(shape) == "body")
    if lines := [line for shape in bodies for line in _paragraphs(shape)]:
        text.gap()
        text.add("\n".join(["Notes:", *map(escaped, lines)]))


def _shapes(slide: Element, text: Text) -> None:
    for shape in slide.iter():
        if local(shape) == "sp" and not _is_title(shape) and _kind(shape) not in ("sldNum", "dt", "ftr"):
            for line in _paragraphs(shape):
                text.add(f"- {' '.join(line.split())}")
        elif local(shape) == "tbl":
            add_table(table_rows(shape, lambda cell: " ".join(_paragraphs(cell))), text)


def _kind(shape: Element) -> str:
    return attribute(first(shape, "ph"), "type")


def _is_title(shape: Element) -> bool:
    return _kind(shape) in ("title", "ctrTitle")


def _paragraphs(shape: Element) -> list[str]:
    found = (words_of(one, "t", {"br": "\n", "tab": "\t"}) for one in shape.iter() if local(one) == "p")
    return [line for line in found if line]
