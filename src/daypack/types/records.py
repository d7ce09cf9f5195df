"""Records as they come in, and the pieces and chunks that they are cut into."""

from __future__ import annotations

import enum
from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from operator import add
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import unquote

from daypack.types.file_lines import FileLines

# a factory hands it out: Python 3.11 takes it for a mutable default
EMPTY: Mapping[str, Any] = MappingProxyType({})


class RecordKind(enum.StrEnum):
    """The kind of a record; decides how it is cut, ranked and rendered."""

    DOCUMENT = "document"  # prose, tables, data files
    CODE = "code"  # source in a programming language
    MEMORY = "memory"  # a note that a user or an agent asked to keep
    EVENT = "event"  # a turn or event of a session; neighbours give it its meaning


class Trust(enum.StrEnum):
    """The party that vouches for a record's text."""

    USER = "user"
    AGENT = "agent"
    UNTRUSTED = "untrusted"  # web pages and tool output


DATES = "dates"
"""The metadata of a memory without a time of its own that holds the years and months of its text, as words."""

OWNER = "user"
"""The owner of memories by default."""

SHARED = "*"
"""The owner of memories that all users of a project see."""


@dataclass(frozen=True, slots=True)
class Record:
    """An item that came in through a door, decoded to text, before it is cut.

    `uid` is stable across revisions and unique within (`door`, `scope`): a path relative to the root for
    files. `uri` is what a citation shows. `text` is what spans refer to; for formats that are rendered on the
    way in (notebooks, HTML) it is the rendered text and `rendered` names the original format.
    """

    uid: str
    text: str
    kind: RecordKind = RecordKind.DOCUMENT
    door: str = "files"
    uri: str = ""
    title: str = ""
    language: str = ""  # a lower-case format or language name: "markdown", "python", "" when unknown
    rendered: str = ""
    author: str = ""
    session: str = ""
    scope: str = ""
    time: float | None = None  # Unix seconds: when the content came to be, None when unknown
    trust: Trust = Trust.USER
    tags: tuple[str, ...] = ()
    metadata: Mapping[str, Any] = field(default_factory=lambda: EMPTY)
    # Of the file behind the record, for the freshness check; 0 for records without a file.
    mtime_ns: int = 0
    size: int = 0


class IngestIssue(NamedTuple):
    """Trouble with one item of user data: reported, never raised."""

    uri: str
    reason: SkipReason
    detail: str = ""

    @property
    def why(self) -> str:
        """The reason in words, before its detail: `too large: 12 MB`."""
        return f"{self.reason.words}: {self.detail}" if self.detail else self.reason.words


class SkipReason(enum.StrEnum):
    """The reason why an item was not indexed."""

    IGNORED = "ignored"  # an ignore file excludes it; `detail` names file and pattern
    HIDDEN = "hidden"  # version-control and tool folders
    BINARY = "binary"
    LOCK_FILE = "lock_file"
    MINIFIED = "minified"
    GENERATED = "generated"
    TOO_LARGE = "too_large"
    SECRET_FILE = "secret_file"  # noqa: S105 (.env, private keys: never read)
    UNREADABLE = "unreadable"  # permission, vanished, not decodable
    NOT_A_FILE = "not_a_file"  # FIFO, device, socket
    OUTSIDE_ROOT = "outside_root"  # a link that leaves the root
    CHANGED_WHILE_READING = "changed_while_reading"
    EMPTY = "empty"
    LOCKED_OR_DAMAGED = "locked_or_damaged"  # a document that the reader of its format cannot open
    NEEDS_EXTRA = "needs_extra"  # a format that an extra reads; `detail` names it

    @property
    def words(self) -> str:
        return self.value.replace("_", " ")


class IngestReport(NamedTuple):
    """The outcome of one ingest. Counts are records unless named otherwise."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0
    chunks: int = 0  # written by this ingest
    bytes: int = 0  # of text read
    redactions: int = 0  # secrets replaced before anything was stored
    issues: tuple[IngestIssue, ...] = ()

    def __add__(self, other: IngestReport) -> IngestReport:  # type: ignore[override]  # a sum, not a longer tuple
        """Both ingests in one report: counts add up, issues follow each other."""
        return IngestReport(*map(add, self, other))


class Span(NamedTuple):
    """Half-open characters [start, end) of a record's text, and 1-based inclusive lines."""

    start: int
    end: int
    start_line: int
    end_line: int


