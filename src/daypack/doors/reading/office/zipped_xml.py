"""Zips of XML, which Python reads without a library; PowerPoint."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from collections.abc import Callable, Iterator
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from daypack.doors.reading.office.text import WIDEST, Covered, RefusedError, Text, ends_ordinal, spread
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


NOT_SHOWN = name_set("del moveFrom Fallback instrText delText annotation tracked-changes note annotation-end")


def shown(element: Element) -> Iterator[Element]:
    """The elements inside an element, in the order of the text, without deleted, hidden and repeated ones."""
    for child in element:
        if local(child) not in NOT_SHOWN and not (local(child) == "r" and _is_hidden(child)):
            yield child
            yield from shown(child)


def _is_hidden(run: Element) -> bool:
    """True for a run of Word's hidden text, which a reader sees neither on the screen nor in print."""
    marks = (mark for facts in run if local(facts) == "rPr" for mark in facts if local(mark) == "vanish")
    return any(attribute(mark, "val") not in ("0", "false", "off") for mark in marks)


_POWER = re.compile(r"[-+−]?(?:\d{1,4}|[a-z])", re.IGNORECASE)


def words_of(element: Element, texts: str, breaks: dict[str, str]) -> str:
    """The words of a paragraph: the texts of its elements `texts`, and for each of `breaks` its character. A raised number
    has the sign of a power, for 10⁶ is not 106, unless it begins the paragraph, as the mark of a note does.
    """
    parts, raised, before = list[str](), False, ""
    for found in shown(element):
        name = local(found)
        if name == "r":
            raised = False
        elif name == "vertAlign":  # Word
            raised = attribute(found, "val") == "superscript"
        elif name == "rPr":  # PowerPoint
            raised = attribute(found, "baseline").rstrip("0").isdecimal()
        if name == texts:
            words = found.text or ""
            is_power = raised and before and _POWER.fullmatch(words) and not ends_ordinal(words, before)
            parts.append(f"^{words}" if is_power else words)
            before = words or before
        else:
            parts.append(breaks.get(name, ""))
    return "".join(parts).strip()


def blocks(element: Element, paragraph: frozenset[str], table: str) -> Iterator[Element]:
    """The outermost paragraphs and tables inside an element."""
    for child in element:
        name = local(child)
        if name in paragraph or name == table:
            yield child
        elif name not in NOT_SHOWN:
            yield from blocks(child, paragraph, table)


def table_rows(table: Element, words: Callable[[Element], str]) -> Iterator[list[str]]:
    """The rows of a table that are not empty."""
    rows = ([*_cells(row, words)][:WIDEST] for row in table.iter() if local(row) == "tr")
    return (row for row in spread(rows) if any(row))


def _cells(row: Element, words: Callable[[Element], str]) -> Iterator[str | Covered]:
    """The cells of a row. Word leaves out those that a cell to the left covers, PowerPoint marks them."""
    for cell in row:
        if local(cell) != "tc":
            continue
        facts = next((one for one in cell if local(one) == "tcPr"), None)
        down = first(facts, "vMerge") if facts is not None else None
        if attribute(cell, "hMerge") in _YES:
            yield Covered.LEFT
        elif attribute(cell, "vMerge") in _YES or (
            down is not None and attribute(down, "val") in ("", "continue")
        ):
            yield Covered.ABOVE
        else:
            yield words(cell)
        wide = attribute(first(facts, "gridSpan"), "val") if facts is not None else ""
        yield from [Covered.LEFT] * (min(int(wide), WIDEST) - 1 if wide.isdecimal() and len(wide) < 6 else 0)


_YES = ("1", "true")


def signed(author: str, day: str) -> str:
    """The name and day behind the word "Comment"; a day is ISO 8601."""
    named = [f"by {' '.join(author.split())}"] if author.strip() else []
    dated = [day[:10]] if re.match(r"\d{4}-\d\d-\d\d", day) else []
    return f" {', '.join(named + dated)}" if named or dated else ""


def add_remarks(remarks: list[str], text: Text) -> None:
    """Add footnotes and comments below what they belong to, so that one part holds both."""
    for remark in remarks:
        text.add(remark)


def relations(archive: zipfile.ZipFile, name: str) -> dict[str, str]:
    """Id → the name of the part that it means in the part `name`."""
    folder, base = posixpath.split(name)
    root = part(archive, f"{folder}/_rels/{base}.rels")
    return {
        attribute(one, "Id"): posixpath.normpath(posixpath.join(folder, attribute(one, "Target"))).lstrip("/")
        for one in (root if root is not None else ())
        if attribute(one, "TargetMode") != "External"
    }


def main_part(archive: zipfile.ZipFile) -> str:
    """The name of the part that holds the text, which Office 365 calls `word/document2.xml` in some documents; "" for none."""
    root = part(archive, "_rels/.rels")
    targets = (
        attribute(one, "Target").lstrip("/")
        for one in (root if root is not None else ())
        if attribute(one, "Type").endswith("/officeDocument")
    )
    names = frozenset(archive.namelist())  # a relation may name a part that was left out
    return next((target for target in targets if target in names), "")
