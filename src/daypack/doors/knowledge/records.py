"""The records of a label, from bytes, files, folders and web pages. The uid of a record joins the label and the path inside
the folder; the path is empty for a single text.
"""

from __future__ import annotations

import contextlib
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from daypack.doors.knowledge.types import SEPARATOR, URI
from daypack.errors import InputError
from daypack.guard.paths import is_contained
from daypack.guard.secrets import redact
from daypack.text.storable import storable
from daypack.types import IngestIssue, Record, RecordKind, SkipReason, Trust

if TYPE_CHECKING:
    from daypack.doors.knowledge.web import Page
    from daypack.doors.reading.walk import Walk, WalkRules

LONGEST_LABEL = 200
# per label; more files are a project, which `daypack add` without a label updates file by file
MOST_FILES = 5_000

FileTimes = dict[str, tuple[int, int]]
"""File → (mtime_ns, size)."""


def check_label(label: str) -> str:
    """The label as it is stored. Raises InputError for an unprintable one."""
    name = " ".join(storable(label).split())
    if not name or len(name) > LONGEST_LABEL or not name.isprintable() or SEPARATOR in label:
        raise InputError(f"a label must be one printable line of 1 to {LONGEST_LABEL} characters")
    if redact(name).count:
        raise InputError("the label looks like a secret, and labels are shown; choose another one")
    return name


def _under(record: Record, name: str, part: str = "") -> Record:
    uri = f"{URI}{name}/{part}" if part else f"{URI}{name}"
    return replace(record, uid=f"{name}{SEPARATOR}{part}", uri=uri)


def record_of_text(name: str, data: bytes, *, language: str = "") -> Record | IngestIssue:
    """The record of a text under a label, or the issue that prevents it. `language` is used when the text's first bytes do not
    show its language; without one, and under a label without an ending, the lines of the text show its format.
    """
    from daypack.doors.reading.formats import record_from_bytes

    named = name if language else _with_ending(name, data)
    record = record_from_bytes(data, uid=named)
    if isinstance(record, Record) and record.title == named:
        record = replace(record, title=name)
    if isinstance(record, IngestIssue):
        return record._replace(uri=f"{URI}{name}")
    if language and not record.rendered:
        record = replace(record, language=language, title=record.title if record.title != name else "")
    return _under(record, name)


def _with_ending(name: str, data: bytes) -> str:
    """A label with the ending of the format that its text shows, where neither the label nor the first bytes tell one."""
    from daypack.doors.knowledge.formats import ending_of
    from daypack.doors.reading.decoding import Decoded, decode
    from daypack.doors.reading.languages import PLAIN, detect_language

    decoded = decode(data)
    if not isinstance(decoded, Decoded) or name.lower().endswith((".txt", ".text")):
        return name
    if detect_language(name, decoded.text[:1024]) != (PLAIN, RecordKind.DOCUMENT):
        return name
    ending = ending_of(decoded.text)
    return f"{name}.{ending}" if ending else name


class PathRecords(NamedTuple):
    """The records of a file or folder, the times of its files, and the files that were skipped."""

    records: list[Record]
    times: FileTimes
    issues: list[IngestIssue]


def records_of_path(name: str, target: Path, rules: WalkRules) -> PathRecords:
    """The records of a file or a folder under a label. Raises InputError for more than 5,000 files."""
    from daypack.doors.reading.formats import read_file

    seen = _walk(target, rules)
    if len(seen.files) > MOST_FILES:
        raise InputError(
            f"{target} holds {len(seen.files):,} files, a label at most {MOST_FILES:,}; run `daypack add {target}` without a label"
        )
    found = PathRecords([], {}, [*seen.issues])
    for file in seen.files:
        record = read_file(file, rules)
        found.times[file.uid] = (file.mtime_ns, file.size)
        if isinstance(record, IngestIssue):
            found.issues.append(record)
        else:
            found.records.append(_under(record, name, record.uid if target.is_dir() else ""))
    return found


def times_of_path(target: Path, rules: WalkRules) -> FileTimes:
    """The times of the files that `records_of_path` would read."""
    return {file.uid: (file.mtime_ns, file.size) for file in _walk(target, rules).files}


def _walk(target: Path, rules: WalkRules) -> Walk:
    from daypack.doors.reading.walk import Walk, walk, why

    if rules.project and is_contained(rules.project, target):
        issue = why(rules.project, target, rules=rules, named=True)
        if issue is not None and issue.reason is SkipReason.IGNORED:
            return Walk(target, issues=[issue])
    if target.is_dir():
        return walk(target, rules=rules)
    return walk(target.parent, start=target, rules=rules, named=True)


def record_of_page(name: str, page: Page) -> Record | IngestIssue:
    """The untrusted record of a fetched page. Its content type gives its format, not the ending of its address."""
    from daypack.doors.knowledge.web import DOCUMENT_TYPES
    from daypack.doors.reading.formats import record_from_bytes

    kind = page.content_type
    charset = kind.partition("charset=")[2].split(";")[0].strip("\"' ")
    body = page.body
    if charset and charset not in ("utf-8", "utf8"):
        with contextlib.suppress(LookupError, UnicodeDecodeError):
            body = body.decode(charset).encode()
    ending = DOCUMENT_TYPES.get(kind.partition(";")[0].strip())
    if ending is None:
        html = "html" in kind or body[:200].lstrip().lower().startswith((b"<!doctype html", b"<html"))
        named = (("json", "json"), ("xml", "xml"), ("markdown", "md"))
        ending = "html" if html else next((end for word, end in named if word in kind), "txt")
    record = record_from_bytes(body, uid=f"page.{ending}", fetched=True)
    if isinstance(record, IngestIssue):
        return record._replace(uri=page.url)
    title = record.title if record.title != f"page.{ending}" else ""
    return _under(replace(record, title=title, trust=Trust.UNTRUSTED), name)
