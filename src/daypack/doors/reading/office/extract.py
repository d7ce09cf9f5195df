"""PDF and Office documents: bytes → text with its pages, in a separate process (program.py) with limits of time and memory.

Word, PowerPoint, OpenDocument and EPUB are zips of XML, which Python can read; PDF, Excel and rich text need the extra
`office`.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from daypack.doors.reading.process import CommandNotFound, run_command
from daypack.settings.installation import adding
from daypack.system import bare_environment
from daypack.types import SkipReason

NEEDS = {"pdf": "pypdfium2", "rtf": "striprtf", "xlsx": "openpyxl"}
"""Form → the package of the extra that reads it."""
_WHAT = {
    "pdf": "a PDF", "docx": "a Word document", "odt": "an OpenDocument text", "pptx": "a PowerPoint presentation", "xlsx": "an Excel workbook",
    "epub": "an EPUB", "rtf": "a rich text", "ods": "an OpenDocument spreadsheet", "odp": "an OpenDocument presentation",
}  # fmt: skip
_SAME_FORM = {
    **dict.fromkeys(["docm", "dotx", "dotm"], "docx"),
    **dict.fromkeys(["pptm", "ppsx", "ppsm", "potx", "potm"], "pptx"),
    **dict.fromkeys(["xlsm", "xltx", "xltm"], "xlsx"),
    "ott": "odt",
    "ots": "ods",
    "otp": "odp",
}
"""Endings of templates, and of documents that may hold programs, which are not read."""
_BY_BYTES = {b"%PDF-": "pdf", b"{\\rtf": "rtf"}
_ZIP = b"PK\x03\x04"
_OLD = b"\xd0\xcf\x11\xe0"  # also the first bytes of an encrypted document of a new format
_MOST_OUTPUT = 256 << 20
_ROOT = str(Path(__file__).parents[4])
# -I removes the caller's folder and environment from the import path, so Daypack's folder is an argument.
_PROGRAM = "import sys; sys.path.insert(0, sys.argv.pop(1)); from daypack.doors.reading.office.program import main; main()"


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits for reading one document."""

    seconds: int = 60
    megabytes: int = 1_024
    pages: int = 2_000  # or slides, sheets, chapters
    characters: int = 10_000_000


DEFAULT = Limits()


@dataclass(frozen=True, slots=True)
class Extracted:
    """The text of a document; `pages` is the input of `Pages`, as metadata store it."""

    text: str
    title: str
    language: str
    pages: dict[str, Any]


def form_of(name: str, data: bytes) -> str:
    """A key of `_WHAT`, by first bytes and ending; "" for other files."""
    for beginning, form in _BY_BYTES.items():
        if data.startswith(beginning):
            return form
    ending = name.rpartition(".")[2].lower()
    form = _SAME_FORM.get(ending, ending)
    return form if form in _WHAT and data.startswith((_ZIP, _OLD)) else ""


def lacking(form: str) -> str:
    """The step that makes documents of this form readable; "" when they are readable."""
    package = NEEDS.get(form)
    if package is None or find_spec(package) is not None:
        return ""
    return f"{_WHAT[form]}; install the extra that reads it ({adding('office')}) and add it again"


def extract(data: bytes, form: str, limits: Limits = DEFAULT) -> Extracted | tuple[SkipReason, str]:
    """The text of a document, or (the reason for refusing it, a sentence with the next step)."""
    if why := lacking(form):
        return SkipReason.NEEDS_EXTRA, why
    options = {
        "seconds": limits.seconds,
        "megabytes": limits.megabytes,
        "pages": limits.pages,
        "characters": limits.characters,
    }
    command = [sys.executable, "-I", "-c", _PROGRAM, _ROOT, form, json.dumps(options)]
    with tempfile.TemporaryFile() as document:
        document.write(data)
        document.seek(0)
        try:
            ran = run_command(
                command,
                seconds=1.5 * limits.seconds,
                most=_MOST_OUTPUT,
                environment=bare_environment(os.environ),
                stdin=document,
            )
        except CommandNotFound as error:
            return SkipReason.UNREADABLE, str(error)
    if ran.stopped or ran.status == 128 + 24:  # SIGXCPU
        return (
            SkipReason.TOO_LARGE,
            f"reading it took more than {limits.seconds} seconds; split {_WHAT[form]} of this size into parts",
        )
    try:
        found = json.loads(ran.output) if not ran.status else {}
    except ValueError:
        found = {}
    if "error" in found:
        return SkipReason(found["error"]), found["detail"]
    if "text" not in found:
        return (
            SkipReason.LOCKED_OR_DAMAGED,
            f"reading it failed within {limits.megabytes:,} MB of memory; open it and save it "
            f"again, or split it",
        )
    pages = {
        "unit": found["unit"],
        "lines": found["lines"],
        **({"names": found["names"]} if found["names"] else {}),
    }
    return Extracted(found["text"], " ".join(found["title"].split())[:300], "markdown", pages)
