"""Excel: each sheet a table of the values that were last computed, and of formulas that no program has computed yet."""

from __future__ import annotations

import html
import io
import re
import warnings
import zipfile
from collections.abc import Iterator, Mapping
from datetime import timedelta
from typing import Any, NamedTuple

from daypack.doors.reading.office.text import (
    WIDEST,
    Covered,
    RefusedError,
    Text,
    in_percent,
    in_sheet,
    spread,
)
from daypack.doors.reading.office.zipped_xml import (
    add_remarks,
    attribute,
    first,
    local,
    opened,
    part,
    relations,
)


def read_xlsx(data: bytes, text: Text, most_pages: int) -> None:
    """Add to `text` the sheets by name, each a table of its rows that are not empty, with the last computed values and
    the comments below it.
    """
    import openpyxl

    warnings.simplefilter("ignore")
    archive = opened(data)
    remarks = _remarks(archive)
    try:
        book = openpyxl.load_workbook(io.BytesIO(data), read_only=True, data_only=True)
    except (MemoryError, RefusedError):
        raise
    except Exception as error:  # a damaged workbook makes the library raise any exception
        raise RefusedError(
            "locked_or_damaged",
            f"the workbook is damaged ({type(error).__name__}); open it and save it again",
        ) from None
    for sheet in book.worksheets[:most_pages]:
        sheet.reset_dimensions()  # the stated size may be wrong, and would be read in full
        marked = _marked(archive, sheet._worksheet_path)
        hidden = "" if sheet.sheet_state == "visible" else " (hidden sheet)"
        text.gap()
        text.begin(sheet.title)
        text.add(f"## {' '.join(sheet.title.split())}{hidden}")
        in_sheet(spread(_cells(sheet, marked)), text)
        add_remarks(remarks.get(sheet.title, []), text)
    if len(book.worksheets) > most_pages:
        text.leave_out(f"{len(book.worksheets) - most_pages:,} sheets were")


_PADDED = re.compile(r"0{2,20}")


def _shown(cell: Any) -> str:
    """The value of a cell, as the sheet shows it where else it would mislead: a share in percent, a code with its leading
    zeros, hours above 24.
    """
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, timedelta):
        minutes, seconds = divmod(round(value.total_seconds()), 60)
        return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}"
    if hasattr(value, "isoformat"):
        moment: str = value.isoformat(sep=" ") if hasattr(value, "date") else value.isoformat()
        return moment.removesuffix(" 00:00:00")
    if isinstance(value, int | float) and not isinstance(value, bool) and "%" in cell.number_format:
        return in_percent(value)
    if type(value) is int and value >= 0 and _PADDED.fullmatch(cell.number_format):
        return f"{value:0{len(cell.number_format)}}"
    return f"{value:.15g}" if isinstance(value, float) else str(value)


class _Merged(NamedTuple):
    """The edges of a merged cell, counted from 1."""

    top: int
    left: int
    bottom: int
    right: int

    @property
    def columns(self) -> int:
        """A bit for each column that it covers, of those that are read."""
        return (
            (1 << min(self.right, WIDEST) + 1) - (1 << self.left)
            if self.left <= min(self.right, WIDEST)
            else 0
        )


class _Marked(NamedTuple):
    """Facts of a sheet that the library leaves out when it reads row by row."""

    merged: list[_Merged]  # by their first rows
    formulas: Mapping[tuple[int, int], str]  # (row, column) → a formula without a value


def _cells(sheet: Any, marked: _Marked) -> Iterator[list[str | Covered]]:
    """The cells of each row."""
    coming, here = marked.merged[::-1], list[_Merged]()
    for number, row in enumerate(sheet.iter_rows(), 1):
        here = [one for one in here if one.bottom >= number]
        taken = sum(one.columns for one in here)
        while coming and coming[-1].top <= number:
            one = coming.pop()
            # Excel forbids merged cells that overlap; a row below thousands of them would take seconds.
            if one.columns and not taken & one.columns:
                here.append(one)
                taken |= one.columns
        cells: list[str | Covered] = [
            _shown(cell) or marked.formulas.get((number, at), "") for at, cell in enumerate(row[:WIDEST], 1)
        ]
        for one in here:
            last = min(one.right, WIDEST)
            cells += [""] * (last - len(cells))
            for at in range(one.left, last + 1):
                if at > one.left:
                    cells[at - 1] = Covered.LEFT
                elif number > one.top:
                    cells[at - 1] = Covered.ABOVE
        yield cells


