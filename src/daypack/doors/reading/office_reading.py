"""Reads one document on standard input and prints its text as JSON: a program of its own, in a process that
may die.

    python office_reading.py pdf '{"seconds": 60, "megabytes": 1024, "pages": 2000, "characters": 10000000}' < report.pdf

Documents are hostile until they are read, and their parsers are large. So this runs without the environment
of its caller, with limits of memory and time that it sets itself before it looks at anything, and imports
nothing of Daypack. What it prints is

    {"text": …, "unit": "page", "lines": [1, 40, …], "names": […], "title": …}     or     {"error": reason, "detail": …}

where `lines` are those on which a page, slide, sheet or paragraph begins, and `names` their names where they
are not numbered from 1.
"""

from __future__ import annotations

import io
import json
import os
import posixpath
import re
import resource
import sys
import zipfile
from collections.abc import Callable, Iterable, Iterator
from typing import Any
from urllib.parse import quote
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

UNPACKED = 20  # times the size of a zip, at least 64 MB: more is a bomb
UNPACKED_LEAST = 64 << 20
MOST_PARTS = 20_000  # of a zip
WIDEST = 200  # cells of a row


class RefusedError(Exception):
    """Why a document is not read: a reason of `SkipReason`, and a sentence with the next step."""

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(detail)
        self.reason, self.detail = reason, detail


class FullError(Exception):
    """The text is as long as it may be."""


class Text:
    """The text of a document while it is read, line by line, and where its places begin."""

    def __init__(self, unit: str, most: int) -> None:
        self.unit, self.title = unit, ""
        self._most = most
        self._lines: list[str] = []
        self._size = 0
        self._begins: list[int] = []
        self._names: list[str] = []

    def begin(self, name: str = "") -> None:
        """A page, slide, sheet or paragraph begins with what is added next."""
        self._begins.append(len(self._lines) + 1)
        self._names.append(quote(name, safe=""))

    def add(self, text: str) -> None:
        """A paragraph, or some lines that belong together. Raises FullError."""
        for line in _clean(text).split("\n"):
            self._size += len(line) + 1
            if self._size > self._most:
                raise FullError
            self._lines.append(line.rstrip())

    def gap(self) -> None:
        if self._lines and self._lines[-1]:
            self._lines.append("")

    def leave_out(self, what: str) -> None:
        self.gap()
        self._lines.append(f"[… {what} not read …]")

    def as_data(self) -> dict[str, Any]:
        kept = [begin for begin in self._begins if begin <= len(self._lines)]
        return {
            "text": "\n".join(self._lines).rstrip("\n") + "\n" if any(self._lines) else "",
            "title": self.title,
            "unit": self.unit,
            "lines": kept,
            "names": self._names[: len(kept)] if any(self._names) else [],
        }


_HYPHEN = re.compile("[\u0002\ufffe]\r?\n?")  # a word that was parted at the end of a line
_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ufffe\uffff\ud800-\udfff]")


def _clean(text: str) -> str:
    return _CONTROL.sub(
        "",
        _HYPHEN.sub("", text)
        .replace("\r\n", "\n")
        .replace("\r", "\n")
        .replace("\u2028", "\n")
        .replace("\x0b", "\n"),
    )


def _escaped(line: str) -> str:
    """Text of a paragraph that Markdown must not take for a heading, a fence or a table."""
    return "\\" + line if line.startswith(("#", "```", "~~~", "|", ">")) else line


def _row(cells: Iterable[str]) -> str:
    return "| " + " | ".join(" ".join(cell.split()).replace("|", "\\|") for cell in cells) + " |"


def _table(rows: Iterable[list[str]], text: Text) -> None:
    """Rows as a table of Markdown, whose first row is its head."""
    text.gap()
    for number, cells in enumerate(rows):
        text.add(_row(cells))
        if not number:
            text.add("|" + " --- |" * len(cells))
    text.gap()


# ---------------------------------------------------------------- PDF


def read_pdf(data: bytes, text: Text, most_pages: int) -> None:
    """The text of each page, by PDFium."""
    import pypdfium2

    try:
        document = pypdfium2.PdfDocument(data)
    except pypdfium2.PdfiumError as error:
        if "password" in str(error).lower():
            raise RefusedError(
                "locked_or_damaged", "the PDF is encrypted; save a copy without a password and add that"
            ) from None
        raise RefusedError("locked_or_damaged", "the PDF is damaged; open it and save it anew") from None
    pages = len(document)
    text.title = document.get_metadata_dict().get("Title", "")
    said = False
    for number in range(min(pages, most_pages)):
        text.begin()
        said = bool(found := _page(document, number)) or said
        text.add(found)
        text.gap()
    if not said:
        raise RefusedError(
            "empty",
            f"no text on its {pages:,} pages; if it was scanned, run OCR on it (as ocrmypdf does) and add the result",
        )
    if pages > most_pages:
        text.leave_out(f"pages {most_pages + 1:,} to {pages:,} were")


