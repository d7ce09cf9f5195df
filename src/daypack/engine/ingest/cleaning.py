"""Records without secrets, cut and counted: pure work, which a crew of processes may share."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from daypack import tokens
from daypack.index.rows import Prepared, Stored
from daypack.ports import Handling
from daypack.text.storable import storable, text_hash
from daypack.types import Record, Tokenizer

CHUNK_TOKENIZER = Tokenizer.O200K  # of `Chunk.tokens`
WORTH_A_CREW = 8 << 20
"""Bytes of files: a crew takes a second to start, and one process cuts three megabytes a second."""


@dataclass(frozen=True)
class Clean:
    """A storable record without secrets, which is cut once it has to be written."""

    record: Record
    hash: str  # of the record's text
    handling: Handling

    @property
    def key(self) -> tuple[str, str, str]:
        return self.record.door, self.record.scope, self.record.uid

    def has_time_of(self, stored: Stored) -> bool:
        """True when the file has the stored time and size."""
        return (stored.mtime_ns, stored.size) == (self.record.mtime_ns, self.record.size)

    @cached_property
    def prepared(self) -> Prepared:
        from daypack.chunk import cut  # a query needs no cutter

        text = self.record.text
        pieces = cut(self.record)
        texts = tuple([text[piece.span.start : piece.span.end] for piece in pieces.pieces])
        counts = tokens.count_batch(CHUNK_TOKENIZER, texts)
        return Prepared(self.record, pieces, texts, tuple(counts), self.hash, self.handling)


def cut_group(group: Iterable[tuple[Record, Handling]]) -> list[tuple[Clean, int]]:
    """The records of a group without secrets, and cut."""
    tokens.expect(CHUNK_TOKENIZER, WORTH_A_CREW)
    made = [cleaned(record, handling) for record, handling in group]
    for clean, _ in made:
        clean.prepared  # noqa: B018 - it is kept
    return made


def prepare(record: Record, handling: Handling) -> tuple[Prepared, int]:
    """(a record ready to be written, the number of secrets removed from it)."""
    clean, count = cleaned(record, handling)
    return clean.prepared, count


def cleaned(record: Record, handling: Handling) -> tuple[Clean, int]:
    """(a storable record without secrets, the number of secrets removed from it)."""
    clean, count = _without_secrets(record)
    return Clean(clean, text_hash(clean.text), handling), count


def _without_secrets(record: Record) -> tuple[Record, int]:
    """(a storable record without secrets, the number of replacements). Those in the title are not counted, because most
    titles repeat the text.
    """
    from daypack.guard.secrets import redact, redact_json  # their expressions take 20 ms to compile

    names = ("uid", "uri", "title", "language", "author", "session", "scope")
    fields: dict[str, Any] = {name: storable(getattr(record, name)) for name in names}
    redacted = redact(storable(record.text))
    fields |= {"text": redacted.text, "tags": tuple(map(storable, record.tags))}
    if any(getattr(record, name) != value for name, value in fields.items()):  # seldom, and a copy takes time
        record = replace(record, **fields)
    if not (record.title or record.author or record.tags or record.metadata):
        return record, redacted.count
    metadata = json.dumps(dict(record.metadata), ensure_ascii=False) if record.metadata else ""
    if not redact("\n".join((record.title, record.author, *record.tags, metadata))).count:
        return record, redacted.count
    author, tags = redact(record.author), [redact(tag) for tag in record.tags]
    facts, in_metadata = redact_json(dict(record.metadata))
    clean = replace(
        record,
        title=redact(record.title).text,
        author=author.text,
        tags=tuple(tag.text for tag in tags),
        metadata=facts,
    )
    return clean, redacted.count + author.count + sum(tag.count for tag in tags) + in_metadata
