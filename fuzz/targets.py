"""Targets: each takes bytes, and fails where a parser breaks a promise. A DaypackError is an answer."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from daypack.chunk import _cut
from daypack.chunk.languages import LANGUAGES
from daypack.doors.documents.filters.language import parse_filter
from daypack.doors.documents.filters.predicate import predicate
from daypack.doors.documents.model.updates import parse_update
from daypack.doors.documents.model.values import cleaned
from daypack.doors.reading.mail import read_mail
from daypack.doors.sessions.hooks.steps import steps_of_hook
from daypack.doors.sessions.meaning.events import events_of
from daypack.doors.sessions.transcripts.reading import _lines, _whole_file
from daypack.errors import BadDocument, DaypackError
from daypack.guard.fences import decode, encode, fence, is_inert, one_line
from daypack.guard.secrets import redact
from daypack.query import parse_query
from daypack.shapes.strict_json import canonical, read_json
from daypack.surfaces.mcp.stdio import BadFrame, message_of
from daypack.types import Record, RecordKind

NOW = datetime(2026, 11, 18, tzinfo=UTC)
SLOWEST = 5.0  # seconds of processor time for an input; those of a fuzzer are short
DOCUMENT = {"a": 1, "b": [1, "x", {"c": None}], "d": {"e": "text", "f": 2.5}, "_id": {"$oid": "0" * 24}}
PROSE = ("markdown", "rst", "log", "text", "json", "jsonl", "yaml", "toml", "csv")


@contextmanager
def soon() -> Iterator[None]:
    began = time.process_time()
    yield
    assert time.process_time() - began < SLOWEST, "too slow"


def _with_halves(data: bytes) -> str:
    """Text that may hold lone surrogates, as JSON can."""
    try:
        return data.decode("utf-8", "surrogatepass")
    except UnicodeDecodeError:
        return data.decode("utf-8", "replace")


def chunks(data: bytes) -> None:
    """Pieces are in order, do not overlap, and cover all that is not blank. The first byte chooses the language."""
    languages = [*PROSE, *sorted(LANGUAGES)]
    language = languages[data[0] % len(languages)] if data else "text"
    text = data[1:].decode("utf-8", "replace")
    kind = RecordKind.DOCUMENT if language in PROSE else RecordKind.CODE
    position = 0
    for piece in _cut(Record("a", text, kind, language=language)).pieces:
        span = piece.span
        assert position <= span.start < span.end <= len(text), "a span out of order"
        assert not text[position : span.start].strip(), "a gap holds text"
        assert span.start_line == text.count("\n", 0, span.start) + 1, "a wrong line"
        position = span.end
    assert not text[position:].strip(), "the end is missing"


def filters(data: bytes) -> None:
    """A filter is refused, or says yes or no to a document."""
    with suppress(DaypackError):
        found = read_json(_with_halves(data))
        assert predicate(parse_filter(found))(DOCUMENT) in (True, False)


def updates(data: bytes) -> None:
    """An update is refused or understood."""
    with suppress(DaypackError):
        parse_update(
            read_json(data.decode("utf-8", "replace")),
            lambda condition, path: predicate(parse_filter(condition)),
            lambda name, among: None,
        )


def documents(data: bytes) -> None:
    """A value that is kept is read again as it was written."""
    with suppress(DaypackError):
        value = cleaned(read_json(data.decode("utf-8", "replace")))
        written = canonical(value)
        with suppress(BadDocument):
            again = cleaned(read_json(written))
            assert canonical(again) == written, "written otherwise"


def queries(data: bytes) -> None:
    """A question of any characters is parsed, and its weights are finite."""
    found = parse_query(data.decode("utf-8", "replace"), now=NOW)
    assert all(0 < weight < 1e9 for weight in found.terms.values())
    assert found.since is None or found.until is None or found.since <= found.until


def transcripts(data: bytes) -> None:
    """A transcript of any form is steps, or is not one."""
    text = data.decode("utf-8", "replace")
    for read in (_lines, _whole_file):
        for step in read(text, Path(__file__)).steps:
            events_of(step.what)


def hook_events(data: bytes) -> None:
    """An event of any form is steps."""
    with suppress(ValueError, RecursionError):
        event: Any = json.loads(data)
        if isinstance(event, dict):
            for step in steps_of_hook(event, time=1.0, key="k"):
                events_of(step.what)


def mails(data: bytes) -> None:
    """A file is mail, with a heading at its top, or is not mail."""
    found = read_mail(data)
    assert found is None or (found.text.startswith("# ") and "\0" not in found.text)


def fences(data: bytes) -> None:
    """What is shown is inert, cannot close its fence, and leads back to what was stored."""
    text = _with_halves(data)
    shown, crlf, escaped = encode(text)
    assert is_inert(shown), "not inert"
    assert decode(shown, crlf=crlf, escaped=escaped) == text, "not the text that was stored"
    ticks = fence(shown)
    assert all(not line.startswith(ticks) for line in shown.split("\n")), "the text closes its fence"
    assert "\n" not in one_line(text), "more than one line"


def secrets(data: bytes) -> None:
    """Redacting twice is redacting once."""
    text = data.decode("utf-8", "replace")
    once = redact(text).text
    assert redact(once).text == once, "redacted again"


def messages(data: bytes) -> None:
    """A line is a message or gets an answer."""
    with suppress(BadFrame):
        message_of(data)


TARGETS: dict[str, Callable[[bytes], None]] = {
    one.__name__: one
    for one in (
        chunks,
        filters,
        updates,
        documents,
        queries,
        transcripts,
        hook_events,
        mails,
        fences,
        secrets,
        messages,
    )
}


def run(name: str, data: bytes) -> None:
    """One input of a target. Raises AssertionError, and whatever a parser should not raise."""
    with soon():
        TARGETS[name](data)
