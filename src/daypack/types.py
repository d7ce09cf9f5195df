"""Every noun of the project: frozen, without IO, without third-party imports.

A thing that is stored never carries an opinion on itself: a `Chunk` has no score, a `Record` no rank.
Opinions live in `Contribution` and `Candidate`, and each ends where the query ends.
"""

from __future__ import annotations

import enum
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from operator import add
from types import MappingProxyType
from typing import Any, NamedTuple, overload

# a factory hands it out: Python 3.11 takes it for a mutable default
EMPTY: Mapping[str, Any] = MappingProxyType({})


# ---------------------------------------------------------------- what comes in


class RecordKind(enum.StrEnum):
    """What a record is; decides how it is cut, ranked and rendered."""

    DOCUMENT = "document"  # prose, tables, data files
    CODE = "code"  # source in a programming language
    MEMORY = "memory"  # a note somebody asked us to keep
    EVENT = "event"  # a turn or event of a session; neighbours give it its meaning


class Trust(enum.StrEnum):
    """Who vouches for a record's text."""

    USER = "user"
    AGENT = "agent"
    UNTRUSTED = "untrusted"  # web pages and tool output


OWNER = "user"
"""The owner whose memories are meant when nobody else is named."""

SHARED = "*"
"""The owner of memories that everybody of a project sees."""


@dataclass(frozen=True, slots=True)
class Record:
    """Whatever came in through a door, decoded to text, before it is cut.

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


class SkipReason(enum.StrEnum):
    """Why an item was not indexed."""

    IGNORED = "ignored"  # an ignore file says so; `detail` names file and pattern
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
    LOCKED_OR_DAMAGED = "locked_or_damaged"  # a document that no reader can open
    NEEDS_EXTRA = "needs_extra"  # a format that an extra reads; `detail` names it


class IngestReport(NamedTuple):
    """What one ingest did. Counts are records unless named otherwise."""

    added: int = 0
    updated: int = 0
    unchanged: int = 0
    removed: int = 0
    chunks: int = 0  # written by this ingest
    bytes: int = 0  # of text read
    redactions: int = 0  # secrets replaced before anything was stored
    issues: tuple[IngestIssue, ...] = ()
    vectors_pending: int = 0
    seconds: float = 0.0

    def __add__(self, other: IngestReport) -> IngestReport:  # type: ignore[override]  # a sum, not a longer tuple
        """Both ingests in one report: counts and seconds add up, issues follow each other."""
        return IngestReport(*map(add, self, other))


# ---------------------------------------------------------------- what is cut


class Span(NamedTuple):
    """Half-open characters [start, end) of a record's text, and 1-based inclusive lines."""

    start: int
    end: int
    start_line: int
    end_line: int


class PieceKind(enum.StrEnum):
    """What a piece is made of."""

    PARAGRAPH = "paragraph"
    HEADING = "heading"  # a heading that no text follows
    LIST = "list"
    TABLE = "table"
    FENCE = "fence"  # a code block inside prose
    FRONT_MATTER = "front_matter"
    SYMBOL = "symbol"  # function, method, class …
    BLOCK = "block"  # lines without structure
    ROW = "row"  # part of a data file
    TURN = "turn"  # one event or memory, whole


class SymbolKind(enum.StrEnum):
    """What a code symbol is."""

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
    """What a chunker cuts out of a record: a span and what is known about it. It has no id yet.

    `name` is the qualified symbol (`Retry.run`) or the nearest heading; `trail` the enclosing headings or
    scopes, outermost first, `name`'s own last segment not included; `signature` the definition up to its
    body, on one line. `section` numbers the group inside the record whose pieces are read together (0-based,
    rising).
    """

    span: Span
    kind: PieceKind
    name: str = ""
    trail: tuple[str, ...] = ()
    signature: str = ""
    symbol: SymbolKind | None = None
    section: int = 0


class Cut(NamedTuple):
    """All pieces of one record, in order, not overlapping, covering every non-blank character."""

    pieces: tuple[Piece, ...]
    imports: tuple[str, ...] = ()  # import statements as written, one a line
    fallback: str = ""  # why structure was not used: "" | "no grammar" | "syntax errors" | …