def _page(document: Any, number: int) -> str:
    """The text of a page; "" for one that cannot be read, which leaves the others."""
    from pypdfium2 import PdfiumError

    try:
        page = document[number]
        words = page.get_textpage()
    except PdfiumError:
        return ""
    found: str = words.get_text_bounded()
    words.close()
    page.close()
    return found.strip()


# ---------------------------------------------------------------- zips of XML


def _opened(data: bytes) -> zipfile.ZipFile:
    """A zip whose parts together are of a size that can be read."""
    try:
        archive = zipfile.ZipFile(io.BytesIO(data))
    except (zipfile.BadZipFile, ValueError, OSError):
        if data.startswith(b"\xd0\xcf\x11\xe0"):
            raise RefusedError(
                "locked_or_damaged",
                "the document is encrypted, or of an old format; save a copy without a password and add that",
            ) from None
        raise RefusedError("locked_or_damaged", "the document is damaged; open it and save it anew") from None
    entries = archive.infolist()
    unpacked = sum(entry.file_size for entry in entries)
    if len(entries) > MOST_PARTS or unpacked > max(UNPACKED_LEAST, UNPACKED * len(data)):
        raise RefusedError(
            "too_large",
            f"unpacked it would have {unpacked:,} bytes in {len(entries):,} parts, far more than a document has; it is not read",
        )
    return archive


def _part(archive: zipfile.ZipFile, name: str) -> Element | None:
    """A part of a document, None when there is none of that name."""
    try:
        with archive.open(name) as part:
            return ElementTree.parse(part).getroot()  # noqa: S314 (expat bounds entities, and this process its memory)
    except KeyError:
        return None
    except RuntimeError:
        raise RefusedError(
            "locked_or_damaged", "the document is encrypted; save a copy without a password and add that"
        ) from None
    except (ElementTree.ParseError, zipfile.BadZipFile, OSError, EOFError, NotImplementedError):
        raise RefusedError(
            "locked_or_damaged", f"its part {name} is damaged; open the document and save it anew"
        ) from None


def _needed(archive: zipfile.ZipFile, name: str) -> Element:
    found = _part(archive, name)
    if found is None:
        raise RefusedError("locked_or_damaged", f"it is no document of its ending: there is no {name} in it")
    return found


def _local(element: Element) -> str:
    """The tag without its namespace: transitional and strict documents differ in nothing else."""
    tag: str = element.tag
    return tag.rpartition("}")[2]


def _attribute(element: Element | None, name: str) -> str:
    if element is None:
        return ""
    return next((value for key, value in element.attrib.items() if key.rpartition("}")[2] == name), "")


def _first(element: Element, name: str) -> Element | None:
    return next((found for found in element.iter() if _local(found) == name), None)


_NOT_SHOWN = frozenset(
    {
        "del",
        "moveFrom",
        "Fallback",
        "instrText",
        "delText",
        "annotation",
        "tracked-changes",
        "note",
        "annotation-end",
    }
)


def _shown(element: Element) -> Iterator[Element]:
    """The elements below one, without what was deleted or stands there twice, in the order of the text."""
    for child in element:
        if _local(child) not in _NOT_SHOWN:
            yield child
            yield from _shown(child)


def _words(element: Element, texts: str, breaks: dict[str, str]) -> str:
    """The words of a paragraph: of its elements `texts`, and what `breaks` stand for."""
    parts = [
        (found.text or "") if _local(found) == texts else breaks.get(_local(found), "")
        for found in _shown(element)
    ]
    return "".join(parts).strip()


def _blocks(element: Element, paragraph: frozenset[str], table: str) -> Iterator[Element]:
    """The outermost paragraphs and tables below an element."""
    for child in element:
        name = _local(child)
        if name in paragraph or name == table:
            yield child
        elif name not in _NOT_SHOWN:
            yield from _blocks(child, paragraph, table)


def _rows(table: Element, row: str, cell: str, words: Callable[[Element], str]) -> Iterator[list[str]]:
    for found in table.iter():
        if _local(found) == row:
            cells = [words(one) for one in found if _local(one) == cell][:WIDEST]
            if any(cells):
                yield cells


# ---------------------------------------------------------------- Word


