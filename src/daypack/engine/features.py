"""Features of the candidates of one query: what it names, and what each signal says of each candidate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack.engine.snapshots import Snapshot
from daypack.index import facts
from daypack.rank.blend import Features
from daypack.rank.bm25 import LexicalScores
from daypack.rank.dense import similarities_in_context
from daypack.rank.signals import (
    SymbolPlace,
    asker_cue,
    author_cue,
    component_of,
    component_share,
    name_share,
    stem_share,
    symbol_boost,
    trace_boosts,
)
from daypack.rank.views import ChunkFlag, LexicalView, PostingsOf
from daypack.text import analysis
from daypack.text.paths import names_path
from daypack.types import Anchor, AnchorKind, Frame, Query, RecordKind

if TYPE_CHECKING:
    import apsw
    from numpy.typing import NDArray

# of a file of the component that the title begins with, to its file score: as much as a path that is spelt
# out
COMPONENT = 0.3
# of a file whose name stands in the title of the query, to its file score; a path that is spelt out gives .3
STEM = 0.15
_CODE = RecordKind.CODE.value
_DATED = frozenset({RecordKind.EVENT.value, RecordKind.MEMORY.value})


# ---------------------------------------------------------------- what the query names


class Named(NamedTuple):
    """The things that a query names, as the store knows them."""

    definitions: dict[str, list[int]]  # identifier → positions of the chunks that define it
    records: dict[int, float]  # record id → boost of its file, for a path or stack frame
    frames: tuple[Frame, ...]  # lines that it points at, in files that are here
    missing: tuple[str, ...]  # anchors that nothing mentions where it looks
    component_name: str

    def component(self, records: Mapping[int, facts.RecordFacts]) -> dict[int, float]:
        """Record id → how far it belongs to the component, of records of code; empty where none does."""
        if not self.component_name:
            return {}
        shares = (
            (record_id, component_share(record.uri, self.component_name))
            for record_id, record in records.items()
            if record.kind == _CODE
        )
        return {record_id: share for record_id, share in shares if share}


def name_things(
    db: apsw.Connection, view: LexicalView, query: Query, mask: NDArray[np.bool_], postings_of: PostingsOf
) -> Named:
    records, frames = _named_records(db, view, query)
    if records:
        inside = mask & np.isin(view.record_ids, [*records])
        here = set(view.record_ids[inside].tolist())
        records = {record_id: boost for record_id, boost in records.items() if record_id in here}
    missing = [
        anchor.text
        for anchor in query.anchors
        if not (
            bool(records) and anchor.text in query.paths
            if anchor.kind is AnchorKind.PATH
            else _is_mentioned(db, view, anchor, mask, postings_of)
        )
    ]
    definitions = _definitions(db, view, query, postings_of)
    return Named(definitions, records, frames, tuple(missing), component_of(query.title))


def _definitions(
    db: apsw.Connection, view: LexicalView, query: Query, postings_of: PostingsOf
) -> dict[str, list[int]]:
    """Identifier of the query → positions of the chunks that define it."""
    found: dict[str, list[int]] = {}
    for mention in query.mentions:
        last = mention.replace("::", ".").replace("->", ".").rstrip("()").rpartition(".")[2]
        terms = analysis.expand(last) if last else ()
        if not terms:
            continue
        postings = postings_of(terms[0])
        where = postings.positions[postings.tf[:, 1] > 0]
        if not 0 < len(where) <= 400:
            continue
        names = facts.symbol_names(db, view.chunk_ids[where])
        hits = [int(p) for p in where if names.get(int(view.chunk_ids[p]), "").rpartition(".")[2] == last]
        if 0 < len(hits) <= 30:
            found[mention] = hits
    return found


def _named_records(
    db: apsw.Connection, view: LexicalView, query: Query
) -> tuple[dict[int, float], tuple[Frame, ...]]:
    """Record id → boost of its file, for records that the query names by path or stack frame, and the lines
    that it points at.

    Those are its stack frames in files that are here, whose depths count from the deepest of them, for what a
    library did in between is not the project's; and paths with a line, which are meant as much as the deepest
    frame.
    """
    named: dict[int, float] = {}
    found = {
        path: _records_at(db, view, path) for path in {*query.paths, *(frame.path for frame in query.frames)}
    }
    depths = sorted({frame.depth for frame in query.frames if found[frame.path]})
    frames = [frame._replace(depth=depths.index(frame.depth)) for frame in query.frames if found[frame.path]]
    for path, boost in (
        *((path, 0.3) for path in query.paths),
        *((frame.path, 0.3 * 0.8**frame.depth) for frame in frames),
    ):
        for record_id, share in found[path].items():
            named[record_id] = max(named.get(record_id, 0.0), boost * share)
    lines = (
        Frame(anchor.text, anchor.line)
        for anchor in query.anchors
        if anchor.kind is AnchorKind.PATH and anchor.line is not None
    )
    return named, (*frames, *lines)


def _records_at(db: apsw.Connection, view: LexicalView, path: str) -> dict[int, float]:
    """Record id → 1 for records of the view that a path names, a half for those of a folder that it names."""
    base = path.replace("\\", "/").rpartition("/")[2]
    named = facts.records_named(db, path, base)
    found = {record_id: 1.0 for record_id, uri in named if names_path(uri, path)}
    # A memory's key looks like a path and is meant as a whole; other people's memories have the same keys.
    found |= dict.fromkeys(facts.memories_named(db, path), 1.0)
    folder = path.strip("/")
    if "/" in folder:
        for record_id, uri in facts.records_under(db, folder):
            if "/" not in uri[len(folder) + 1 :]:
                found.setdefault(record_id, 0.5)
    seen = set(view.record_ids[np.isin(view.record_ids, [*found])].tolist()) if found else found
    return {record_id: share for record_id, share in found.items() if record_id in seen}


def _is_mentioned(
    db: apsw.Connection, view: LexicalView, anchor: Anchor, mask: NDArray[np.bool_], postings_of: PostingsOf
) -> bool:
    """Whether anything inside the mask holds an identifier, or the words of a quotation as they stand in it."""
    terms = analysis.terms(anchor.text)
    if anchor.kind is AnchorKind.IDENTIFIER:
        terms = terms[:1]
    where = [positions[mask[positions]] for positions in (postings_of(term).positions for term in terms)]
    if not all(map(len, where)):
        return False
    if not where or anchor.kind is not AnchorKind.QUOTED:
        return True
    # Its words are there; the words together may not be.
    of_rarest_word = set(view.record_ids[min(where, key=len)].tolist())
    return facts.any_holds(db, of_rarest_word, anchor.text)


# ---------------------------------------------------------------- what the signals say


def chunk_features(
    db: apsw.Connection,
    snapshot: Snapshot,
    query: Query,
    lexical: LexicalScores,
    positions: NDArray[np.int64],
    prior: NDArray[np.float32],
    query_vector: NDArray[np.float32] | None,
    named: Named,
    records: Mapping[int, facts.RecordFacts],
    component: Mapping[int, float],
) -> Features:
    """The features of the chunks at `positions`, which rise; `exact` and `link` are 0 until they are known."""
    view, n = snapshot.view, len(positions)
    nothing = np.zeros(n, dtype=np.float32)
    code = view.code[positions]
    event = (view.flags[positions] & ChunkFlag.EVENT) > 0
    asker = asker_cue(query.text, float(event.mean()) if n else 0.0)
    author, path, time = _of_records(view.record_ids[positions], records, query, named, component, asker)
    symbol, trace = _symbols_and_frames(db, view, query, positions, named, records)
    dense = np.full(n, np.nan, dtype=np.float32)
    dense_context = dense
    if snapshot.vectors is not None and query_vector is not None:
        dense, dense_context = similarities_in_context(snapshot.vectors, view, positions, query_vector)
    return Features(
        unit=lexical.unit[positions],
        context=snapshot.bm25.context(lexical, positions),
        file=snapshot.bm25.file(lexical, positions) if code.any() else nothing,
        dense=dense,
        dense_context=dense_context,
        code=code,
        event=event,
        alone=(view.previous[positions] == positions) & (view.following[positions] == positions),
        section=view.sections[positions],
        section_size=view.section_sizes[positions],
        record=view.record_ids[positions],
        symbol=symbol,
        name=_name_shares(db, view, lexical, positions, code),
        trace=trace,
        path=path,
        exact=nothing,
        author=author,
        link=nothing,
        prior=prior,
        time=time,
    )


def _of_records(
    record_ids: NDArray[np.int64],
    records: Mapping[int, facts.RecordFacts],
    query: Query,
    named: Named,
    component: Mapping[int, float],
    asker: float,
) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
    """The columns author, path and time, which every chunk has of its record."""
    words = frozenset(analysis.words(query.text.lower()))
    title = frozenset(analysis.terms(query.title)) - analysis.STOP_TERMS
    per_record = {
        record_id: (
            author_cue(author, words, asker) if author else 0.0,
            named.records.get(record_id, 0.0)
            + COMPONENT * component.get(record_id, 0.0)
            + (STEM * stem_share(uri, title) if kind == _CODE else 0.0),
            _time_weight(query, time) if kind in _DATED else 1.0,
        )
        for record_id, (uri, kind, author, time, _) in records.items()
    }
    rows = [per_record[record_id] for record_id in record_ids.tolist()]
    columns = np.asarray(rows, dtype=np.float32).reshape(len(rows), 3)
    return columns[:, 0], columns[:, 1], columns[:, 2]


def _symbols_and_frames(
    db: apsw.Connection,
    view: LexicalView,
    query: Query,
    positions: NDArray[np.int64],
    named: Named,
    records: Mapping[int, facts.RecordFacts],
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The columns symbol and trace."""
    n = len(positions)
    symbol, trace = np.zeros(n, dtype=np.float32), np.zeros(n, dtype=np.float32)
    if not (named.definitions or named.frames):
        return symbol, trace
    # A frame may stand in any chunk; a definition only in one that was found to be one.
    defining = {position for found in named.definitions.values() for position in found}
    rows = (
        (chunk_id, row)
        for row, (chunk_id, position) in enumerate(
            zip(view.chunk_ids[positions].tolist(), positions.tolist(), strict=True)
        )
        if named.frames or position in defining
    )
    row_of = dict(rows)
    record_ids = view.record_ids[positions]
    sizes = {mention: len(found) for mention, found in named.definitions.items()}
    at, places = [], []
    for chunk_id, name, start_line, end_line in facts.symbol_lines(db, row_of):
        row = row_of[chunk_id]
        symbol[row] = symbol_boost(name, query.mentions, sizes)
        at.append(row)
        places.append(SymbolPlace(records[int(record_ids[row])].uri, name, start_line, end_line))
    if named.frames:
        trace[at] = trace_boosts(places, named.frames)
    return symbol, trace