class Pages(NamedTuple):
    """Where the pages of a rendered document begin in its text, or its slides, sheets or paragraphs,
    whichever `unit` says.

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
        """The lines of the place that a fragment names, both included, None for the last; None when there is
        no such place.
        """
        for place, first in enumerate(self.lines):
            if self._fragment(place) == fragment:
                return first, self.lines[place + 1] - 1 if place + 1 < len(self.lines) else None
        return None

    def _fragment(self, place: int) -> str:
        return f"#{self.unit}={self.names[place] if self.names else place + 1}"


def reference_of(uri: str, start_line: int, end_line: int) -> str:
    """What `daypack get` takes: `src/pay/retry.py:40-88`."""
    return f"{uri}:{start_line}-{end_line}"


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
    record_hash: str  # hex, of the record's whole text: what a citation carries
    pages: Pages | None = None  # of documents that have any

    @property
    def reference(self) -> str:
        return reference_of(self.cited(self.span), self.span.start_line, self.span.end_line)

    def cited(self, span: Span) -> str:
        """What a citation calls the record for a span of it: the uri, with the page on which the span begins."""
        return self.uri if self.pages is None else self.uri + self.pages.at(span.start_line)


# ---------------------------------------------------------------- what is asked


class QueryKind(enum.StrEnum):
    """How a query reads; decides the weight of the dense arm."""

    NATURAL = "natural"
    IDENTIFIER = "identifier"
    PATH = "path"
    QUOTED = "quoted"
    ERROR = "error"  # error text or a stack trace
    TEMPORAL = "temporal"


class AnchorKind(enum.StrEnum):
    """A concrete thing a query names."""

    QUOTED = "quoted"
    PATH = "path"
    IDENTIFIER = "identifier"


class Anchor(NamedTuple):
    """A quoted string, path or identifier in the query; `line` when it came as `path:line`."""

    kind: AnchorKind
    text: str
    line: int | None = None


class Frame(NamedTuple):
    """One frame of a stack trace in the query; `depth` 0 is the deepest call, where the error was raised."""

    path: str
    line: int
    function: str = ""
    depth: int = 0


class Query(NamedTuple):
    """What was asked, taken apart once.

    `terms` maps each index term to its weight (sum over the sections it stands in of section weight x (1 + ln
    tf)). `mentions` maps identifiers, as written, to their weight for the definition boost.
    """

    text: str
    kind: QueryKind
    terms: Mapping[str, float]
    dense_text: str  # what the embedder sees: title and first paragraph
    title: str = ""
    anchors: tuple[Anchor, ...] = ()
    mentions: Mapping[str, float] = EMPTY
    paths: tuple[str, ...] = ()
    frames: tuple[Frame, ...] = ()
    asks_for_tests: bool = False
    asks_for_docs: bool = False
    about_code: bool = False  # reads as a report or a task about code, not as a question
    since: float | None = None  # Unix seconds, from a temporal cue; None when the query names no time
    until: float | None = None


# ---------------------------------------------------------------- what is found


class Contribution(NamedTuple):
    """What one signal added to a score: `share` is in the unit of the final score, `raw` in the signal's own."""

    signal: str
    raw: float
    share: float


class Candidate(NamedTuple):
    """A chunk with its final score for one query. The shares of its contributions add up to `score`."""

    chunk: Chunk
    score: float
    probability: float  # calibrated: that the chunk is evidence for the query, in [0, 1]
    contributions: tuple[Contribution, ...]  # those of words first
    duplicates: int = 0  # identical chunks that were dropped in its favour


class Sort(enum.StrEnum):
    """The order of an answer."""

    RELEVANCE = "relevance"
    TIMELINE = "timeline"  # as it happened, across sessions and memories


class Ranking(enum.StrEnum):
    """How results are ranked."""

    DEFAULT = "default"
    CTX = "ctx"  # words and parts of words fused by rank, without vectors: see `daypack.rank.rrf`


class Content(enum.StrEnum):
    """What a result holds. Code is a chunk of a program, or a block of code in a text; a chunk of both is
    either.
    """

    CODE = "code"
    PROSE = "prose"


class VectorMode(enum.StrEnum):
    """How much of the dense arm a query waits for."""

    ALL = "all"
    LAZY = "lazy"
    NONE = "none"


