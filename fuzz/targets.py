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
from daypack.chunk.imports import only_imports, only_link_targets
from daypack.chunk.languages import LANGUAGES
from daypack.doors.code.graph.extraction.components import COMPONENTS, extract_component
from daypack.doors.code.graph.extraction.extract import extract
from daypack.doors.code.graph.extraction.pages import PAGES, extract_page
from daypack.doors.code.graph.facts import FileFacts
from daypack.doors.documents.filters.language import parse_filter
from daypack.doors.documents.filters.predicate import predicate
from daypack.doors.documents.model.updates import parse_update
from daypack.doors.documents.model.values import cleaned
from daypack.doors.reading.formats import record_from_bytes
from daypack.doors.reading.mail import read_mail
from daypack.doors.sessions.hooks.steps import steps_of_hook
from daypack.doors.sessions.meaning.events import events_of, reads_outside
from daypack.doors.sessions.meaning.tasks import whole_list
from daypack.doors.sessions.transcripts.reading import _lines, _whole_file
from daypack.errors import BadDocument, DaypackError
from daypack.guard.fences import decode, encode, fence, is_inert, one_line
from daypack.guard.secrets import redact
from daypack.query import parse_query, questions_in, turns_of
from daypack.shapes.strict_json import canonical, read_json
from daypack.surfaces.mcp.stdio import BadFrame, message_of
from daypack.types import Record, RecordKind

NOW = datetime(2026, 11, 18, tzinfo=UTC)
SLOWEST = 5.0  # seconds of processor time for an input; those of a fuzzer are short
DOCUMENT = {"a": 1, "b": [1, "x", {"c": None}], "d": {"e": "text", "f": 2.5}, "_id": {"$oid": "0" * 24}}
PROSE = ("markdown", "rst", "log", "text", "json", "jsonl", "yaml", "toml", "csv")

# of files that are read or cut in their own way; documents in zip archives and PDFs are read in another process
NAMES = (
    "a.html", "a.ipynb", "a.ics", "a.vcf", "a.json", "a.mht", "a.eml", "a.csv", "a.tsv", "a.yaml", "a.sql",
    "a.vue", "a.svelte", "a.astro", "a.html.erb", "a.html.j2", "a.html.heex", "a.blade.php", "a.twig",
    "a.cshtml", "a.xaml", "a.pug", "a.haml", "a.tf", "a.proto", "a.graphql", "a.prisma", "Dockerfile",
    "CMakeLists.txt", "Makefile", "a.org", "a.adoc", "a.rst", "a.srt", "a.vtt", "a.log", "a.txt", "a.md",
    "a.mdx", "a.xml", "a.ini", "a.properties", "a.toml", "a.tex", "a.po", "a.1", "a.jsonl", "a.rtf",
    "a.fodt",
)  # fmt: skip


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
    kind = RecordKind.DOCUMENT if language in PROSE else RecordKind.CODE
    _cover(Record("a", data[1:].decode("utf-8", "replace"), kind, language=language))


def _cover(record: Record) -> None:
    text, position = record.text, 0
    cut = _cut(record)
    for piece in cut.pieces:
        span = piece.span
        body = text[span.start : span.end]
        only_imports(body, cut.imports)  # as the index asks; both have to be quick
        only_link_targets(body)
        assert position <= span.start < span.end <= len(text), "a span out of order"
        assert not text[position : span.start].strip(), "a gap holds text"
        assert span.start_line == text.count("\n", 0, span.start) + 1, "a wrong line"
        position = span.end
    assert not text[position:].strip(), "the end is missing"


def files(data: bytes) -> None:
    """A file of any bytes is a record of text, which is cut, or an issue. The first byte chooses its name."""
    name = NAMES[data[0] % len(NAMES)] if data else NAMES[0]
    record = record_from_bytes(data[1:], uid=name)
    if isinstance(record, Record):
        assert record.text.strip() and "\0" not in record.text, "no text"
        _cover(record)


def relations(data: bytes) -> None:
    """Facts of code name lines of its file. The first byte chooses the language."""
    languages = [*sorted(LANGUAGES), *sorted(COMPONENTS), *sorted(PAGES)]
    language = languages[data[0] % len(languages)] if data else "python"
    text = data[1:].decode("utf-8", "replace")
    if language in COMPONENTS:
        facts = extract_component(text, language)
    else:
        facts = extract_page(text, language) if language in PAGES else extract(text, language)
    last = text.count("\n") + 1
    lines = [line for mention in facts.mentions for line in mention.lines] + [
        one.line for one in facts.symbols
    ]
    assert all(1 <= line <= last for line in lines), "a line beyond the text"
    assert FileFacts.loads(facts.dumps()) == facts, "other facts are read than were written"


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
            lambda name, among, others: "",
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
    text = data.decode("utf-8", "replace")
    found = parse_query(text, now=NOW)
    parse_query(text[len(text) // 2 :], now=NOW, history=turns_of([text[: len(text) // 2]]))
    assert len(questions_in(text)) != 1, "one question is the text"
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
                reads_outside(step.what)
                whole_list(step.what)


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
        files,
        relations,
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