class PieceKind(enum.StrEnum):
    """The structure that a piece is made of."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"  # a heading without a text below
    LIST = "list"
    TABLE = "table"
    FENCE = "fence"  # a code block inside prose
    FRONT_MATTER = "front_matter"
    SYMBOL = "symbol"  # function, method, class …
    BLOCK = "block"  # lines without structure
    ALERT = "alert"  # remarkable lines of a log, with their neighbours
    ROW = "row"  # part of a data file
    TURN = "turn"  # one event or memory, whole


class SymbolKind(enum.StrEnum):
    """The kind of a code symbol."""

    FUNCTION = "function"
    METHOD = "method"
    CLASS = "class"
    STRUCT = "struct"
    ENUM = "enum"
    INTERFACE = "interface"
    MODULE = "module"
    IMPL = "impl"
    TYPE = "type"
    CONST = "const"
    VARIABLE = "variable"


class Piece(NamedTuple):
    """A part that a chunker cuts out of a record: a span and the facts known about it. It has no id yet.

    `name` is the qualified symbol (`Retry.run`) or the nearest heading; `trail` the enclosing headings or
    scopes, outermost first, `name`'s own last segment not included; `signature` the definition up to its
    body, on one line, or the names of a table's columns. `section` numbers the group inside the record whose
    pieces are read together (0-based, rising). `is_test` is true for tests in the file of the code that they test.
    """

    span: Span
    kind: PieceKind
    name: str = ""
    trail: tuple[str, ...] = ()
    signature: str = ""
    symbol: SymbolKind | None = None
    section: int = 0
    is_test: bool = False


class Cut(NamedTuple):
    """All pieces of one record, in order, not overlapping, covering every non-blank character."""

    pieces: tuple[Piece, ...]
    imports: tuple[str, ...] = ()  # import statements as written, one a line
    fallback: str = ""  # the reason why structure was not used: "" | "no grammar" | "syntax errors" | …


JOINED = frozenset({"paragraph", "cell", "line"})
"""Units of places that a piece or an excerpt may go across; its citation names the first."""


class Pages(NamedTuple):
    """First lines of the pages of a rendered document in its text, or of its slides, sheets, chapters or paragraphs, as
    `unit` says.

    `lines` are 1-based and rise. `names` are as a citation writes them, and empty where places are numbered
    from 1.
    """

    unit: str
    lines: tuple[int, ...]
    names: tuple[str, ...] = ()

    @classmethod
    def from_metadata(cls, stored: Mapping[str, Any]) -> Pages:
        return cls(stored["unit"], tuple(stored["lines"]), tuple(stored.get("names", ())))

    def at(self, line: int) -> str:
        """The fragment of a citation that begins on a line: `#page=3`, "" before the first."""
        return self._fragment(place) if (place := bisect_right(self.lines, line) - 1) >= 0 else ""

    def find(self, fragment: str) -> tuple[int, int | None] | None:
        """The lines of the place that a fragment names, as a citation or as a person writes it, both included, None for the
        last; None when the place does not exist.
        """
        fragments = [self._fragment(place) for place in range(len(self.lines))]
        for written in (fragments, [unquote(one) for one in fragments] if self.names else []):
            if fragment in written:
                place = written.index(fragment)
                return self.lines[place], self.lines[place + 1] - 1 if place + 1 < len(self.lines) else None
        return None

    def in_file(self, first: int, last: int) -> tuple[int, int]:
        """The lines that a citation shows behind its fragment: those of the text, for the file has none."""
        return first, last

    def in_text(self, first: int, last: int) -> tuple[int, int]:
        """The lines of the text that a citation shows."""
        return first, last

    def _fragment(self, place: int) -> str:
        return f"#{self.unit}={self.names[place] if self.names else place + 1}"


def places_from(stored: Mapping[str, Any]) -> Pages | FileLines:
    """The places of a text in its file, as metadata store them."""
    return FileLines.from_metadata(stored) if "steps" in stored else Pages.from_metadata(stored)


def cited_lines(pages: Pages | FileLines | None, first: int, last: int) -> tuple[int, int]:
    """The lines that a citation shows of lines of a text with these places."""
    return (first, last) if pages is None else pages.in_file(first, last)


def cited_name(uri: str, pages: Pages | FileLines | None, line: int) -> str:
    """The name that a citation shows: the uri, with the page on which a line of the text is."""
    return uri if pages is None else uri + pages.at(line)


def reference_of(uri: str, start_line: int, end_line: int, record_hash: str = "") -> str:
    """A reference for `daypack get`: `src/pay/retry.py:40-88`, with `@` and the begin of a hash where one is given."""
    return f"{uri}:{start_line}-{end_line}{with_hash(record_hash)}"


def with_hash(record_hash: str) -> str:
    """The end of a reference that tells texts of one name apart: `@3f9ac01b`; "" without a hash."""
    return f"@{record_hash[:8]}" if record_hash else ""


def checksum_of(record_hash: str) -> str:
    """Three decimal digits of a hexadecimal hash: one token, where its digits take several."""
    return f"{int(record_hash[:8], 16) % 1000:03}"


class Chunk(NamedTuple):
    """The retrieval unit as stored: a piece with an id that is never reused, and the text behind its span."""

    id: int
    record_id: int
    ordinal: int  # 0-based position in its record
    span: Span
    text: str
    kind: PieceKind
    name: str
    trail: tuple[str, ...]
    signature: str
    symbol: SymbolKind | None
    section: int
    tokens: int  # of `text`, by the o200k counter
    hash: str  # hex, of `text`
    # Of the record it belongs to:
    uri: str
    title: str
    record_kind: RecordKind
    language: str
    author: str
    session: str
    scope: str
    time: float | None
    trust: Trust
    door: str
    record_hash: str  # hex, of the record's whole text: carried by citations
    pages: Pages | FileLines | None = None  # of documents with pages, and of rendered files with lines
    shares_name: bool = False  # with another text that the viewer may see: its reference has the hash

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"<Chunk {self.id} {self.reference} {self.name}: {self.kind}, {self.tokens:,} tokens>"

    @property
    def reference(self) -> str:
        told_by = self.record_hash if self.shares_name else ""
        place = self.place
        return reference_of(self.cited(self.span), place.start_line, place.end_line, told_by)

    @property
    def place(self) -> Span:
        """The span with the lines that a citation shows."""
        return self.in_file(self.span)

    def in_file(self, span: Span) -> Span:
        """A span of the record with the lines that a citation shows."""
        return Span(span.start, span.end, *cited_lines(self.pages, span.start_line, span.end_line))

    def cited(self, span: Span) -> str:
        """The name of the record in a citation of a span: the uri, with the page on which the span begins."""
        return cited_name(self.uri, self.pages, span.start_line)
