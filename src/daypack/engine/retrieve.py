"""The two sentences of the project, as plain functions over the stages.

    ingest     redact → cut → count → write → index
    retrieve   lexical, dense → pool → features → blend → candidates

Here the rooms meet. Disk and models come in as arguments; nothing here opens, reads the clock or imports a
model.
"""

from __future__ import annotations

import contextlib
import json
import math
from _blake2 import blake2b  # hashlib's own; hashlib itself loads OpenSSL first
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack.frozen import dataclass
from daypack.index.lexical import ChunkFlag, LexicalEntry, LexicalView, write_segment
from daypack.index.store import Prepared, Written
from daypack.index.vectors import VectorView
from daypack.rank.ablation import leave_out
from daypack.rank.blend import Blend, BlendWeights, Features, blend, scaled, without_vectors
from daypack.rank.bm25 import Bm25, LexicalScores
from daypack.rank.dense import nearest, similarities_in_context
from daypack.rank.fuzzy import nearest_term
from daypack.rank.signals import (
    TESTING_SHARE,
    Place,
    asker_cue,
    author_cue,
    component_of,
    component_share,
    is_aside_path,
    is_test_path,
    name_share,
    names_path,
    names_title,
    place_prior,
    stem_share,
    symbol_boost,
    title_name,
    trace_boosts,
)
from daypack.rank.top_k import highest, level
from daypack.rank.tuned_weights import DEFAULTS, Factors
from daypack.text import analysis
from daypack.text.storable import storable, text_hash
from daypack.types import (
    AnchorKind,
    Candidate,
    Chunk,
    Contribution,
    Frame,
    PieceKind,
    Query,
    QueryKind,
    Record,
    RecordKind,
)

if TYPE_CHECKING:
    import apsw
    from numpy.typing import NDArray

    from daypack.filters import Filter

DEPTH = 200  # of each arm; 97.5 % of the evidence of LoCoMo lies in the top 200 of the blend
# best lexical hits whose neighbours join the pool: what stands beside the evidence often is it
NEIGHBOURS_OF = 50
LINKING_HITS = 5  # best hits whose texts may name other documents; 2 to 10 is flat
# a title none of whose words is rarer is what everything here is about
COMMON_TITLE_CHUNKS, COMMON_TITLE_SHARE = 5, 0.1
CORRECTED_WEIGHT = 0.8  # of a typo's repair, against the word as written
# (score / best)^power stands in for a calibrated probability. Code and prose: 6 to 10 is flat. Turns, which
# are short and many, want to be taken nearly in rank order: 8 loses a point of evidence at 250 tokens, 16
# none.
CALIBRATION_POWER = 8.0
CALIBRATION_POWER_TURNS = 16.0
# whose facts a snapshot keeps: some 300 bytes each, and reading those of a pool takes a tenth of a query
KEPT_RECORDS = 20_000
# of the probability of a file's best chunk, for its imports: what is changed below often needs another there
WITH_ITS_IMPORTS = 0.1
# of a file of the component that the title begins with, to its file score: as much as a path that is spelt
# out
COMPONENT = 0.3
# of a file whose name stands in the title of the query, to its file score; a path that is spelt out gives .3
STEM = 0.15


# ---------------------------------------------------------------- ingest


def prepare(record: Record, count_batch: Callable[[Sequence[str]], Sequence[int]]) -> tuple[Prepared, int]:
    """A record ready to be written, and how many secrets were taken out of it.

    Nothing was stored or hashed before that.
    """
    # a query needs neither of the two, and their expressions take 20 ms to compile
    from daypack.chunk import cut
    from daypack.guard.secrets import redact

    clean = redact(storable(record.text))
    record = replace(
        record,
        text=clean.text,
        uid=storable(record.uid),
        uri=storable(record.uri),
        title=storable(record.title),
        language=storable(record.language),
        author=storable(record.author),
        session=storable(record.session),
        scope=storable(record.scope),
    )
    record, count = _described_without_secrets(record)
    pieces = cut(record)
    tokens = count_batch([record.text[piece.span.start : piece.span.end] for piece in pieces.pieces])
    return Prepared(record, pieces, tuple(tokens), text_hash(record.text)), clean.count + count