def read_docx(data: bytes, text: Text, _most_pages: int) -> None:
    """Paragraphs, numbered from 1 as they stand; headings by the names of their styles.

    Pages are made when it is printed.
    """
    archive = _opened(data)
    body = _needed(archive, "word/document.xml")
    levels = _levels(_part(archive, "word/styles.xml"))
    breaks = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}

    def words(element: Element) -> str:
        return _words(element, "t", breaks)

    for block in _blocks(body, frozenset({"p"}), "tbl"):
        if _local(block) == "tbl":
            text.gap()
            text.begin()
            _table(_rows(block, "tr", "tc", words), text)
            continue
        said = words(block)
        if not said:
            continue
        level = levels.get(_attribute(_first(block, "pStyle"), "val"), 0)
        item = level == _ITEM or (not level and _first(block, "numPr") is not None)
        if not item:
            text.gap()
        text.begin()
        if level > 0:
            text.title = text.title or (said if level == 1 else "")
            text.add(f"{'#' * level} {' '.join(said.split())}")
            text.gap()
        else:
            text.add(f"- {' '.join(said.split())}" if item else "\n".join(map(_escaped, said.split("\n"))))


_ITEM = -1


def _levels(styles: Element | None) -> dict[str, int]:
    """Id of a style → the level of its headings, or _ITEM.

    Names are English in every language, ids are not.
    """
    found = {}
    for style in styles if styles is not None else ():
        name = _attribute(_first(style, "name"), "val").lower()
        if match := re.fullmatch(r"heading ([1-6])", name):
            found[_attribute(style, "styleId")] = int(match[1])
        elif name == "title":
            found[_attribute(style, "styleId")] = 1
        elif name.startswith("list "):
            found[_attribute(style, "styleId")] = _ITEM
    return found


def read_odt(data: bytes, text: Text, _most_pages: int) -> None:
    """Paragraphs, numbered from 1 as they stand."""
    body = _first(_needed(_opened(data), "content.xml"), "body")

    def words(element: Element) -> str:
        return "".join(_flowing(element)).strip()

    for block in _blocks(body, frozenset({"p", "h"}), "table") if body is not None else ():
        if _local(block) == "table":
            text.gap()
            text.begin()
            _table(_rows(block, "table-row", "table-cell", words), text)
            continue
        said = " ".join(words(block).split()) if _local(block) == "h" else words(block)
        if not said:
            continue
        text.gap()
        text.begin()
        if _local(block) == "h":
            level = _attribute(block, "outline-level")
            text.title = text.title or said
            text.add(f"{'#' * min(6, int(level) if level.isdigit() and level != '0' else 1)} {said}")
        else:
            text.add("\n".join(map(_escaped, said.split("\n"))))


def _flowing(element: Element) -> Iterator[str]:
    """Text between and inside of elements, as OpenDocument has it."""
    breaks = {"tab": "\t", "line-break": "\n", "s": " "}
    yield breaks.get(_local(element), "") + (element.text or "")
    for child in element:
        if _local(child) not in _NOT_SHOWN:
            yield from _flowing(child)
        yield child.tail or ""


# ---------------------------------------------------------------- PowerPoint


