"""Gather: everything that may be relevant to a query, with the features that ranking needs.

lexical best + their neighbours + nearest vectors + what the query names  →  pool
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from daypack.index import facts
from daypack.index.lexical import postings, terms_between
from daypack.rank.blend import Features, Pool
from daypack.rank.bm25 import Bm25, LexicalScores
from daypack.rank.fuzzy import nearest_term
from daypack.rank.membership import is_in
from daypack.rank.nearness import Nearness
from daypack.rank.places import is_about_testing, place_prior
from daypack.rank.signals import Named, RecordFacts, Symbols, chunk_features
from daypack.rank.top_k import kth_value, top_k
from daypack.rank.views import ChunkFlag, LexicalView, PostingsOf, VectorView, together
from daypack.text import analysis, languages
from daypack.types import Anchor, AnchorKind, Frame, Query

if TYPE_CHECKING:
    import apsw
    from numpy.typing import NDArray

DEPTH = 200  # of each arm; 97.5 % of the evidence of LoCoMo lies in the top 200 of the blend
# best lexical hits whose neighbours join the pool: the evidence is often next to the hit
NEIGHBOURS_OF = 50
CORRECTED_WEIGHT = 0.8  # of a typo's repair, against the word as written
MOST_JOINED = 32  # documents that the best hits name
# records whose facts a snapshot keeps: some 300 bytes each, and reading those of a pool takes a tenth of a
# query
KEPT_RECORDS = 20_000


class VectorTiers(NamedTuple):
    """The vectors of a snapshot: the encoder's, those of them that count for every question, the static table's."""

    encoder: VectorView
    counted: NDArray[np.bool_]
    static: VectorView | None


class Snapshot(NamedTuple):
    """One state of the store, ready for many searches."""

    sequence: int
    view: LexicalView
    bm25: Bm25
    vectors: VectorTiers | None
    facts: dict[int, RecordFacts]  # of the records that were in pools so far, by id


def gather(
    db: apsw.Connection,
    snapshot: Snapshot,
    query: Query,
    mask: NDArray[np.bool_],
    nearness: Nearness | None,
    vocabulary: Callable[[], Sequence[str]],
    texts_of: Callable[[Sequence[int]], Mapping[int, str]],
    is_word: Callable[[str], bool],
) -> Pool:
    """The pool of a query inside `mask`. `texts_of` reads the texts of chunks, to find the strings that the
    query quotes; `is_word` knows common words, which are spelled as they are meant.
    """
    view, bm25 = snapshot.view, snapshot.bm25
    postings_of = _postings_of(db, view, query)
    unknown = _unknown(query, postings_of, mask)
    corrections = _repaired(query, unknown, vocabulary, postings_of, mask, is_word) if unknown else {}
    terms = {
        corrections.get(term, term): weight * (CORRECTED_WEIGHT if term in corrections else 1.0)
        for term, weight in query.terms.items()
    }
    lexical = bm25.score(terms, postings_of, mask)

    if query.asks_for_tests and is_about_testing(view, postings_of):
        query = query._replace(asks_for_tests=False)
    prior = _prior(view, query, view.flags)

    # Held back before the cut: tests repeat the words of an issue, and would fill the pool.
    best = best_positions(lexical.unit * prior, DEPTH)
    near = best[:NEIGHBOURS_OF]
    parts = [best, view.previous[near], view.following[near]]
    if nearness is not None:
        parts.append(nearness.nearest(DEPTH, mask))
    named = _named(db, view, query, mask, postings_of)
    parts.append(np.asarray([p for found in named.definitions.values() for p in found], dtype=np.int64))
    if named.records:
        parts.append(np.flatnonzero(mask & is_in(view.record_ids, named.records))[:DEPTH])
    # Not `np.unique`, which imports numpy.ma the first time: 20 ms of a cold search.
    positions = np.asarray(sorted(set(np.concatenate(parts).tolist())), dtype=np.int64)
    positions = positions[mask[positions]]

    records = _record_facts(db, snapshot, view.record_ids[positions])
    features = chunk_features(
        view,
        bm25,
        nearness,
        query,
        lexical,
        prior[positions],
        positions,
        named,
        records,
        Symbols(partial(facts.symbol_names, db), partial(facts.symbol_lines, db)),
        [anchor.text for anchor in query.anchors if anchor.kind is AnchorKind.QUOTED],
        texts_of,
    )
    return Pool(
        positions=positions,
        chunk_ids=view.chunk_ids[positions],
        imports=(view.flags[positions] & ChunkFlag.IMPORTS) > 0,
        features=features,
        lexical=lexical,
        corrections=corrections,
        in_scope=int(mask.sum()),
        best_coverage=float(lexical.coverage.max()) if len(lexical.coverage) else 0.0,
        best_terms=_most_terms(lexical, mask),
        unknown=_unknown_words(query, frozenset(unknown) - corrections.keys()) if unknown else (),
        anchors_missing=named.missing,
        titles={record_id: record.title for record_id, record in records.items()},
    )


def joined(
    db: apsw.Connection,
    snapshot: Snapshot,
    query: Query,
    mask: NDArray[np.bool_],
    nearness: Nearness | None,
    pool: Pool,
    names: Sequence[str],
) -> Pool:
    """The pool with the best chunk of each document inside `mask` that has one of these names as its title.

    In each arm a joined chunk counts as within the range of the pool, so no other candidate changes its score.
    """
    view = snapshot.view
    known = set(pool.features.record.tolist())
    ids = [record_id for record_id in facts.records_named(db, names) if record_id not in known]
    positions = view.positions_of(np.asarray(facts.chunks_of_records(db, ids), dtype=np.int64))
    positions = positions[positions >= 0]
    positions = positions[mask[positions] & ~view.code[positions]]
    order = np.lexsort((positions, -pool.lexical.unit[positions]))
    best = {int(view.record_ids[p]): int(p) for p in positions[order][::-1]}
    if not best:
        return pool
    new = np.asarray(sorted(best.values())[:MOST_JOINED], dtype=np.int64)
    records = _record_facts(db, snapshot, view.record_ids[new])
    features = chunk_features(
        view,
        snapshot.bm25,
        nearness,
        query,
        pool.lexical,
        _prior(view, query, view.flags[new]),
        new,
        Named({}, {}, (), ()),
        records,
        Symbols(partial(facts.symbol_names, db), partial(facts.symbol_lines, db)),
        (),
        lambda _: {},
    )
    arms = {
        name: _within(getattr(features, name), getattr(pool.features, name))
        for name in ("unit", "context", "dense", "dense_context")
    }
    features = Features(**{**features._asdict(), **arms})
    positions = np.concatenate([pool.positions, new])
    order = np.argsort(positions, kind="stable")
    return pool._replace(
        positions=positions[order],
        chunk_ids=view.chunk_ids[positions[order]],
        imports=(view.flags[positions[order]] & ChunkFlag.IMPORTS) > 0,
        features=Features._make(
            np.concatenate([old, added])[order] for old, added in zip(pool.features, features, strict=True)
        ),
        titles={**pool.titles, **{record_id: record.title for record_id, record in records.items()}},
    )


def _prior(view: LexicalView, query: Query, flags: NDArray[np.uint8]) -> NDArray[np.float32]:
    """The prior by place of chunks of the view with these flags."""
    return place_prior(flags, query, side_by_side=view.side_by_side)


def _within(values: NDArray[np.float32], others: NDArray[np.float32]) -> NDArray[np.float32]:
    """Values, not below the least nor above the greatest of the others; NaN where all others are."""
    return np.clip(values, np.fmin.reduce(others), np.fmax.reduce(others))


def _postings_of(db: apsw.Connection, view: LexicalView, query: Query) -> PostingsOf:
    """The postings of a term; in a language other than English, those of every term with the stem of a query term."""
    postings_of = partial(postings, db, view)
    if not query.language:
        return postings_of
    language = languages.Language(query.language)
    families = {term: family for term in query.terms if len(family := _family(db, view, language, term)) > 1}
    return lambda term: together([postings_of(each) for each in families.get(term, (term,))])


def _family(db: apsw.Connection, view: LexicalView, language: languages.Language, term: str) -> list[str]:
    """The terms of a view that share the stem of a term."""
    bounds = languages.relatives_between(language, term)
    if bounds is None:
        return [term]
    near = terms_between(db, view, *bounds)
    (stem,) = languages.stems(language, [term])
    return [other for other, own in zip(near, languages.stems(language, near), strict=True) if own == stem]


def _occurs(term: str, postings_of: PostingsOf, mask: NDArray[np.bool_]) -> bool:
    positions = postings_of(term).positions
    return bool(mask[positions[:64]].any() or mask[positions].any())  # a common term shows at once


def _unknown(query: Query, postings_of: PostingsOf, mask: NDArray[np.bool_]) -> list[str]:
    """Query terms that do not occur inside the mask."""
    return [term for term in query.terms if not _occurs(term, postings_of, mask)]


def _repaired(
    query: Query,
    unknown: Sequence[str],
    vocabulary: Callable[[], Sequence[str]],
    postings_of: PostingsOf,
    mask: NDArray[np.bool_],
    is_word: Callable[[str], bool],
) -> dict[str, str]:
    """Unknown query term → the nearest word that occurs inside the mask.

    Words of the store outside the mask repair nothing: hidden text must not reveal itself, not even by a
    missing repair. A common word is not taken for a typo: a store without "drone" is not asked for "done".
    """
    common = {
        term for word in analysis.words(query.text) if is_word(word.lower()) for term in analysis.expand(word)
    }
    misspelt = [term for term in unknown if term not in common]
    return repair(query, misspelt, vocabulary, lambda term: _occurs(term, postings_of, mask))


def _unknown_words(query: Query, unknown: frozenset[str]) -> tuple[str, ...]:
    """The words of a query that say nothing but unknown terms, as they are written."""
    words = dict.fromkeys(word for word in analysis.words(query.text) if word.isalpha())
    return tuple(word for word in words if unknown.issuperset(analysis.expand(word)))


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


def best_positions(scores: NDArray[np.float32], depth: int) -> NDArray[np.int64]:
    """Positions of the highest positive scores, best first; ties by position."""
    positive = np.flatnonzero(scores > 0)
    if len(positive) > depth:
        positive = _without_crowd(positive, scores, depth)
    return top_k(scores[positive], positive, depth)


def _without_crowd(positive: NDArray[np.int64], scores: NDArray[np.float32], depth: int) -> NDArray[np.int64]:
    """Positions without the mass of one score.

    Thousands of copies of one text score alike and would fill the pool by themselves.
    """
    values = scores[positive]
    best = np.sort(values[values >= kth_value(values, depth)])[-depth:]
    crowds, sizes = np.unique(best, return_counts=True)
    for crowd in crowds[sizes > depth // 2]:
        alike = np.flatnonzero(values == crowd)
        keep = np.ones(len(values), dtype=bool)
        keep[alike[depth // 4 :]] = False
        positive, values = positive[keep], values[keep]
    return positive


def _most_terms(lexical: LexicalScores, mask: NDArray[np.bool_]) -> int:
    held = np.zeros(len(mask), dtype=np.int64)
    for term in lexical.terms:
        held[term.postings.positions] += 1
    return int(held[mask].max(initial=0))


def _record_facts(
    db: apsw.Connection, snapshot: Snapshot, record_ids: NDArray[np.int64]
) -> dict[int, RecordFacts]:
    """Facts of records by id, from the snapshot where it knows them."""
    wanted = sorted(set(record_ids.tolist()))
    known = snapshot.facts
    if unread := [record_id for record_id in wanted if record_id not in known]:
        if len(known) + len(unread) > KEPT_RECORDS:
            known.clear()
            unread = wanted
        known.update(facts.record_facts(db, unread))
    return {record_id: known[record_id] for record_id in wanted}


# ---------------------------------------------------------------- what the query names


def _named(
    db: apsw.Connection, view: LexicalView, query: Query, mask: NDArray[np.bool_], postings_of: PostingsOf
) -> Named:
    records, frames = _named_records(db, view, query)
    if records:
        inside = mask & is_in(view.record_ids, records)
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
    return Named(definitions, records, frames, tuple(missing))


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

    The lines are those of its stack frames in stored files, with depths counted from the deepest such frame,
    because frames of libraries are not the project's; and those of paths with a line, which count as much as
    the deepest frame.
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
    found = facts.records_at(db, path)
    seen = set(view.record_ids[is_in(view.record_ids, found)].tolist()) if found else found
    return {record_id: share for record_id, share in found.items() if record_id in seen}


def _is_mentioned(
    db: apsw.Connection, view: LexicalView, anchor: Anchor, mask: NDArray[np.bool_], postings_of: PostingsOf
) -> bool:
    """True when anything inside the mask holds an identifier, or the words of a quotation in their order."""
    terms = analysis.terms(anchor.text)
    if anchor.kind is AnchorKind.IDENTIFIER:
        terms = terms[:1]
    where = [positions[mask[positions]] for positions in (postings_of(term).positions for term in terms)]
    if not all(map(len, where)):
        return False
    if not where or anchor.kind is not AnchorKind.QUOTED:
        return True
    # The words are there; their sequence may not be.
    of_rarest_word = set(view.record_ids[min(where, key=len)].tolist())
    return facts.any_holds(db, of_rarest_word, anchor.text)