class SearchStats(NamedTuple):
    """What a search did and with what. Durations are seconds."""

    chunks: int = 0  # in scope of the query
    candidates: int = 0  # in the pool that was ranked
    vectors: VectorMode = VectorMode.NONE
    embedder: str = ""
    vectors_pending: int = 0  # pool candidates that had no vector when they were ranked
    vectors_missing: int = 0  # chunks of the whole store without a vector
    embedded: int = 0  # vectors made for this query
    degraded: tuple[str, ...] = ()  # arms that could not answer, with the reason
    stale: int = 0  # files that changed since they were indexed and were not re-read
    refreshed: int = 0  # files re-indexed before answering
    # query word → word of the store that was searched beside it
    corrections: Mapping[str, str] = EMPTY
    anchors_missing: tuple[str, ...] = ()  # named in the query, mentioned nowhere in the store
    query_kind: QueryKind = QueryKind.NATURAL
    fitted: str = ""  # ranking weights that were fitted for this store; "" where the defaults ranked
    retrieve_seconds: float = 0.0
    embed_seconds: float = 0.0
    rank_seconds: float = 0.0
    pack_seconds: float = 0.0


class EmptyReason(enum.StrEnum):
    """Why an answer holds nothing."""

    EMPTY_QUERY = "empty_query"
    EMPTY_STORE = "empty_store"
    FILTERED_OUT = "filtered_out"
    NOTHING_RELEVANT = "nothing_relevant"
    ANCHOR_NOT_FOUND = "anchor_not_found"
    BUDGET_TOO_SMALL = "budget_too_small"


class RankedFile(NamedTuple):
    """A file, or another record, as an answer to "where?".

    `reference` and `name` are those of its best chunk.
    """

    uri: str
    score: float  # of the file as a whole, on the scale of the candidates' scores
    reference: str
    name: str


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Ranked candidates of one query, and the files that they and those behind them stand in."""

    query: str
    candidates: tuple[Candidate, ...]
    stats: SearchStats
    empty_reason: EmptyReason | None = None
    files: tuple[RankedFile, ...] = ()  # best first, as many as candidates were asked for
    sort: Sort = Sort.RELEVANCE
    # what a reader must know of an answer that is cut or empty: one sentence each
    notes: tuple[str, ...] = ()

    @property
    def corrections_text(self) -> str:
        """The typos that were repaired, for people: "recieve → receiv"."""
        return ", ".join(f"{wrong} → {right}" for wrong, right in self.stats.corrections.items())


# ---------------------------------------------------------------- what is packed


class Tokenizer(enum.StrEnum):
    """The counters a budget can be held to."""

    O200K = "o200k"
    CL100K = "cl100k"
    APPROX = "approx"  # ceil(characters / 4)
    CHARS = "chars"
    BYTES = "bytes"


@dataclass(frozen=True, slots=True)
class Budget:
    """A limit and the counter that it is held to. A number without its tokenizer is no budget."""

    limit: int
    tokenizer: Tokenizer = Tokenizer.O200K


class Packing(enum.StrEnum):
    """How candidates are chosen for a budget."""

    AUTO = "auto"
    SKIP = "skip"
    PREFIX = "prefix"


class Variant(enum.StrEnum):
    """How much of a chunk an excerpt shows."""

    FULL = "full"
    EXTRACT = "extract"
    SIGNATURE = "signature"
    LINE = "line"
    BRIDGE = "bridge"  # a short run between two chosen chunks, added so that they read as one


class Citation(NamedTuple):
    """Where an excerpt stands; resolves to exact text, or says that it changed.

    `label` is the number in the pack, `reference` what `daypack get` takes (`src/pay/retry.py:40-88`).
    """

    label: int
    uri: str
    span: Span
    record_hash: str
    chunk_ids: tuple[int, ...] = ()

    @property
    def reference(self) -> str:
        return reference_of(self.uri, self.span.start_line, self.span.end_line)


class Found(NamedTuple):
    """The text behind a reference.

    `state` is "current", or "changed" when the citation's hash is of an older text.
    """

    reference: str
    uri: str
    span: Span
    text: str
    record_hash: str
    state: str = "current"


class Excerpt(NamedTuple):
    """Text as packed: exactly the characters of its citation's span."""

    citation: Citation
    text: str
    score: float
    variant: Variant = Variant.FULL
    name: str = ""
    trail: tuple[str, ...] = ()
    kind: RecordKind = RecordKind.DOCUMENT
    language: str = ""
    title: str = ""
    author: str = ""
    time: float | None = None
    trust: Trust = Trust.USER
    door: str = "files"
    session: str = ""
    whole: bool = False  # nothing of its record is missing but blank edges
    tokens: int = 0  # of `text` alone
    duplicates: int = 0