def _described_without_secrets(record: Record) -> tuple[Record, int]:
    """A record whose title, author, tags and metadata hold no secret, and how many were replaced. Those of a title count
    for nothing: most titles repeat what the text says."""
    from daypack.guard.secrets import redact, redact_json

    metadata = json.dumps(dict(record.metadata), ensure_ascii=False) if record.metadata else ""
    if not redact("\n".join((record.title, record.author, *record.tags, metadata))).count:
        return record, 0
    author, tags = redact(record.author), [redact(tag) for tag in record.tags]
    facts, in_metadata = redact_json(dict(record.metadata))
    clean = replace(
        record,
        title=redact(record.title).text,
        author=author.text,
        tags=tuple(tag.text for tag in tags),
        metadata=facts,
    )
    return clean, author.count + sum(tag.count for tag in tags) + in_metadata


def index_written(db: apsw.Connection, written: Iterable[tuple[Written, Prepared]]) -> int:
    """Index freshly written chunks in one segment; their number."""
    entries = [entry for done, item in written for entry in _lexical_entries(done, item)]
    write_segment(db, entries)
    return len(entries)


def _lexical_entries(done: Written, item: Prepared) -> Iterator[LexicalEntry]:
    """The chunks of one record as the index sees them. What they have in common is made once."""
    record, record_id, text = item.record, done.record_id, item.record.text
    together = _session_key(record.scope, record.session) if record.session else 0
    path = record.uri.rpartition(".")[0] or record.uri if record.door == "files" else ""
    when = ""
    if record.time is not None and record.kind in (RecordKind.EVENT, RecordKind.MEMORY):
        with contextlib.suppress(OverflowError, ValueError, OSError):  # a time that no calendar has
            when = datetime.fromtimestamp(record.time, UTC).strftime("%Y %B %d")
    named = f"{path} {record.title} {record.author}"
    tags = " ".join(record.tags)
    time = record.time if record.time is not None and record.session else math.nan
    flags = _flags(record)
    for chunk_id, piece in zip(done.chunk_ids, item.cut.pieces, strict=True):
        body = text[piece.span.start : piece.span.end]
        imports = item.cut.imports and piece.kind is PieceKind.BLOCK and _only_imports(body, item.cut.imports)
        yield LexicalEntry(
            chunk_id=chunk_id,
            record_id=record_id,
            group=together or record_id,
            section=together or record_id * (1 << 20) + min(piece.section, (1 << 20) - 1),
            time=time,
            flags=flags | ChunkFlag.IMPORTS if imports else flags,
            fields=(body, piece.name, named, f"{piece.signature} {' '.join(piece.trail)} {tags} {when}"),
        )


def _flags(record: Record) -> ChunkFlag:
    flags = ChunkFlag(0)
    if record.kind is RecordKind.CODE:
        flags |= ChunkFlag.CODE
    if record.kind is RecordKind.EVENT:
        flags |= ChunkFlag.EVENT
    if record.door == "files" and is_test_path(record.uri):
        flags |= ChunkFlag.TEST
    if record.door == "files" and record.kind is not RecordKind.CODE:
        flags |= ChunkFlag.PAGE
    # Documentation stands aside of code, not of itself.
    if record.door == "files" and record.kind is RecordKind.CODE and is_aside_path(record.uri):
        flags |= ChunkFlag.ASIDE
    return flags


def _only_imports(text: str, imports: Sequence[str]) -> bool:
    """Whether import statements are at least four fifths of a text."""
    bare = "".join(text.split())
    rest = bare
    for statement in imports:
        rest = rest.replace("".join(statement.split()), "", 1)
    return len(rest) < len(bare) / 5


def _session_key(scope: str, session: str) -> int:
    """A negative number, so that it never meets a record's id."""
    return (
        -int.from_bytes(
            blake2b(f"{scope}\0{session}".encode("utf-8", "replace"), digest_size=7).digest(), "big"
        )
        - 1
    )


