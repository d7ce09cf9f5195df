"""Queries, the candidates found for them, and results."""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import NamedTuple

from daypack.types.records import EMPTY, Chunk
from daypack.types.shown import ShownItems, on_line


class QueryKind(enum.StrEnum):
    """The kind of a query, which decides the weight of the dense arm."""

    NATURAL = "natural"
    IDENTIFIER = "identifier"
    PATH = "path"
    QUOTED = "quoted"
    ERROR = "error"  # error text or a stack trace
    TEMPORAL = "temporal"

    @property
    def is_name(self) -> bool:
        """True of a query that is complete without a question."""
        return self in (QueryKind.IDENTIFIER, QueryKind.PATH, QueryKind.QUOTED)


class Task(enum.StrEnum):
    """A step of work on code, which tells how to read a text and which code it asks for."""

    TRACE = "trace"  # a stack trace or the output of a failing test: the code at fault
    IMPACT = "impact"  # a diff or names: what else must change
    TESTS = "tests"  # a diff or names: the tests to run
    USES = "uses"  # a name: calls in different files


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


class Intent(enum.StrEnum):
    """The kind of file that a question asks for where code and pages lie side by side."""

    MECHANISM = "mechanism"  # how a thing works or where it happens: the code says so
    USAGE = "usage"  # what its user must do: a page says so
    WAY = "way"  # how to do a thing, as its user or as its author: either says so
    ANY = "any"


class Overview(enum.StrEnum):
    """The side of a whole project that a question without a word for a part of it asks for."""

    INTRODUCTION = "introduction"  # what it is and does
    STRUCTURE = "structure"  # how it is built up
    START = "start"  # how to install and run it
    WORK = "work"  # how to build, test and change it
    ENTRY = "entry"  # where it starts to run
    ENVIRONMENT = "environment"  # which environment variables it reads
    REASON = "reason"  # why to use it
    LICENCE = "licence"
    DEPENDENCIES = "dependencies"  # what it uses of others
    CHECKS = "checks"  # what runs on every change
    PEOPLE = "people"  # who wrote and maintains it
    SECURITY = "security"  # how to report a hole
    VERSION = "version"  # which version it has
    RELEASE = "release"  # what its last release changed


ASKER_ROLES = frozenset({"user", "human"})
"""The roles, or authors, of messages by the person who asks."""


class Turn(NamedTuple):
    """One message of the conversation before a question."""

    text: str
    is_reply: bool = False  # said to the asker


class Requirement(NamedTuple):
    """A question for a version in use: of any of some programs, or, without one, of the project itself."""

    of: tuple[str, ...]
    lines: tuple[str, ...]  # regular expressions for the line that says it, the surest first


class EventKind(NamedTuple):
    """A kind of event that a question names, in index terms."""

    tags: tuple[str, ...]  # an event of the kind has one of these tags
    words: tuple[str, ...]  # of the question
    meant: tuple[str, ...] = ()  # tags or words of those that are meant among them


class Happenings(NamedTuple):
    """A question for all that happened, at some time or ever, with no subject of its own."""

    kinds: tuple[EventKind, ...] = ()
    words: tuple[str, ...] = ()  # index terms of its words for kinds of event, also those of other languages
    dates: tuple[str, ...] = ()  # index terms for its months, years and days of a month, as texts write them
    memories: bool = False  # it asks for memories, not for events
    last_session: bool = False  # it asks for the session before the one that asks
    open_work: bool = False  # it asks for tasks that are not done, of any time
    newest: bool = False  # it asks for the last event of a kind


class Days(NamedTuple):
    """The days that a question names, which names of texts may be about."""

    first: date
    last: date
    any_year: bool = False  # it names a day without a year
    alone: bool = False  # it names nothing else, or the kind of note alone

    @property
    def length(self) -> int:
        return (self.last - self.first).days + 1


class PageAsked(NamedTuple):
    """A place of a document that a question names."""

    unit: str  # as in `Pages`
    number: int
    text: str  # as it is written


