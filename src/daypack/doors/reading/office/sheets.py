"""Excel: each sheet a table of the values that were last computed."""

from __future__ import annotations

import io
import re
import warnings
import zipfile
from collections.abc import Iterator
from typing import Any

from daypack.doors.reading.office.text import WIDEST, RefusedError, Text, in_sheet
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
        rows = ([_shown(cell) for cell in row[:WIDEST]] for row in sheet.iter_rows())
        hidden = "" if sheet.sheet_state == "visible" else " (hidden sheet)"
        text.gap()
        text.begin(sheet.title)
        text.add(f"## {' '.join(sheet.title.split())}{hidden}")
        in_sheet((_trimmed(row) for row in rows), text)
        add_remarks(remarks.get(sheet.title, []), text)
    if len(book.worksheets) > most_pages:
        text.leave_out(f"{len(book.worksheets) - most_pages:,} sheets were")


def _shown(cell: Any) -> str:
    """The value of a cell; a share as the sheet shows it, in percent."""
    value = cell.value
    if value is None:
        return ""
    if hasattr(value, "isoformat"):
        moment: str = value.isoformat(sep=" ") if hasattr(value, "date") else value.isoformat()
        return moment.removesuffix(" 00:00:00")
    if isinstance(value, int | float) and not isinstance(value, bool) and "%" in cell.number_format:
        return f"{100 * value:.10g} %"
    return f"{value:.15g}" if isinstance(value, float) else str(value)


def _trimmed(row: list[str]) -> list[str]:
    while row and not row[-1]:
        row.pop()
    return row


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