# ---------------------------------------------------------------- retrieve


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One state of the store, ready to be searched. Made once for many queries."""

    sequence: int
    view: LexicalView
    bm25: Bm25
    vectors: VectorView | None
    facts: dict[int, _RecordFacts]  # of the records that were in pools so far, by id


@dataclass(frozen=True, slots=True)
class Pool:
    """The candidates of one query before they are hydrated: positions in the snapshot and their features."""

    positions: NDArray[np.int64]
    features: Features
    lexical: LexicalScores
    corrections: Mapping[str, str]
    in_scope: int  # living chunks inside the filter
    best_coverage: float  # the largest share of the query's idf mass that one chunk holds
    best_terms: int  # the most query terms that one chunk holds
    anchors_missing: tuple[str, ...]
    titles: Mapping[int, str]  # of its records, by id


@dataclass(frozen=True, slots=True)
class Scored:
    """A ranked pool: chunk ids best first, with what each signal added."""

    chunk_ids: NDArray[np.int64]
    scores: NDArray[np.float32]
    blend: Blend
    order: NDArray[np.int64]  # rows of the blend, best first
    imports: NDArray[np.bool_]  # of each chunk, best first: whether it is the imports of its file


def filter_mask(db: apsw.Connection, view: LexicalView, condition: Filter | None) -> NDArray[np.bool_]:
    """The living chunks whose record passes the filter."""
    if condition is None:
        return view.alive
    from daypack.filters import to_sql

    where, parameters = to_sql(condition)
    # As one string: a row of SQL for each of 100,000 records takes three times as long.
    ids = np.fromstring(
        db.execute(f"SELECT group_concat(id) FROM record WHERE {where}", parameters).get or "",
        dtype=np.int64,
        sep=",",
    )
    mask: NDArray[np.bool_] = view.alive & np.isin(view.record_ids, ids)
    return mask


def repair(
    query: Query,
    unknown: Sequence[str],
    vocabulary: Callable[[], Sequence[str]],
    occurs: Callable[[str], bool],
) -> dict[str, str]:
    """Unknown query terms → the nearest word that occurs where the query looks."""
    corrections = {}
    for term in unknown:
        found = nearest_term(term, vocabulary(), occurs)
        if found is not None and found not in query.terms:
            corrections[term] = found
    return corrections


def gather(
    db: apsw.Connection,
    snapshot: Snapshot,
    query: Query,
    mask: NDArray[np.bool_],
    query_vector: NDArray[np.float32] | None,
    vocabulary: Callable[[], Sequence[str]],
) -> Pool:
    """Everything that may be relevant, with the features that ranking needs."""
    view, bm25 = snapshot.view, snapshot.bm25
    terms: Mapping[str, float] = query.terms

    def occurs(term: str) -> bool:
        return _any(mask, view.postings(db, term).positions)

    # Not what the store lacks, but what lacks where the query looks: what stands elsewhere must not show, not
    # even by its silence.
    unknown = [term for term in terms if not occurs(term)]
    corrections = repair(query, unknown, vocabulary, occurs) if unknown else {}
    if corrections:
        terms = {
            corrections.get(term, term): weight * (CORRECTED_WEIGHT if term in corrections else 1.0)
            for term, weight in terms.items()
        }
    lexical = bm25.score(db, terms, mask)
    test, aside, imports, page = (
        (view.flags & flag) > 0
        for flag in (ChunkFlag.TEST, ChunkFlag.ASIDE, ChunkFlag.IMPORTS, ChunkFlag.PAGE)
    )
    if query.asks_for_tests and _is_about_testing(db, view, test):
        query = replace(query, asks_for_tests=False)
    page &= view.code.any()
    prior = place_prior(test, aside, imports, page, query)
    # Held back before the cut: tests repeat the words of an issue, and would fill the pool.
    best = _top(lexical.unit * prior, DEPTH)
    near = best[:NEIGHBOURS_OF]
    parts = [best, view.previous[near], view.following[near]]
    if snapshot.vectors is not None and query_vector is not None:
        parts.append(nearest(snapshot.vectors, query_vector, depth=DEPTH, mask=mask))
    definitions = _definitions(db, view, query)
    parts.append(np.asarray([p for found in definitions.values() for p in found], dtype=np.int64))
    named, frames = _named_records(db, view, query)
    if named:
        inside = np.flatnonzero(mask & np.isin(view.record_ids, np.asarray(list(named))))
        here = set(view.record_ids[inside].tolist())
        named = {record_id: boost for record_id, boost in named.items() if record_id in here}
        parts.append(inside[:DEPTH])
    # Not `np.unique`, which imports numpy.ma the first time: 20 ms of a cold search.
    positions = np.asarray(sorted(set(np.concatenate(parts).tolist())), dtype=np.int64)
    positions = positions[mask[positions]]
    records = _records(db, snapshot, view.record_ids[positions])
    component = _of_component(records, component_of(query.title))
    if component and not query.about_code:  # what names a part of the code is about code
        prior = place_prior(test, aside, imports, page, replace(query, about_code=True))
    features = _features(
        db,
        snapshot,
        records,
        query,
        lexical,
        positions,
        prior[positions],
        query_vector,
        definitions,
        named,
        component,
        frames,
    )
    return Pool(
        positions,
        features,
        lexical,
        corrections,
        int(mask.sum()),
        float(lexical.coverage.max()) if len(lexical.coverage) else 0.0,
        _most_terms(lexical, mask),
        _missing_anchors(db, view, query, named, mask),
        {record_id: record.title for record_id, record in records.items()},
    )


def _is_about_testing(db: apsw.Connection, view: LexicalView, test: NDArray[np.bool_]) -> bool:
    """Whether the code itself speaks of tests: there the word is the subject of most questions, and wishes
    for tests in few.
    """
    code = view.alive & view.code & ~test
    postings = view.postings(db, "test")
    return bool(code[postings.positions[postings.tf[:, 0] > 0]].sum() > TESTING_SHARE * code.sum())


def _any(mask: NDArray[np.bool_], positions: NDArray[np.int64]) -> bool:
    """Whether any of the positions is set; a common term shows it among its first."""
    return bool(mask[positions[:64]].any() or mask[positions].any())


def _top(scores: NDArray[np.float32], depth: int) -> NDArray[np.int64]:
    """Positions of the highest positive scores, best first; ties by position."""
    positive = np.flatnonzero(scores > 0)
    if len(positive) > depth:
        positive = _without_crowd(positive, scores, depth)
    return highest(scores[positive], positive, depth)


def _most_terms(lexical: LexicalScores, mask: NDArray[np.bool_]) -> int:
    held = np.zeros(len(mask), dtype=np.int64)
    for term in lexical.terms:
        held[term.postings.positions] += 1
    return int(held[mask].max(initial=0))


def _without_crowd(positive: NDArray[np.int64], scores: NDArray[np.float32], depth: int) -> NDArray[np.int64]:
    """Positions without the mass of one score.

    Thousands of copies of one text score alike and would fill the pool by themselves.
    """
    values = scores[positive]
    best = np.sort(values[values >= level(values, depth)])[-depth:]
    crowds, sizes = np.unique(best, return_counts=True)
    for crowd in crowds[sizes > depth // 2]:
        alike = np.flatnonzero(values == crowd)
        keep = np.ones(len(values), dtype=bool)
        keep[alike[depth // 4 :]] = False
        positive, values = positive[keep], values[keep]
    return positive


def _definitions(db: apsw.Connection, view: LexicalView, query: Query) -> dict[str, list[int]]:
    """Identifier of the query → positions of the chunks that define it."""
    found: dict[str, list[int]] = {}
    for mention in query.mentions:
        last = mention.replace("::", ".").replace("->", ".").rstrip("()").rpartition(".")[2]
        terms = analysis.expand(last) if last else ()
        if not terms:
            continue
        postings = view.postings(db, terms[0])
        where = postings.positions[postings.tf[:, 1] > 0]
        if not 0 < len(where) <= 400:
            continue
        names = dict(
            db.execute(
                "SELECT c.id, c.name FROM json_each(?) AS w JOIN chunk AS c ON c.id = w.value WHERE c.symbol IS NOT NULL",
                (json.dumps(view.chunk_ids[where].tolist()),),
            )
        )
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
    frames = [replace(frame, depth=depths.index(frame.depth)) for frame in query.frames if found[frame.path]]
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
    found = {
        record_id: 1.0
        for record_id, uri in (
            *db.execute(
                "SELECT id, uri FROM record WHERE door != 'memories' AND (uri = ? OR uri LIKE ? ESCAPE '\\') LIMIT 200",
                (path, "%/" + _like(base)),
            ),
            *db.execute("SELECT id, uri FROM record WHERE uri = ? LIMIT 5", (base,)),
        )
        if names_path(uri, path)
    }
    # A memory's key looks like a path and is meant as a whole; other people's memories have the same keys.
    for (record_id,) in db.execute(
        "SELECT id FROM record WHERE door = 'memories' AND uri = ?", (f"memory:{path}",)
    ):
        found[record_id] = 1.0
    folder = path.strip("/")
    if "/" in folder:
        for record_id, uri in db.execute(
            "SELECT id, uri FROM record WHERE door != 'memories' AND uri LIKE ? ESCAPE '\\' LIMIT 200",
            (_like(folder) + "/%",),
        ):
            if "/" not in uri[len(folder) + 1 :]:
                found.setdefault(record_id, 0.5)
    seen = set(view.record_ids[np.isin(view.record_ids, [*found])].tolist()) if found else found
    return {record_id: share for record_id, share in found.items() if record_id in seen}


_DATED = frozenset({RecordKind.EVENT.value, RecordKind.MEMORY.value})


def _like(text: str) -> str:
    return text.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")


class _RecordFacts(NamedTuple):
    """What ranking asks of a record besides its chunks."""

    uri: str
    kind: str
    author: str
    time: float | None
    title: str


def _records(
    db: apsw.Connection, snapshot: Snapshot, record_ids: NDArray[np.int64]
) -> dict[int, _RecordFacts]:
    wanted = sorted(set(record_ids.tolist()))
    known = snapshot.facts
    if unread := [record_id for record_id in wanted if record_id not in known]:
        if len(known) + len(unread) > KEPT_RECORDS:
            known.clear()
            unread = wanted
        rows = db.execute(
            "SELECT r.id, r.uri, r.kind, r.author, r.time, r.title FROM json_each(?) AS w JOIN record AS r ON r.id = w.value",
            (json.dumps(unread),),
        )
        known.update((row[0], _RecordFacts._make(row[1:])) for row in rows)
    return {record_id: known[record_id] for record_id in wanted}


def _of_component(records: Mapping[int, _RecordFacts], component: str) -> dict[int, float]:
    """Record id → how far it belongs to a component, of records of code; empty where none does."""
    code = (
        record_id for record_id, facts in records.items() if component and facts.kind == RecordKind.CODE.value
    )
    return {
        record_id: share
        for record_id in code
        if (share := component_share(records[record_id].uri, component))
    }


def _features(
    db: apsw.Connection,
    snapshot: Snapshot,
    records: Mapping[int, _RecordFacts],
    query: Query,
    lexical: LexicalScores,
    positions: NDArray[np.int64],
    prior: NDArray[np.float32],
    query_vector: NDArray[np.float32] | None,
    definitions: Mapping[str, Sequence[int]],
    named: Mapping[int, float],
    component: Mapping[int, float],
    frames: Sequence[Frame],
) -> Features:
    view, n = snapshot.view, len(positions)
    record_ids = view.record_ids[positions]
    words = frozenset(analysis.words(query.text.lower()))
    event = (view.flags[positions] & ChunkFlag.EVENT) > 0
    asker = asker_cue(query.text, float(event.mean()) if n else 0.0)
    title = frozenset(analysis.terms(query.title)) - analysis.STOP_TERMS
    code = view.code[positions]
    program = RecordKind.CODE.value  # an enum's value is looked up slowly, and a pool has hundreds of records
    per_record = {
        record_id: (
            author_cue(author, words, asker) if author else 0.0,
            named.get(record_id, 0.0)
            + COMPONENT * component.get(record_id, 0.0)
            + (STEM * stem_share(uri, title) if kind == program else 0.0),
            _time_weight(query, time) if kind in _DATED else 1.0,
        )
        for record_id, (uri, kind, author, time, _) in records.items()
    }
    columns = np.asarray([per_record[i] for i in record_ids.tolist()], dtype=np.float32).reshape(n, 3)
    symbol, trace = np.zeros(n, dtype=np.float32), np.zeros(n, dtype=np.float32)
    if definitions or frames:
        # A frame may stand in any chunk; a definition only in one that was found to be one.
        defining = {position for found in definitions.values() for position in found}
        row_of = {
            chunk_id: i
            for i, (chunk_id, position) in enumerate(
                zip(view.chunk_ids[positions].tolist(), positions.tolist(), strict=True)
            )
            if frames or position in defining
        }
        rows = db.execute(
            "SELECT c.id, c.name, c.start_line, c.end_line FROM json_each(?) AS w JOIN chunk AS c ON c.id = w.value",
            (json.dumps([*row_of]),),
        )
        sizes = {mention: len(found) for mention, found in definitions.items()}
        at, places = [], []
        for chunk_id, name, start_line, end_line in rows:
            i = row_of[chunk_id]
            symbol[i] = symbol_boost(name, query.mentions, sizes)
            at.append(i)
            places.append(Place(records[int(record_ids[i])].uri, name, start_line, end_line))
        if frames:
            trace[at] = trace_boosts(places, frames)
    name = np.zeros(n, dtype=np.float32)
    if len(said := _named_in_query(lexical, positions, code)):
        names = dict(db.execute(_NAMES_OF_SYMBOLS, (json.dumps(view.chunk_ids[positions[said]].tolist()),)))
        terms = frozenset(term.term for term in lexical.terms)
        name[said] = [
            name_share(names.get(chunk_id, ""), terms)
            for chunk_id in view.chunk_ids[positions[said]].tolist()
        ]
    dense = np.full(n, np.nan, dtype=np.float32)
    dense_context = dense
    if snapshot.vectors is not None and query_vector is not None:
        dense, dense_context = similarities_in_context(snapshot.vectors, view, positions, query_vector)
    return Features(
        unit=lexical.unit[positions],
        context=snapshot.bm25.context(lexical, positions),
        file=snapshot.bm25.file(lexical, positions) if code.any() else np.zeros(n, dtype=np.float32),
        dense=dense,
        dense_context=dense_context,
        code=code,
        event=event,
        alone=(view.previous[positions] == positions) & (view.following[positions] == positions),
        section=view.sections[positions],
        section_size=view.section_sizes[positions],
        record=record_ids,
        symbol=symbol,
        name=name,
        trace=trace,
        path=columns[:, 1],
        exact=np.zeros(n, dtype=np.float32),
        author=columns[:, 0],
        link=np.zeros(n, dtype=np.float32),
        prior=prior,
        time=columns[:, 2],
    )


_NAMES_OF_SYMBOLS = (
    "SELECT c.id, c.name FROM json_each(?) AS w JOIN chunk AS c ON c.id = w.value WHERE c.symbol IS NOT NULL"
)


def _named_in_query(
    lexical: LexicalScores, positions: NDArray[np.int64], code: NDArray[np.bool_]
) -> NDArray[np.int64]:
    """Rows of a pool of code whose names hold a term of the query; `positions` are sorted."""
    if not code.any():
        return np.empty(0, dtype=np.int64)
    found = np.zeros(len(positions), dtype=bool)
    for term in lexical.terms:
        where = term.postings.positions[term.postings.tf[:, 1] > 0]
        found |= np.isin(positions, where)
    return np.flatnonzero(found & code)


def _time_weight(query: Query, time: float | None) -> float:
    """Soft: an event outside the time that a query names is held back, not left out."""
    if time is None or (query.since is None and query.until is None):
        return 1.0
    inside = (query.since is None or time >= query.since) and (query.until is None or time < query.until)
    return 1.0 if inside else 0.6


def _missing_anchors(
    db: apsw.Connection, view: LexicalView, query: Query, named: Mapping[int, float], mask: NDArray[np.bool_]
) -> tuple[str, ...]:
    """What the query names and nothing mentions where it looks."""
    missing = []
    for anchor in query.anchors:
        if anchor.kind is AnchorKind.PATH:
            found = bool(named) and anchor.text in query.paths
        else:
            terms = analysis.terms(anchor.text)
            whole = terms[:1] if anchor.kind is AnchorKind.IDENTIFIER else terms
            where = [
                postings[mask[postings]] for postings in (view.postings(db, term).positions for term in whole)
            ]
            found = all(map(len, where))
            # its words are there; the words together may not be
            if found and where and anchor.kind is AnchorKind.QUOTED:
                records = sorted(set(view.record_ids[min(where, key=len)].tolist()))  # of its rarest word
                found = bool(
                    db.execute(
                        "SELECT 1 FROM record WHERE id IN (SELECT value FROM json_each(?)) AND text LIKE ? ESCAPE '\\' LIMIT 1",
                        (json.dumps(records), f"%{_like(anchor.text)}%"),
                    ).fetchone()
                )
        if not found:
            missing.append(anchor.text)
    return tuple(missing)


def weights_for(query: Query, pool: Pool, *, calibrated: bool, factors: Factors = DEFAULTS) -> BlendWeights:
    """How much each signal weighs: names are matched by letters, questions by meaning. `factors` are what a
    user fitted, times that.

    Over code a query that names code or is a task about it has a weight of its own. For any other the dense
    arm weighs what its best cosine is: a text that says what was asked in other words lies near, and where
    nothing lies near the words decide (docs/decisions/008-code-ranking.md). Then both arms of a question of
    one line count by their squares: asked in other words, it is answered by what is among the best of one of
    them, not by what is middling in both. `calibrated` says that the cosines are of the model that this was
    measured with.
    """
    weights = BlendWeights()
    match query.kind:
        case QueryKind.IDENTIFIER | QueryKind.PATH | QueryKind.QUOTED | QueryKind.ERROR:
            weights = BlendWeights(dense=0.2, dense_alone=0.2, dense_event=0.2, dense_code=0.2)
        case _:
            known = pool.features.dense[pool.features.code & ~np.isnan(pool.features.dense)]
            if calibrated and len(known) and not (query.about_code or query.mentions):
                # What has a title and a body describes something, and much of it is middling in both arms.
                steep = 2.0 if query.title == query.text.strip() else 1.0
                weights = BlendWeights(dense_code=float(np.clip(known.max(), 0.0, 1.0)), steep_code=steep)
    return scaled(weights, factors)


def score(
    pool: Pool,
    snapshot: Snapshot,
    weights: BlendWeights,
    *,
    lexical_only: bool = False,
    without: Sequence[str] = (),
) -> Scored:
    """The pool in order of relevance, as if the signals in `without` said nothing.

    Ties break by chunk id, so equal stores give equal answers.
    """
    features = without_vectors(pool.features) if lexical_only else pool.features
    if without:
        features, weights = leave_out(features, weights, without)
    blended = blend(features, weights)
    ids = snapshot.view.chunk_ids[pool.positions]
    order = np.lexsort((ids, -blended.score))
    imports = (snapshot.view.flags[pool.positions[order]] & ChunkFlag.IMPORTS) > 0
    return Scored(ids[order], blended.score[order], blended, order, imports)


def rank_files(pool: Pool, scored: Scored, limit: int) -> list[tuple[int, float]]:
    """(chunk id of its best chunk, score) of each file, best file first; ties by record."""
    records = pool.features.record[scored.order]
    _, first = np.unique(records, return_index=True)  # by record; the first row of a record is its best chunk
    scores = scored.blend.file[scored.order][first]
    best = np.argsort(-scores, kind="stable")[:limit]
    return list(zip(scored.chunk_ids[first[best]].tolist(), scores[best].tolist(), strict=True))


def with_exact(pool: Pool, texts: Mapping[int, str], snapshot: Snapshot, quoted: Sequence[str]) -> Pool:
    """The pool with `exact` set where a chunk's text, by its id, holds a quoted string, letter for letter but
    for case.

    1 in prose. In code 1 / sqrt(chunks of code that hold it), as a definition counts: a message stands where
    it is raised, "error" everywhere.
    """
    folded = [
        texts.get(chunk_id, "").casefold() for chunk_id in snapshot.view.chunk_ids[pool.positions].tolist()
    ]
    code, exact = pool.features.code, pool.features.exact
    for wanted in {text.casefold() for text in quoted}:
        held = np.asarray([wanted in text for text in folded], dtype=bool)
        exact = np.maximum(
            exact, held * np.where(code, 1 / max(1, int((held & code).sum())) ** 0.5, 1.0)
        ).astype(np.float32)
    return replace(pool, features=replace(pool.features, exact=exact))


def with_vectors(pool: Pool, snapshot: Snapshot, query_vector: NDArray[np.float32]) -> Pool:
    """The pool again after vectors were added to the snapshot."""
    if snapshot.vectors is None:
        return pool
    dense, context = similarities_in_context(snapshot.vectors, snapshot.view, pool.positions, query_vector)
    return replace(pool, features=replace(pool.features, dense=dense, dense_context=context))


def with_links(
    db: apsw.Connection,
    pool: Pool,
    snapshot: Snapshot,
    scored: Scored,
    chunks_of: Callable[[Sequence[int]], Mapping[int, Chunk]],
) -> Pool:
    """The pool with `link` set for documents that one of the best hits names by their title: a second step
    from what the first found.

    A document is as well linked as the hit that names it is good, over the root of how many bear the title.
    Titles that are in everybody's mouth link nothing.
    """
    features, best = pool.features, float(scored.scores[0]) if len(scored.scores) else 0.0
    titles = {
        record_id: name
        for record_id in sorted(set(features.record[~features.code].tolist()))
        if (name := title_name(pool.titles.get(record_id, "")))
    }
    if not titles or best <= 0:
        return pool
    rows = [row for row in scored.order[: 2 * LINKING_HITS].tolist() if not features.code[row]][:LINKING_HITS]
    ids = snapshot.view.chunk_ids[pool.positions[rows]].tolist()
    chunks = chunks_of(ids)
    hits = [
        (float(scored.blend.score[row]) / best, chunks[i])
        for row, i in zip(rows, ids, strict=True)
        if i in chunks
    ]
    together = "\n".join(chunk.text for _, chunk in hits)
    bearers = Counter(titles.values())
    link: dict[int, float] = {}
    for title, number in bearers.items():
        if title not in together or not (
            naming := [(good, c.record_id) for good, c in hits if names_title(c.text, title)]
        ):
            continue
        if not _is_rare(db, snapshot, title):
            continue
        for record_id, name in titles.items():
            if name == title:
                good = max((good for good, namer in naming if namer != record_id), default=0.0)
                link[record_id] = max(0.0, good) / number**0.5
    if not any(link.values()):
        return pool
    values = np.asarray([link.get(i, 0.0) for i in features.record.tolist()], dtype=np.float32)
    return replace(
        pool, features=replace(features, link=np.where(features.code, 0, values).astype(np.float32))
    )


def _is_rare(db: apsw.Connection, snapshot: Snapshot, title: str) -> bool:
    most = max(COMMON_TITLE_CHUNKS, COMMON_TITLE_SHARE * snapshot.bm25.living)
    return any(0 < len(snapshot.view.postings(db, term).positions) <= most for term in analysis.terms(title))


def to_candidates(scored: Scored, chunks: Mapping[int, Chunk], limit: int) -> list[Candidate]:
    """The best of a ranked pool with their texts."""
    best = float(scored.scores[0]) if len(scored.scores) else 0.0
    rows = scored.order[:limit]
    # As Python's numbers at once: taken out of an array one by one, they cost more than all the rest here.
    shares = ((name, share[rows]) for name, share in scored.blend.shares.items())
    columns = [
        (name, scored.blend.raw[name][rows].tolist(), share.tolist()) for name, share in shares if share.any()
    ]
    values = scored.scores[:limit].tolist()
    candidates = []
    of_file: dict[int, float] = {}  # the probability of its best chunk
    for rank, chunk_id in enumerate(scored.chunk_ids[:limit].tolist()):
        chunk = chunks.get(chunk_id)
        if chunk is None:
            continue
        contributions = tuple(
            [Contribution(name, raw[rank], share[rank]) for name, raw, share in columns if share[rank] != 0]
        )
        value = values[rank]
        probability = _probability(value, best, chunk)
        best_of_file = of_file.setdefault(chunk.record_id, probability)
        if scored.imports[rank]:
            probability = max(probability, WITH_ITS_IMPORTS * best_of_file)
        candidates.append(Candidate(chunk, value, probability, contributions))
    return candidates


def _probability(value: float, best: float, chunk: Chunk) -> float:
    if best <= 0:
        return 0.0
    turns = chunk.record_kind in (RecordKind.EVENT, RecordKind.MEMORY)
    return float(max(0.0, value / best) ** (CALIBRATION_POWER_TURNS if turns else CALIBRATION_POWER))
