"""Word, PowerPoint and OpenDocument text: zips of XML, which Python reads without a library."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from daypack.doors.reading.office.text import WIDEST, RefusedError, Text, add_table, escaped
from daypack.text.name_sets import name_set

UNPACKED = 20  # times the size of a zip, at least 64 MB; a zip that unpacks to more is a bomb
UNPACKED_LEAST = 64 << 20
MOST_PARTS = 20_000  # per zip


def opened(data: bytes) -> zipfile.ZipFile:
    """The zip in these bytes. Raises RefusedError for a damaged one, and for one with too many or too large parts."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError):
        if data.startswith(b"\xd0\xcf\x11\xe0"):
            raise RefusedError(
                "locked_or_damaged",
                "the document is encrypted, or of an old format; save a copy without a password and add that",
            ) from None
        raise RefusedError(
            "locked_or_damaged", "the document is damaged; open it and save it again"
        ) from None
    entries = archive.infolist()
    unpacked = sum(entry.file_size for entry in entries)
    if len(entries) > MOST_PARTS or unpacked > max(UNPACKED_LEAST, UNPACKED * len(data)):
        raise RefusedError(
            "too_large",
            f"unpacked it would have {unpacked:,} bytes in {len(entries):,} parts, far more than a document has; it is not read",
        )
    return archive


def part(archive: zipfile.ZipFile, name: str) -> Element | None:
    """The XML of a part of a document, or None."""
    try:
        with archive.open(name) as opened_part:
            return ElementTree.parse(opened_part).getroot()  # noqa: S314 (expat bounds entities, and this process its memory)
    except KeyError:
        return None
    except RuntimeError:
        raise RefusedError(
            "locked_or_damaged", "the document is encrypted; save a copy without a password and add that"
        ) from None
    except (ElementTree.ParseError, zipfile.BadZipFile, OSError, EOFError, NotImplementedError):
        raise RefusedError(
            "locked_or_damaged", f"its part {name} is damaged; open the document and save it again"
        ) from None


def needed(archive: zipfile.ZipFile, name: str) -> Element:
    found = part(archive, name)
    if found is None:
        raise RefusedError("locked_or_damaged", f"it is not a document of its ending: it has no {name}")
    return found


def local(element: Element) -> str:
    """The tag without its namespace, in which alone transitional and strict documents differ."""
    tag: str = element.tag
    return tag.rpartition("}")[2]


def attribute(element: Element | None, name: str) -> str:
    if element is None:
        return ""
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def first(element: Element, name: str) -> Element | None:
    return next((found for found in element.iter() if local(found) == name), None)


_NOT_SHOWN = name_set(
    "del moveFrom Fallback instrText delText annotation tracked-changes note annotation-end"
)


def _shown(element: Element) -> Iterator[Element]:
    """The elements inside an element, in the order of the text, without deleted and repeated ones."""
    for child in element:
        if local(child) not in _NOT_SHOWN:
            yield child
            yield from _shown(child)


def _words(element: Element, texts: str, breaks: dict[str, str]) -> str:
    """The words of a paragraph: the texts of its elements `texts`, and for each of `breaks` its character."""
    parts = [
        (found.text or "") if local(found) == texts else breaks.get(local(found), "")
        for found in _shown(element)
    ]
    return "".join(parts).strip()


def _blocks(element: Element, paragraph: frozenset[str], table: str) -> Iterator[Element]:
    """The outermost paragraphs and tables inside an element."""
    for child in element:
        name = local(child)
        if name in paragraph or name == table:
            yield child
        elif name not in _NOT_SHOWN:
            yield from _blocks(child, paragraph, table)


def _rows(table: Element, row: str, cell: str, words: Callable[[Element], str]) -> Iterator[list[str]]:
    for found in table.iter():
        if local(found) == row:
            cells = [words(one) for one in found if local(one) == cell][:WIDEST]
            if any(cells):
                yield cells


# ---------------------------------------------------------------- Word


def read_docx(data: bytes, text: Text, _most_pages: int) -> None:
    """Add to `text` the paragraphs, numbered from 1, with headings by the names of their styles. Pages exist only in print."""
    archive = opened(data)
    body = needed(archive, "word/document.xml")
    levels = _levels(part(archive, "word/styles.xml"))
    breaks = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}

    def words(element: Element) -> str:
        return _words(element, "t", breaks)

    for block in _blocks(body, frozenset({"p"}), "tbl"):
        if local(block) == "tbl":
            text.gap()
            text.begin()
            add_table(_rows(block, "tr", "tc", words), text)
            continue
        said = words(block)
        if not said:
            continue
        level = levels.get(attribute(first(block, "pStyle"), "val"), 0)
        item = level == _ITEM or (not level and first(block, "numPr") is not None)
        if not item:
            text.gap()
        text.begin()
        if level > 0:
            text.title = text.title or (said if level == 1 else "")
            text.add(f"{'#' * level} {' '.join(said.split())}")
            text.gap()
        else:
            text.add(f"- {' '.join(said.split())}" if item else "\n".join(map(escaped, said.split("\n"))))


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


