"""Signals of single candidates: the relation of path, name and author to a query.

Constants and evidence: docs/decisions/006-constants.md. Test files win plain BM25 because they repeat an
issue's words, so they are held back unless the query asks for tests; they are never left out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from daypack.rank.blend import Features
from daypack.rank.named import Named
from daypack.rank.places import is_free_page
from daypack.rank.texts.constants import assigning
from daypack.rank.texts.exact import exact_matches
from daypack.rank.texts.names import name_share, says_key, stem_share
from daypack.rank.texts.pool import Texts
from daypack.rank.texts.statements import call_shares
from daypack.rank.views import ChunkFlag, LexicalView
from daypack.text import analysis
from daypack.text.paths import names_path
from daypack.text.qualified_names import dotted
from daypack.types import ASKER_ROLES, Frame, Query, QueryKind, RecordKind
from daypack.types.arrays import Bools, Floats, Ints

# Against the signal of a named author: speakers talk about each other, but facts about an assistant's user come from the
# user; 2 to 4 is flat.
ASKER_WEIGHT = 2.5
LINE = 1.6  # the boost of a line that the query names, equal to the largest boost of a quotation
FRAME, FRAME_ALONE = 0.6, 1.2  # the boost of the deepest stack frame beside a question, and without one
FRAME_DECAY = 0.8  # the factor for each frame further out

MOST_SYMBOL = 1.5  # the largest boost of a definition
ASSIGNED = 1.5  # the boost of a constant's only value, whose name no field of the index holds
MOST_DEFINITIONS = 30  # chunks that define one name
_IN_NAME = np.uint32(0xFF00)  # of the frequencies in four fields as one number

_COMPONENT = r"(?:[a-z]+\(([\w./-]{2,40})\)!?|([A-Za-z][\w./-]{1,40})):\s"
_BETWEEN_WORDS = r"[\W_]+"


def symbol_boost(name: str, mentions: Mapping[str, float], definitions: Mapping[str, int]) -> float:
    """The definition boost of a chunk called `name`: min(1, w / 3) / sqrt(number of definitions), and min(1, w) more for
    a qualified name, together at most 1.5. w is the weight of the mention; it is low (.1) for a name in pasted code alone,
    because the calls of an example (`app.use(…)`) are seldom at fault.

    `definitions` counts the chunks that define each mentioned name; a name with more than MOST_DEFINITIONS does not count.
    """
    last = name.rpartition(".")[2]
    boost = 0.0
    for mention, weight in mentions.items():
        bare = dotted(mention)
        count = definitions.get(mention, 0)
        if not 0 < count <= MOST_DEFINITIONS:
            continue
        if "." in bare and (name == bare or name.endswith("." + bare)):
            boost += min(1.0, weight) + min(1.0, weight / 3) / count**0.5
        elif bare.rpartition(".")[2] == last:
            boost += min(1.0, weight / 3) / count**0.5
    return min(boost, MOST_SYMBOL)


def component_of(title: str) -> str:
    """The component that the title of a change begins with, as "shards: …", "cmd/tool: …" or "fix(cli): …"; "" without."""
    match = re.match(_COMPONENT, title) if not title.endswith("?") else None
    return (match[1] or match[2]) if match else ""


def component_share(uri: str, component: str) -> float:
    """The degree to which a file belongs to a component: 1 when folders of its path or the file have that name, 1/2 when
    the component is a word of such a name.
    """
    folder, _, file = uri.rpartition("/")
    names = [_name_words(name) for name in (*folder.split("/"), file.partition(".")[0] or file)]
    wanted = [_name_words(name) for name in component.split("/")]
    if any(names[i : i + len(wanted)] == wanted for i in range(len(names))):
        return 1.0
    return 0.5 if len(wanted) == 1 and any(set(wanted[0]) <= set(name) for name in names) else 0.0


def _name_words(name: str) -> list[str]:
    return [word for word in re.split(_BETWEEN_WORDS, name) if word]


class SymbolPlace(NamedTuple):
    """The file and lines of a chunk, and the name of its symbol or ""."""

    uri: str
    name: str
    start_line: int
    end_line: int


def trace_boosts(places: Sequence[SymbolPlace], frames: Sequence[Frame], most: float = FRAME) -> list[float]:
    """For each chunk `most` x .8^depth of the deepest stack frame inside it.

    A frame is found by its function, because the stored file may be another version than the one of the trace; by its line
    when the file has no such function, or several.
    """
    boosts = [0.0] * len(places)
    by_uri: dict[str, list[int]] = {}
    for i, place in enumerate(places):
        by_uri.setdefault(place.uri, []).append(i)
    for frame in frames:
        function = frame.function.rpartition(".")[2]
        for uri, members in by_uri.items():
            if not names_path(uri, frame.path):
                continue
            named = [i for i in members if function and places[i].name.rpartition(".")[2] == function]
            at_line = [
                i for i in named or members if places[i].start_line <= frame.line <= places[i].end_line
            ]
            for i in at_line or named:
                boosts[i] = max(boosts[i], most * FRAME_DECAY**frame.depth)
    return boosts


def line_boosts(places: Sequence[SymbolPlace], lines: Sequence[Frame], *, report: bool) -> list[float]:
    """`LINE` / √(such chunks) for each chunk with a line that the query names, because many files may have that name. In a
    report, whose lines may be of another version, it is the boost of the deepest stack frame.
    """
    boosts = trace_boosts(places, lines)
    count = sum(boost > 0 for boost in boosts)
    return boosts if report or not count else [LINE / count**0.5 if boost else 0.0 for boost in boosts]


def author_cue(author: str, words: frozenset[str], asker_weight: float) -> float:
    """The likelihood that a query, as lower-case words, is about an author: 1 when it has a part of the name, and
    `asker_weight` for the user of an assistant.
    """
    parts = author.lower().split()
    return max(
        float(any(part in words for part in parts if len(part) > 1)),
        0.0 if ASKER_ROLES.isdisjoint(parts) else asker_weight,
    )


# ---------------------------------------------------------------- the signals of a pool

# added to the score of a file; a path written in full adds .3
COMPONENT = 0.3  # of the component that the title begins with
MOST_DAYS = 31  # beside a subject; of "this year" nearly all texts are
STEM = 0.15  # whose name is in the title of the query
KEY = 0.5  # of a memory whose key the query says; .4 to .6 is flat
_CODE, _MEMORY = RecordKind.CODE.value, RecordKind.MEMORY.value
_OUTSIDE_CONTEXT = np.uint32(0x00FFFFFF)  # frequencies in body, name and path, a byte each
_DATED = frozenset({RecordKind.EVENT.value, _MEMORY})


class RecordFacts(NamedTuple):
    """Columns of a record."""

    uri: str
    kind: str
    author: str
    time: float | None
    title: str


class Arms(NamedTuple):
    """The scores of chunks by words and by vectors: see `Features`."""

    unit: Floats
    context: Floats
    file: Floats
    dense: Floats
    dense_context: Floats


class Symbols(NamedTuple):
    """Functions that read names of chunks from the store, by chunk id."""

    names_of: Callable[[Ints], Mapping[int, str]]  # of symbols alone
    # (id, name, first and last line)
    lines_of: Callable[[Sequence[int]], Iterable[tuple[int, str, int, int]]]


class PoolChunks(NamedTuple):
    """The chunks of a pool, at rising positions in the view, and the facts that are stored about them."""

    view: LexicalView
    positions: Ints
    records: Mapping[int, RecordFacts]  # by id
    symbols: Symbols

    @property
    def record_ids(self) -> Ints:
        return self.view.record_ids[self.positions]

    def uri(self, row: int) -> str:
        return self.records[int(self.view.record_ids[self.positions[row]])].uri


def chunk_features(
    query: Query, named: Named, chunks: PoolChunks, texts: Texts, arms: Arms, prior: Floats
) -> Features:
    """The features of the chunks of a pool, whose texts are `texts`; `link` and `wording` are set later."""
    view, positions = chunks.view, chunks.positions
    flags = view.flags[positions]
    n = len(positions)
    event = (flags & ChunkFlag.EVENT) > 0
    # It grows with the share of turns in the pool: among documents, "how do I" is not about the asker.
    asker_weight = ASKER_WEIGHT * float(event.mean()) if n and query.about_asker else 0.0
    author, path, time = _of_records(query, named, chunks, asker_weight)
    symbol, trace = _symbols_and_frames(query, named, chunks)
    symbol = np.maximum(symbol, _constants(query, named, texts))
    before, after = view.neighbours(positions)
    section_size = np.ones(n, dtype=np.int64)
    section_size[~texts.code] = view.section_sizes(positions[~texts.code])
    return Features(
        **arms._asdict(),
        code=texts.code,
        event=event,
        alone=(before == positions) & (after == positions),
        section=view.sections[positions],
        section_size=section_size,
        record=chunks.record_ids,
        symbol=symbol,
        name=_name_shares(query, chunks.symbols, texts),
        trace=trace,
        path=path,
        exact=exact_matches(query, named, texts, positions, view.sections[positions]),
        author=author,
        link=np.zeros(n, dtype=np.float32),
        page=is_free_page(flags, prior, query, side_by_side=view.side_by_side),
        prior=prior,
        calls=_calls(query, texts),
        time=np.where(_says_date(query, texts), np.float32(1), time),
        wording=np.full(n, np.nan, dtype=np.float32),
    )


def _calls(query: Query, texts: Texts) -> Floats:
    """The column calls, for a question; 0 for a name, a report or a task."""
    calls = np.zeros(len(texts.chunk_ids), dtype=np.float32)
    if not (query.kind.is_name or query.about_code):
        code = np.flatnonzero(texts.code)
        calls[code] = call_shares(texts.at(code))
    return calls


def _says_date(query: Query, texts: Texts) -> Bools:
    """True for chunks that hold a month or day of the query, whenever they were written. Their own date, in the context
    field, counts for "in March" but not for "before March".
    """
    says = np.zeros(texts.tf.shape[1], dtype=bool)
    for term, row in zip(texts.terms, texts.tf, strict=True):
        if term.term in query.dates:
            says |= (row & _OUTSIDE_CONTEXT if query.since is None else row) > 0
    return says


def _in_component(title: str, records: Mapping[int, RecordFacts]) -> dict[int, float]:
    """Record id → the degree to which it belongs to the component that a title begins with, for records of code."""
    component = component_of(title)
    code = [(id_, record.uri) for id_, record in records.items() if component and record.kind == _CODE]
    return {record_id: share for record_id, uri in code if (share := component_share(uri, component))}


def _of_records(
    query: Query, named: Named, chunks: PoolChunks, asker_weight: float
) -> tuple[Floats, Floats, Floats]:
    """The columns author, path and time, which every chunk takes from its record."""
    words = frozenset(analysis.words(query.text.lower()))
    title = frozenset(analysis.terms(query.title)) - analysis.STOP_TERMS
    terms = query.terms.keys() - analysis.STOP_TERMS
    dated = query.since is not None or query.until is not None
    component = _in_component(query.title, chunks.records)
    ids = chunks.record_ids.tolist()
    per_record: dict[int, tuple[float, float, float]] = {}
    for record_id in dict.fromkeys(ids):
        uri, kind, author, time, name = chunks.records[record_id]
        path = named.records.get(record_id, 0.0) + COMPONENT * component.get(record_id, 0.0)
        if kind == _CODE and title:
            path += STEM * stem_share(uri, title)
        if kind == _MEMORY and says_key(name, terms):
            path += KEY
        per_record[record_id] = (
            author_cue(author, words, asker_weight) if author else 0.0,
            path,
            _time_weight(query, kind, time) if dated and kind in _DATED else 1.0,
        )
    columns = np.asarray([per_record[record_id] for record_id in ids], dtype=np.float32).reshape(len(ids), 3)
    return columns[:, 0], columns[:, 1], columns[:, 2]


def _symbols_and_frames(query: Query, named: Named, chunks: PoolChunks) -> tuple[Floats, Floats]:
    """The columns symbol and trace."""
    n = len(chunks.positions)
    symbol, trace = np.zeros(n, dtype=np.float32), np.zeros(n, dtype=np.float32)
    pointed = named.frames or query.lines
    if not (named.definitions or pointed):
        return symbol, trace
    # A frame may be in any chunk; a definition only in a chunk known as one.
    defining = {position for defined_at in named.definitions.values() for position in defined_at}
    positions = chunks.positions.tolist()
    row_of = {
        chunk_id: row
        for row, chunk_id in enumerate(chunks.view.chunk_ids[chunks.positions].tolist())
        if pointed or positions[row] in defining
    }
    counts = {mention: len(defined_at) for mention, defined_at in named.definitions.items()}
    rows, places = [], []
    for chunk_id, name, start_line, end_line in chunks.symbols.lines_of([*row_of]):
        row = row_of[chunk_id]
        symbol[row] = symbol_boost(name, named.mentions, counts)
        rows.append(row)
        places.append(SymbolPlace(chunks.uri(row), name, start_line, end_line))
    if pointed:
        most = FRAME_ALONE if query.kind is QueryKind.ERROR else FRAME
        trace[rows] = np.maximum(
            trace_boosts(places, named.frames, most), line_boosts(places, query.lines, report=query.is_report)
        )
    return symbol, trace


def _constants(query: Query, named: Named, texts: Texts) -> Floats:
    """The column symbol for chunks that give a name its value, where no chunk is known as its definition."""
    boosts = np.zeros(len(texts.chunk_ids), dtype=np.float32)
    names = [name for name, weight in query.mentions.items() if weight >= 1 and name not in named.definitions]
    for name, rows in assigning(names, texts).items():
        boosts[rows] += ASSIGNED * min(1.0, query.mentions[name] / 3) / len(rows) ** 0.5
    return np.minimum(boosts, MOST_SYMBOL)


def _name_shares(query: Query, symbols: Symbols, texts: Texts) -> Floats:
    """The column name: the share of a symbol's name that the query says."""
    shares = np.zeros(len(texts.chunk_ids), dtype=np.float32)
    rows = np.flatnonzero((texts.tf & _IN_NAME).any(axis=0) & texts.code)
    if len(rows):
        ids = texts.chunk_ids[rows]
        names = symbols.names_of(ids)
        terms = frozenset(term.term for term in texts.terms)
        is_long = query.asks_for_change or query.is_report  # with function words of its own
        said = terms.union(() if is_long else analysis.STOP_TERMS.intersection(analysis.terms(query.title)))
        shares[rows] = [name_share(names.get(chunk_id, ""), terms, said) for chunk_id in ids.tolist()]
    return shares


def _time_weight(query: Query, kind: str, time: float | None) -> float:
    """The factor that holds back an event outside the time that a query names, and a memory that holds only from then on."""
    lasts = time is None or kind == _MEMORY or query.since is None or time >= query.since
    is_ahead = time is not None and query.until is not None and time >= query.until
    return 1.0 if lasts and not is_ahead else 0.6
