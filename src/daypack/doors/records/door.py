"""The records door: ready-made records in bulk, for programs that have their content at hand.

    dp.records.add([{"id": "t1", "text": "Deploys are on Thursdays.", "author": "ana", "session": "2026-10-01", "time": 1790812800}])

A record is a mapping with an id and a text (or any JSON value, which is kept as indented JSON), or a `Record`
itself. A record with the same id and scope replaces the old one; an equal record writes nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from typing import Any, TypeVar

from daypack.engine.engine import Engine
from daypack.errors import BadRecord, InputError
from daypack.guard.arguments import checked
from daypack.guard.secrets import redact, refuse_secret
from daypack.text.checks import check_text, in_utc, is_moment, likely_or_all
from daypack.text.storable import is_storable
from daypack.types import EMPTY, IngestReport, Record, RecordKind, Trust

C = TypeVar("C", RecordKind, Trust)
DOOR = "records"
FIELDS = (
    "id",
    "text",
    "json",
    "kind",
    "title",
    "author",
    "time",
    "session",
    "scope",
    "tags",
    "metadata",
    "language",
    "trust",
    "uri",
)
LONGEST_TEXT = 100 << 20


@checked
class RecordsDoor:
    """Adds, replaces and deletes records by id."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, records: Iterable[Record | Mapping[str, Any]]) -> IngestReport:
        """Index records. Raises BadRecord with the faulty field; records committed before it stay."""
        if isinstance(records, (Record, Mapping)):
            raise InputError("records is a single record; put it into a list: add([record])")
        if isinstance(records, (str, bytes)) or not isinstance(records, Iterable):
            check_text("records", records, "a list of records: add([record])")
            raise InputError("records is a text; make it a record: add([{'id': …, 'text': …}])")
        with self._engine.translating_damage():
            bound = self._engine.writer.bound
            kept = (replace(record, trust=bound(record.trust)) for record in _checked(records))
            return self._engine.ingestion.add(kept)

    def delete(self, ids: Sequence[str], *, scope: str = "") -> int:
        """Erase records by id; returns their number."""
        with self._engine.translating_damage():
            return self._engine.ingestion.erase(DOOR, scope, [uid for uid in ids if is_storable(uid)])


def _checked(records: Iterable[Record | Mapping[str, Any]]) -> Iterator[Record]:
    for number, item in enumerate(records):
        where = f"[{number}]"
        if isinstance(item, Record):
            _check_uid(item.uid, where)
            _refuse_secrets(item)
            # The door that the record names does not count: such a record is not on disk, and a refresh of
            # files must not look for it there.
            yield replace(item, door=DOOR, uri=item.uri or item.uid)
        elif isinstance(item, Mapping):
            record = record_from(item, where=where)
            _refuse_secrets(record)
            yield record
        else:
            raise BadRecord(where, f"must be a mapping or a Record, not {type(item).__name__}")


def _check_uid(uid: object, where: str) -> None:
    if not isinstance(uid, str) or not uid or "\0" in uid or "\n" in uid or not is_storable(uid):
        raise BadRecord(
            f"{where}id", "must be a string on one line, not empty, without NUL and lone surrogates"
        )


def _refuse_secrets(record: Record) -> None:
    """Refuse a record whose names or place look like a secret. Raises InputError."""
    names = {
        "id": record.uid,
        "scope": record.scope,
        "uri": record.uri,
        "session": record.session,
        "language": record.language,
    }
    if redact("\n".join(names.values())).count:
        for what, name in names.items():
            refuse_secret(what, name)


def record_from(item: Mapping[str, Any], *, where: str = "") -> Record:
    """A record from a plain mapping. Raises BadRecord."""
    unknown = set(map(str, item)) - set(FIELDS)
    if unknown:
        name = sorted(unknown)[0]
        raise BadRecord(f"{where}{name}", f"is not known; {likely_or_all(name, FIELDS, 'fields are')}")
    uid = item.get("id")
    _check_uid(uid, where)
    assert isinstance(uid, str)
    text, language = _text_of(item, where)
    time = item.get("time")
    if isinstance(time, date):  # a datetime is one too; without a zone it is in UTC
        moment = datetime.fromisoformat(time.isoformat())
        time = in_utc(moment).timestamp()
    if time is not None and not is_moment(time):
        raise BadRecord(f"{where}time", "must be Unix seconds of the years 1 to 9999, or a datetime")
    kind = RecordKind.EVENT if item.get("session") else RecordKind.DOCUMENT
    strings: dict[str, Any] = {}
    defaults = {"language": language, "uri": uid}
    for name in ("title", "author", "session", "scope", "language", "uri"):
        value = item.get(name)
        if not isinstance(value, str | None):
            raise BadRecord(f"{where}{name}", "must be a string")
        strings[name] = value or defaults.get(name, "")
    return Record(
        uid=uid,
        text=text,
        kind=_choice_of(item, where, "kind", kind),
        door=DOOR,
        **strings,
        time=float(time) if time is not None else None,
        trust=_choice_of(item, where, "trust", Trust.USER),
        tags=_tags_of(item, where),
        metadata=_metadata_of(item, where),
    )


def _choice_of(item: Mapping[str, Any], where: str, name: str, default: C) -> C:
    """A kind or trust by its name."""
    try:
        return type(default)(item.get(name, default))
    except ValueError:
        raise BadRecord(f"{where}{name}", f"must be one of {', '.join(type(default))}") from None


def _text_of(item: Mapping[str, Any], where: str) -> tuple[str, str]:
    """(text, language) of `text`, or of `json`."""
    text, language = item.get("text"), ""
    if "json" in item:
        if text is not None:
            raise BadRecord(f"{where}json", "is given beside a text; give one of the two")
        try:
            text = json.dumps(item["json"], ensure_ascii=False, indent=1, allow_nan=False)
            language = "json"
        except (TypeError, ValueError, RecursionError) as error:
            raise BadRecord(f"{where}json", str(error)) from None
    if not isinstance(text, str):
        raise BadRecord(f"{where}text", "must be a string; give any other value as `json`")
    if len(text) > LONGEST_TEXT:
        raise BadRecord(f"{where}text", f"has {len(text):,} characters; at most {LONGEST_TEXT:,} are allowed")
    return text, language


def _tags_of(item: Mapping[str, Any], where: str) -> tuple[str, ...]:
    tags = item.get("tags", ())
    found = tuple(tags) if isinstance(tags, Iterable) and not isinstance(tags, str) else (None,)
    if not all(isinstance(tag, str) for tag in found):
        raise BadRecord(f"{where}tags", "must be a list of strings")
    return tuple(map(str, found))


def _metadata_of(item: Mapping[str, Any], where: str) -> dict[str, Any]:
    metadata = item.get("metadata", EMPTY)
    if not isinstance(metadata, Mapping):
        raise BadRecord(f"{where}metadata", "must be an object")
    try:
        json.dumps(dict(metadata), allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise BadRecord(f"{where}metadata", str(error)) from None
    return dict(metadata)