class Query(NamedTuple):
    """A question, taken apart once.

    `terms` maps each index term to its weight (sum over its sections of section weight x (1 + ln tf)).
    `mentions` maps identifiers, as written, to their weight for the definition boost.
    """

    text: str
    kind: QueryKind
    terms: Mapping[str, float]
    dense_text: str  # the embedder's part: title and first paragraph
    title: str = ""
    beside: str = ""  # sentences beside the question
    anchors: tuple[Anchor, ...] = ()
    mentions: Mapping[str, float] = EMPTY
    # plain words that the question calls names of code, as "where is checkout defined?", or the words of one
    # name, as "where is get meta refresh?"; they count where code defines them
    called: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()  # of the title, which only code has
    maybe_products: tuple[str, ...] = ()  # those that prose may have too, as `PostgreSQL`
    asks_of_names_alone: bool = (
        False  # for the definition, uses or meaning of `identifiers`, and nothing else
    )
    # name whose uses are asked for → True when all are meant ("who calls f?"), False when one is (a pasted exception)
    uses: Mapping[str, bool] = EMPTY
    paths: tuple[str, ...] = ()
    frames: tuple[Frame, ...] = ()
    # quotations, and sentences that do not ask: a text may hold one as a whole, and code that prints one most of its words, in runs
    messages: tuple[str, ...] = ()
    maybe_messages: tuple[str, ...] = ()  # sentences that ask: code may print some of their words
    # options, variables, routes, codes and names with hyphens or dots, which are meant letter for letter
    keys: tuple[str, ...] = ()
    numbers: tuple[str, ...] = ()  # of the sections that it names: "4.2", "IV"
    pages: tuple[PageAsked, ...] = ()  # of documents: "page 4", "slide 3"
    # versions that it asks about, as written, or "latest", or "unreleased"
    releases: tuple[str, ...] = ()
    asks_for_version: bool = False  # the answer is the version of a change
    requirement: Requirement | None = None  # the answer is a version in use
    overview: Overview | None = None  # the answer introduces the whole project
    asks_for_tests: bool = False
    asks_where_tests_are: bool = False  # they are the answer, and not beside it
    asks_for_docs: bool = False
    changed: tuple[
        str, ...
    ] = ()  # names in a request for a change: of the model that it follows, or of what it changes
    asks_for_change: bool = False  # says what to add, change or remove
    about_asker: bool = False  # says "I", and does not ask what "you" said or did
    about_code: bool = False  # a report or a task about code, not a question
    is_report: bool = False  # about code, and tells what happens or what to change
    is_question: bool = False  # asks, in its form
    intent: Intent = Intent.ANY
    since: float | None = None  # Unix seconds, from a temporal cue; None when the query names no time
    until: float | None = None
    days: Days | None = None  # the same as days of the calendar; None for a time without a beginning
    happenings: Happenings | None = None  # None for a query with a subject
    event_kinds: tuple[EventKind, ...] = ()  # that a query with a subject asks for
    dates: tuple[str, ...] = ()  # index terms of the months and days that the query names
    # words that were read as a time, in lower case; texts need not hold them
    time_words: frozenset[str] = frozenset()
    language: str = ""  # the natural language, as in text/languages.py; "" for English and for an unknown one
    is_incomplete: bool = False  # its subject is in the turns before it
    unread: int = 0  # bytes after `text`, which is the part that is read

    @property
    def lines(self) -> tuple[Frame, ...]:
        """The lines of files that the query names without a stack trace."""
        return tuple(
            Frame(anchor.text, anchor.line)
            for anchor in self.anchors
            if anchor.kind is AnchorKind.PATH and anchor.line is not None
        )


class Contribution(NamedTuple):
    """One signal's part of a score: `raw` is the value of the signal, `share` is the part of the final score."""

    signal: str
    raw: float
    share: float


class Candidate(NamedTuple):
    """A chunk with its final score for one query. The shares of its contributions add up to `score`."""

    chunk: Chunk
    score: float
    probability: float  # calibrated: that the chunk is evidence for the query, in [0, 1]
    contributions: tuple[Contribution, ...]  # those of BM25 first
    duplicates: int = 0  # identical chunks that were dropped in its favour
    parts: Sequence[tuple[int, int]] = ()  # places in the text of its record that alone answer, if any

    def __repr__(self) -> str:
        return f"<Candidate {self.chunk.reference} {self.chunk.name}: score {self.score:.3f}>"


class Sort(enum.StrEnum):
    """The order of an answer."""

    RELEVANCE = "relevance"
    TIMELINE = "timeline"  # as it happened, across sessions and memories


class Ranking(enum.StrEnum):
    """The method of ranking."""

    DEFAULT = "default"
    CTX = "ctx"  # words and parts of words fused by rank, without vectors: see `daypack.rank.rrf`


