"""Files as drafts of sources, each under the key file:PATH."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from daypack.doors.reading.formats import read_file
from daypack.doors.reading.walk import walk
from daypack.doors.sources import rules
from daypack.doors.sources.types import SourceDraft, SourceType
from daypack.doors.sources.writing.xml_data import data_of_xml
from daypack.types import IngestIssue, Record, SkipReason


def drafts(target: Path, draft: SourceDraft, *, recursive: bool) -> Iterator[SourceDraft | IngestIssue]:
    """Drafts of a file, or of the files of a folder; `draft` gives all other fields."""
    seen = walk(target) if target.is_dir() else walk(target.parent, start=target, named=True)
    yield from seen.issues
    for file in seen.files:
        if target.is_dir() and not recursive and "/" in file.uid:
            continue
        read = read_file(file)
        if isinstance(read, IngestIssue):
            yield read
            continue
        title = draft.title or read.title
        key = f"file:{file.path}"
        yield from _held(
            replace(
                draft,
                source_key=key,
                title=title,
                source_type=SourceType.IMPORTED_DOCUMENT,
                source_updated_at=read.time,
            ),
            read,
        )


def _held(base: SourceDraft, read: Record) -> Iterator[SourceDraft | IngestIssue]:
    """Drafts of one file: JSON and XML are structured data; of JSON lines each is a record."""
    name = read.uid.lower()
    if read.language == "xml" and (data := data_of_xml(read.text)) is not None:
        fields = rules.fields_of(data)
        if 0 < len(fields) < rules.MOST_FIELDS:  # of more, the rest would be in no text
            yield replace(base, structured_data=data)
            return
    if not name.endswith((".json", ".ndjson", ".jsonl")):
        yield replace(base, text=read.text)
        return
    whole = name.endswith(".json")
    for number, line in enumerate([read.text] if whole else read.text.split("\n"), 1):
        if not line.strip():
            continue
        key = base.source_key if whole else f"{base.source_key}#{number}"
        try:
            data = json.loads(line)
        except (ValueError, RecursionError):
            yield IngestIssue(f"{read.uid}:{number}", SkipReason.UNREADABLE, "this is not JSON")
            continue
        if not rules.fields_of(data):
            yield IngestIssue(f"{read.uid}:{number}", SkipReason.EMPTY, "it has no values")
            continue
        yield replace(base, source_key=key, structured_data=data)