def read_odt(data: bytes, text: Text, _most_pages: int) -> None:
    """Add to `text` the paragraphs, numbered from 1."""
    body = first(needed(opened(data), "content.xml"), "body")

    def words(element: Element) -> str:
        return "".join(_flowing(element)).strip()

    for block in _blocks(body, frozenset({"p", "h"}), "table") if body is not None else ():
        if local(block) == "table":
            text.gap()
            text.begin()
            add_table(_rows(block, "table-row", "table-cell", words), text)
            continue
        said = " ".join(words(block).split()) if local(block) == "h" else words(block)
        if not said:
            continue
        text.gap()
        text.begin()
        if local(block) == "h":
            level = attribute(block, "outline-level")
            text.title = text.title or said
            text.add(f"{'#' * min(6, int(level) if level.isdigit() and level != '0' else 1)} {said}")
        else:
            text.add("\n".join(map(escaped, said.split("\n"))))


def _flowing(element: Element) -> Iterator[str]:
    """The text between and inside of elements, as OpenDocument orders it."""
    breaks = {"tab": "\t", "line-break": "\n", "s": " "}
    yield breaks.get(local(element), "") + (element.text or "")
    for child in element:
        if local(child) not in _NOT_SHOWN:
            yield from _flowing(child)
        yield child.tail or ""


# ---------------------------------------------------------------- PowerPoint


def read_pptx(data: bytes, text: Text, most_pages: int) -> None:
    """Add to `text` the slides in order, each under its title, with tables and notes."""
    archive = opened(data)
    slides = first(needed(archive, "ppt/presentation.xml"), "sldIdLst")
    targets = _relations(archive, "ppt/presentation.xml")
    ids = [
        value
        for slide in (slides if slides is not None else ())
        for key, value in slide.attrib.items()
        if key.endswith("}id")
    ]
    for number, slide_id in enumerate(ids[:most_pages], 1):
        name = targets.get(slide_id, "")
        slide = part(archive, name)
        if slide is None:
            continue
        text.gap()
        text.begin()
        title = next(
            (
                " ".join(_paragraphs(shape))
                for shape in slide.iter()
                if local(shape) == "sp" and _is_title(shape)
            ),
            "",
        )
        text.title = text.title or title
        text.add(f"## {' '.join(title.split()) or f'Slide {number}'}")
        text.gap()
        _shapes(slide, text)
        notes = next(
            (target for target in _relations(archive, name).values() if "/notesSlides/" in target), ""
        )
        if notes and (page := part(archive, notes)) is not None:
            said = [
                line
                for shape in page.iter()
                if local(shape) == "sp" and _kind(shape) == "body"
                for line in _paragraphs(shape)
            ]
            if said:
                text.gap()
                text.add("\n".join(["Notes:", *map(escaped, said)]))
    if len(ids) > most_pages:
        text.leave_out(f"slides {most_pages + 1:,} to {len(ids):,} were")


def _shapes(slide: Element, text: Text) -> None:
    for shape in slide.iter():
        if local(shape) == "sp" and not _is_title(shape) and _kind(shape) not in ("sldNum", "dt", "ftr"):
            for line in _paragraphs(shape):
                text.add(f"- {' '.join(line.split())}")
        elif local(shape) == "tbl":
            add_table(_rows(shape, "tr", "tc", lambda cell: " ".join(_paragraphs(cell))), text)


def _kind(shape: Element) -> str:
    return attribute(first(shape, "ph"), "type")


def _is_title(shape: Element) -> bool:
    return _kind(shape) in ("title", "ctrTitle")


def _paragraphs(shape: Element) -> list[str]:
    found = (_words(one, "t", {"br": "\n", "tab": "\t"}) for one in shape.iter() if local(one) == "p")
    return [line for line in found if line]


def _relations(archive: zipfile.ZipFile, name: str) -> dict[str, str]:
    """Id → the name of the part that it means in the part `name`."""
    folder, base = posixpath.split(name)
    root = part(archive, f"{folder}/_rels/{base}.rels")
    return {
        attribute(one, "Id"): posixpath.normpath(posixpath.join(folder, attribute(one, "Target"))).lstrip("/")
        for one in (root if root is not None else ())
        if attribute(one, "TargetMode") != "External"
    }