_FORMULA = re.compile(
    rb"<(?:\w+:)?c\s([^<>]*)>\s*<(?:\w+:)?f(?:\s[^<>]*)?>([^<]+)</(?:\w+:)?f>\s*+"
    rb"(?:(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v>\s*+</(?:\w+:)?v>)\s*+)?</(?:\w+:)?c>"
)
_PLACE = rb"""\b%s=["']([A-Z]{1,3})([0-9]{1,7})(?::([A-Z]{1,3})([0-9]{1,7}))?["']"""
_AT = re.compile(_PLACE % b"r")
_MERGED = re.compile(rb"<(?:\w+:)?mergeCell\s" + _PLACE % b"ref")
_TEXT = re.compile(rb"""\bt=["']str["']""")  # an empty value of such a formula is the empty text


_LARGEST = (
    64 << 20
)  # bytes of a sheet that are read as a whole; of a larger one the text is cut long before its end


def _marked(archive: zipfile.ZipFile, name: str) -> _Marked:
    if archive.getinfo(name).file_size > _LARGEST:
        return _Marked([], {})
    with archive.open(name) as part:
        source = part.read()
    merged = [
        _Merged(int(found[2]), _column(found[1]), int(found[4]), _column(found[3]))
        for found in _MERGED.finditer(source, max(0, source.rfind(b"sheetData>")))
        if found[3]
    ]
    formulas = {
        (int(at[2]), _column(at[1])): f"={html.unescape(found[2].decode('utf-8', 'replace')).strip()}"
        for found in _FORMULA.finditer(source)
        if (at := _AT.search(found[1])) and not _TEXT.search(found[1])
    }
    return _Marked(sorted(merged), formulas)


def _column(letters: bytes) -> int:
    """The number of a column from its letters: 1 for A, 27 for AA."""
    number = 0
    for letter in letters:
        number = 26 * number + letter - 64
    return number


# Comments that answer each other are kept twice; for earlier versions of Excel under this notice.
_NOTICE = re.compile(r"\[Threaded comment\].*?(?:Comment|Kommentar)\w*:\s*", re.DOTALL)


def _remarks(archive: zipfile.ZipFile) -> dict[str, list[str]]:
    """Name of a sheet → the comments on its cells."""
    found: dict[str, list[str]] = {}
    book = part(archive, "xl/workbook.xml")
    targets = relations(archive, "xl/workbook.xml")
    for sheet in book.iter() if book is not None else ():
        if local(sheet) != "sheet":
            continue
        name = targets.get(attribute(sheet, "id"), "")
        for target in relations(archive, name).values() if name else ():
            if re.search(r"/comments?\d*\.xml$", target):
                found.setdefault(attribute(sheet, "name"), []).extend(_comments(archive, target))
    return found


def _comments(archive: zipfile.ZipFile, name: str) -> Iterator[str]:
    root = part(archive, name)
    if root is None:
        return
    authors = [one.text or "" for one in root.iter() if local(one) == "author"]
    for one in root.iter():
        if local(one) != "comment":
            continue
        body = first(one, "text")
        words = (
            "".join(run.text or "" for run in body.iter() if local(run) == "t") if body is not None else ""
        )
        said = " ".join(_NOTICE.sub("", words, count=1).split())
        at = attribute(one, "authorId")
        author = authors[int(at)] if at.isdecimal() and len(at) < 6 and int(at) < len(authors) else ""
        by = f" by {author}" if author and not author.startswith("tc={") else ""
        if said:
            yield f"Comment on {attribute(one, 'ref')}{by}: {said.removeprefix(f'{author}:').strip()}"