def read_pptx(data: bytes, text: Text, most_pages: int) -> None:
    """Slides in their order, each under its title, with tables and notes."""
    archive = _opened(data)
    slides = _first(_needed(archive, "ppt/presentation.xml"), "sldIdLst")
    targets = _relations(archive, "ppt/presentation.xml")
    ids = [
        value
        for slide in (slides if slides is not None else ())
        for key, value in slide.attrib.items()
        if key.endswith("}id")
    ]
    for number, slide_id in enumerate(ids[:most_pages], 1):
        name = targets.get(slide_id, "")
        slide = _part(archive, name)
        if slide is None:
            continue
        text.gap()
        text.begin()
        title = next(
            (
                " ".join(_paragraphs(shape))
                for shape in slide.iter()
                if _local(shape) == "sp" and _is_title(shape)
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
        if notes and (page := _part(archive, notes)) is not None:
            said = [
                line
                for shape in page.iter()
                if _local(shape) == "sp" and _kind(shape) == "body"
                for line in _paragraphs(shape)
            ]
            if said:
                text.gap()
                text.add("\n".join(["Notes:", *map(_escaped, said)]))
    if len(ids) > most_pages:
        text.leave_out(f"slides {most_pages + 1:,} to {len(ids):,} were")


def _shapes(slide: Element, text: Text) -> None:
    for shape in slide.iter():
        if _local(shape) == "sp" and not _is_title(shape) and _kind(shape) not in ("sldNum", "dt", "ftr"):
            for line in _paragraphs(shape):
                text.add(f"- {' '.join(line.split())}")
        elif _local(shape) == "tbl":
            _table(_rows(shape, "tr", "tc", lambda cell: " ".join(_paragraphs(cell))), text)


def _kind(shape: Element) -> str:
    return _attribute(_first(shape, "ph"), "type")


def _is_title(shape: Element) -> bool:
    return _kind(shape) in ("title", "ctrTitle")


def _paragraphs(shape: Element) -> list[str]:
    found = (_words(one, "t", {"br": "\n", "tab": "\t"}) for one in shape.iter() if _local(one) == "p")
    return [line for line in found if line]


def _relations(archive: zipfile.ZipFile, name: str) -> dict[str, str]:
    """Id → name of the part that a part refers to by it."""
    folder, base = posixpath.split(name)
    root = _part(archive, f"{folder}/_rels/{base}.rels")
    return {
        _attribute(one, "Id"): posixpath.normpath(posixpath.join(folder, _attribute(one, "Target"))).lstrip(
            "/"
        )
        for one in (root if root is not None else ())
        if _attribute(one, "TargetMode") != "External"
    }


# ---------------------------------------------------------------- Excel


def read_xlsx(data: bytes, text: Text, most_pages: int) -> None:
    """Sheets by name, each row with anything in it as a row of a table, with the values that were last
    computed.
    """
    import warnings

    import openpyxl

    warnings.simplefilter("ignore")
    _opened(data).close()
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    except (MemoryError, RefusedError):
        raise
    except Exception as error:  # whatever a damaged book makes the library raise
        raise RefusedError(
            "locked_or_damaged", f"the workbook is damaged ({type(error).__name__}); open it and save it anew"
        ) from None
    for sheet in book.worksheets[:most_pages]:
        sheet.reset_dimensions()  # what a sheet says of its size is no reason to make so many cells
        rows = ([_value(cell) for cell in row[:WIDEST]] for row in sheet.iter_rows(values_only=True))
        text.gap()
        text.begin(sheet.title)
        text.add(f"## {' '.join(sheet.title.split())}")
        _table((_trimmed(row) for row in rows if any(row)), text)
    if len(book.worksheets) > most_pages:
        text.leave_out(f"{len(book.worksheets) - most_pages:,} sheets were")


def _value(cell: Any) -> str:
    if cell is None:
        return ""
    if hasattr(cell, "isoformat"):
        shown: str = cell.isoformat(sep=" ") if hasattr(cell, "date") else cell.isoformat()
        return shown.removesuffix(" 00:00:00")
    return f"{cell:.15g}" if isinstance(cell, float) else str(cell)


def _trimmed(row: list[str]) -> list[str]:
    while row and not row[-1]:
        row.pop()
    return row


# ---------------------------------------------------------------- the program

READERS: dict[str, tuple[str, Callable[[bytes, Text, int], None]]] = {
    "pdf": ("page", read_pdf), "docx": ("paragraph", read_docx), "odt": ("paragraph", read_odt), "pptx": ("slide", read_pptx), "xlsx": ("sheet", read_xlsx),
}  # fmt: skip


def limited(seconds: int, megabytes: int) -> None:
    """No more memory, time or files than a document needs; no core dump of what somebody reads."""
    for what, most in (
        (resource.RLIMIT_AS, megabytes << 20),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, 0),
        (resource.RLIMIT_CORE, 0),
    ):
        soft, hard = resource.getrlimit(what)
        most = most if hard == resource.RLIM_INFINITY else min(most, hard)
        try:
            resource.setrlimit(what, (most, hard if what == resource.RLIMIT_CPU else most))
        except (ValueError, OSError):  # a system that does not keep this one; the caller still keeps the time
            resource.setrlimit(what, (soft, hard))


def read(form: str, data: bytes, *, pages: int, characters: int) -> dict[str, Any]:
    unit, reader = READERS[form]
    text = Text(unit, characters)
    try:
        reader(data, text, pages)
    except FullError:
        text.leave_out(f"what follows the first {characters:,} characters was")
    except RefusedError as error:
        return {"error": error.reason, "detail": error.detail}
    except (MemoryError, RecursionError):
        return {"error": "too_large", "detail": "reading it took more memory than a document may take"}
    return text.as_data()


def main() -> int:
    options = json.loads(sys.argv[2])
    limited(options["seconds"], options["megabytes"])
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # parsers warn at length
    try:
        found = read(
            sys.argv[1], sys.stdin.buffer.read(), pages=options["pages"], characters=options["characters"]
        )
        shown = json.dumps(found)
    except MemoryError:
        shown = json.dumps(
            {"error": "too_large", "detail": "reading it took more memory than a document may take"}
        )
    sys.stdout.write(shown)
    sys.stdout.flush()
    os._exit(0)  # parsers that are taken down in the wrong order crash, after all is said


if __name__ == "__main__":
    main()