def _name_shares(
    db: apsw.Connection,
    view: LexicalView,
    lexical: LexicalScores,
    positions: NDArray[np.int64],
    code: NDArray[np.bool_],
) -> NDArray[np.float32]:
    """The column name: how much of the name of a symbol the query says."""
    shares = np.zeros(len(positions), dtype=np.float32)
    if not code.any():
        return shares
    found = np.zeros(len(positions), dtype=bool)
    for term in lexical.terms:
        where = term.postings.positions[term.postings.tf[:, 1] > 0]
        found |= np.isin(positions, where)
    rows = np.flatnonzero(found & code)
    if len(rows):
        chunk_ids = view.chunk_ids[positions[rows]]
        names = facts.symbol_names(db, chunk_ids)
        terms = frozenset(term.term for term in lexical.terms)
        shares[rows] = [name_share(names.get(chunk_id, ""), terms) for chunk_id in chunk_ids.tolist()]
    return shares


def exact_shares(
    texts: Mapping[int, str], chunk_ids: NDArray[np.int64], code: NDArray[np.bool_], quoted: Sequence[str]
) -> NDArray[np.float32]:
    """The column exact: where a chunk's text, by its id, holds a quoted string, letter for letter but for
    case.

    1 in prose. In code 1 / sqrt(chunks of code that hold it), as a definition counts: a message stands where
    it is raised, "error" everywhere.
    """
    folded = [texts.get(chunk_id, "").casefold() for chunk_id in chunk_ids.tolist()]
    exact = np.zeros(len(folded), dtype=np.float32)
    for wanted in {text.casefold() for text in quoted}:
        held = np.asarray([wanted in text for text in folded], dtype=bool)
        share = np.where(code, 1 / max(1, int((held & code).sum())) ** 0.5, 1.0)
        exact = np.maximum(exact, held * share).astype(np.float32)
    return exact


def _time_weight(query: Query, time: float | None) -> float:
    """Soft: an event outside the time that a query names is held back, not left out."""
    if time is None or (query.since is None and query.until is None):
        return 1.0
    inside = (query.since is None or time >= query.since) and (query.until is None or time < query.until)
    return 1.0 if inside else 0.6