class Content(enum.StrEnum):
    """A limit of results: chunks of programs and blocks of code in texts are code; some are both."""

    CODE = "code"
    PROSE = "prose"


class VectorMode(enum.StrEnum):
    """The vectors that rank a query.

    AUTO: those of the static table for every chunk and the encoder's for the best; the encoder's alone where every chunk
    has one. ALL: the encoder's, which are made first where they are missing. NONE: words alone.
    """

    ALL = "all"
    AUTO = "auto"
    NONE = "none"

    @classmethod
    def _missing_(cls, value: object) -> VectorMode | None:
        return cls.AUTO if value == "lazy" else None  # its name in earlier releases, and in their files


class SearchStats(NamedTuple):
    """Facts about how a search was answered. Durations are seconds."""

    chunks: int = 0  # in scope of the query
    candidates: int = 0  # in the pool that was ranked
    vectors: VectorMode = VectorMode.NONE
    embedder: str = ""
    vectors_pending: int = 0  # pool candidates that had no vector when they were ranked
    vectors_missing: int = 0  # chunks of the whole store without a vector
    embedded: int = 0  # vectors made for this query
    degraded: tuple[str, ...] = ()  # arms that could not answer, with the reason
    stale: int = 0  # files that changed since they were indexed and were not re-read
    busy: bool = False  # they were not re-read because another process had the store locked
    refreshed: int = 0  # files re-indexed before answering
    skipped: int = 0  # files that were passed over, where no file is in the store
    # query word → word of the store that was searched beside it
    corrections: Mapping[str, str] = EMPTY
    anchors_missing: tuple[str, ...] = ()  # named in the query, mentioned nowhere in the store
    time: str = ""  # the time that was read from a question for events
    weak: bool = False  # the best candidate has little chance of answering
    weak_because: str = ""  # a clause on what the question lacks; "" where words and vectors tell
    unknown: tuple[str, ...] = ()  # words of a weak query that no text in scope has
    slip: str = ""  # the likely slip of a filter that nothing passed, as a clause
    query_kind: QueryKind = QueryKind.NATURAL
    fitted: str = ""  # ranking weights that were fitted for this store; "" where the defaults ranked
    retrieve_seconds: float = 0.0
    embed_seconds: float = 0.0
    pack_seconds: float = 0.0


class EmptyReason(enum.StrEnum):
    """The reason why an answer holds nothing."""

    EMPTY_QUERY = "empty_query"
    EMPTY_STORE = "empty_store"
    FILTERED_OUT = "filtered_out"
    NOTHING_RELEVANT = "nothing_relevant"
    NOTHING_THEN = "nothing_then"  # no event and no memory is stored from the time that the question names
    ANCHOR_NOT_FOUND = "anchor_not_found"
    BUDGET_TOO_SMALL = "budget_too_small"
    NO_SUCH_PAGE = "no_such_page"  # earlier pages show everything
    ALL_SENT = "all_sent"  # earlier packs of the conversation show everything that is worth showing


class RankedFile(NamedTuple):
    """A file or another record as an answer. `reference` and `name` are those of its best chunk."""

    uri: str
    score: float  # of the file as a whole, on the scale of the candidates' scores
    reference: str
    name: str


@dataclass(frozen=True, slots=True, repr=False)
class SearchResult(ShownItems[Candidate], facts="candidates query files stats.chunks"):
    """The ranked candidates of a query, and the best files. A result is a sequence of candidates, and prints a line for each."""

    query: str
    candidates: tuple[Candidate, ...]
    stats: SearchStats
    empty_reason: EmptyReason | None = None
    files: tuple[RankedFile, ...] = ()  # best first, as many as candidates were asked for
    sort: Sort = Sort.RELEVANCE
    notes: tuple[str, ...] = ()  # sentences for the reader of an answer that is cut or empty

    def __str__(self) -> str:
        lines = [
            f"{one.score:.3f}  {on_line(one.chunk.reference)}  {on_line(one.chunk.name)}".rstrip()
            for one in self
        ]
        return "\n".join([*lines, *self.notes])

    @property
    def weak(self) -> bool:
        """True where the best candidate has little chance of answering."""
        return self.stats.weak and bool(self.candidates)

    @property
    def corrections_text(self) -> str:
        """The typos that were repaired, for people: "recieve → receive"."""
        return ", ".join(f"{wrong} → {right}" for wrong, right in self.stats.corrections.items())
