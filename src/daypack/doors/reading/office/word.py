"""Word: paragraphs, headings, lists and tables."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterator
from xml.etree.ElementTree import Element

from daypack.doors.reading.office.charts import add_chart
from daypack.doors.reading.office.numbering import BULLET, Numbering
from daypack.doors.reading.office.text import Text, add_table, escaped
from daypack.doors.reading.office.zipped_xml import (
    add_remarks,
    attribute,
    blocks,
    first,
    local,
    main_part,
    needed,
    opened,
    part,
    relations,
    shown,
    signed,
    table_rows,
    words_of,
)


def read_docx(data: bytes, text: Text, _most_pages: int) -> None:
    """Add to `text` the paragraphs, numbered from 1, with headings by the names of their styles. Pages exist only in print."""
    archive = opened(data)
    main = main_part(archive) or "word/document.xml"
    body = needed(archive, main)
    styles = part(archive, "word/styles.xml")
    levels = _levels(styles)
    numbering = Numbering(part(archive, "word/numbering.xml"), styles)
    remarks, targets = _remarks(archive), relations(archive, main)

    for block in blocks(body, frozenset({"p"}), "tbl"):
        told = [
            remarks[key] for one in shown(block) if (key := (local(one), attribute(one, "id"))) in remarks
        ]
        if local(block) == "tbl":
            text.gap()
            text.begin()
            add_table(table_rows(block, _word_text), text)
            add_remarks(told, text)
            continue
        said = _word_text(block)
        drawn = (targets.get(attribute(one, "id"), "") for one in shown(block) if local(one) == "chart")
        charts = [chart for name in drawn if (chart := part(archive, name)) is not None]
        if not said:
            for chart in charts:
                text.begin()
                add_chart(chart, text)
            continue
        level = levels.get(attribute(first(block, "pStyle"), "val"), 0)
        label = numbering.label_of(next((one for one in block if local(one) == "pPr"), None))
        label = BULLET if level == _ITEM and label is None else label
        line = " ".join(said.split())
        if level > 0 or label is None:
            text.gap()
        text.begin()
        if level > 0:
            text.title = text.title or (line if level == 1 else "")
            number = f"{label} " if label and label != BULLET else ""
            text.add(f"{'#' * level} {number}{line}")
            text.gap()
        elif label is not None:
            text.add(f"{label if label == BULLET else escaped(label)} {line}")
        else:
            text.add("\n".join(map(escaped, said.split("\n"))))
        add_remarks(told, text)
        for chart in charts:
            add_chart(chart, text)
    for label, margin in _margins(archive):
        text.gap()
        text.add(f"{label}: {margin}")


# A paragraph inside another is in a text box or a cell.
_WORD_BREAKS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-", "p": "\n"}
_WORD_BREAKS |= {"sup": "^", "sub": "_", "den": "/"}  # of an equation


def _word_text(element: Element) -> str:
    return words_of(element, "t", _WORD_BREAKS)


def _remarks(archive: zipfile.ZipFile) -> dict[tuple[str, str], str]:
    """(The element that refers to it, its id) → a footnote, endnote or comment."""
    found = {}
    for name, kind in (("footnotes", "footnote"), ("endnotes", "endnote"), ("comments", "comment")):
        root = part(archive, f"word/{name}.xml")
        for one in root if root is not None else ():
            if said := " ".join(_word_text(one).split()):
                label = signed(attribute(one, "author"), attribute(one, "date"))
                kept = f"Comment{label}: {said}" if kind == "comment" else f"{kind.capitalize()}: {said}"
                found[f"{kind}Reference", attribute(one, "id")] = kept
    return found


def _margins(archive: zipfile.ZipFile) -> Iterator[tuple[str, str]]:
    """("Header" or "Footer", its words), each once. Page numbers alone are none."""
    seen = set()
    for name in sorted(archive.namelist()):
        if (match := re.fullmatch(r"word/(header|footer)\d*\.xml", name)) and (
            root := part(archive, name)
        ) is not None:
            said = " ".join(_word_text(root).split())
            if re.search(r"[^\W\d_]{3}", said) and said not in seen:
                seen.add(said)
                yield match[1].capitalize(), said


_ITEM = -1


def _levels(styles: Element | None) -> dict[str, int]:
    """Id of a style → the level of its headings, or _ITEM. Names of styles are always English, ids are not."""
    found = {}
    for style in styles if styles is not None else ():
        name = attribute(first(style, "name"), "val").lower()
        if match := re.fullmatch(r"heading ([1-6])", name):
            found[attribute(style, "styleId")] = int(match[1])
        elif name == "title":
            found[attribute(style, "styleId")] = 1
        elif name.startswith("list "):
            found[attribute(style, "styleId")] = _ITEM
    return found