class OmissionReason(enum.StrEnum):
    """Why a candidate is not in the pack."""

    BUDGET = "budget"
    DUPLICATE = "duplicate"
    LOW_SCORE = "low_score"


class Omission(NamedTuple):
    """A candidate that was left out, where it stands and why."""

    reference: str
    reason: OmissionReason
    score: float
    tokens: int = 0
    name: str = ""


@dataclass(frozen=True, slots=True)
class Omissions(Sequence[Omission]):
    """Candidates that are not in a pack, by reason, best first. Each is made into an `Omission` when it is
    looked at: most packs only say how many there are.
    """

    budget: tuple[Candidate, ...] = ()
    duplicate: tuple[Candidate, ...] = ()
    low_score: tuple[Candidate, ...] = ()

    def by_reason(self) -> dict[OmissionReason, tuple[Candidate, ...]]:
        return {
            OmissionReason.BUDGET: self.budget,
            OmissionReason.DUPLICATE: self.duplicate,
            OmissionReason.LOW_SCORE: self.low_score,
        }

    def __len__(self) -> int:
        return len(self.budget) + len(self.duplicate) + len(self.low_score)

    def __iter__(self) -> Iterator[Omission]:
        for reason, candidates in self.by_reason().items():
            for candidate in candidates:
                chunk = candidate.chunk
                yield Omission(chunk.reference, reason, candidate.score, chunk.tokens, chunk.name)

    @overload
    def __getitem__(self, index: int) -> Omission: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Omission, ...]: ...

    def __getitem__(self, index: int | slice) -> Omission | tuple[Omission, ...]:
        return tuple(self)[index]


@dataclass(frozen=True, slots=True)
class Pack:
    """Excerpts for one question inside one budget.

    `tokens_used` counts the final rendered string, frame and citations included, by `budget.tokenizer`, and
    is never above `budget.limit`. `truncated` means that the budget, and nothing else, kept something out.
    `optimality` is value over the upper bound of any packing of the same candidates, in [0, 1].
    """

    query: str
    budget: Budget
    excerpts: tuple[Excerpt, ...]
    omitted: Omissions = Omissions()
    tokens_used: int = 0
    packing: Packing = Packing.AUTO
    optimality: float = 1.0
    stats: SearchStats = field(default_factory=SearchStats)
    empty_reason: EmptyReason | None = None
    candidates: tuple[Candidate, ...] = ()  # what was ranked, for the explain shape
    text: str = ""  # the final rendered string in `shape`
    shape: str = "markdown"
    page: int = 1  # the second holds the best of what the first had no room for
    # (pack, shape) → text
    renderer: Callable[[Pack, str], str] | None = field(default=None, compare=False, repr=False)

    @property
    def truncated(self) -> bool:
        partial = (Variant.EXTRACT, Variant.SIGNATURE, Variant.LINE)
        return bool(self.omitted.budget) or any(excerpt.variant in partial for excerpt in self.excerpts)

    @property
    def next_page(self) -> int | None:
        """The page that holds what the budget kept out of this one; None when nothing was."""
        return self.page + 1 if self.excerpts and self.omitted.budget else None

    def to_markdown(self) -> str:
        """The pack in its default shape; the text itself when that is its shape."""
        return self.to("markdown")

    def to_xml(self) -> str:
        return self.to("xml")

    def to_json(self) -> str:
        return self.to("json")

    def to(self, shape: str) -> str:
        """The pack in another shape. The budget was counted on `self.shape`; another one may count more."""
        if shape == self.shape:
            return self.text
        if self.renderer is None:
            raise ValueError(
                f"this pack was made without a renderer; it is text in the shape {self.shape} only"
            )
        return self.renderer(self, shape)

    @property
    def citations(self) -> tuple[Citation, ...]:
        return tuple(excerpt.citation for excerpt in self.excerpts)
