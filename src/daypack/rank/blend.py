"""The blend: how the arms and signals of a pool become one score per candidate.

    prose, events   base    = (1 - w) mean(m(unit), m(context)) + w mean(m(dense), m(dense context))
                            w = .4 for events, .5 for prose, .6 for a text that stands alone, without neighbours
                    score   = (base + .6 coherence + .15 author + .3 link) / 1.6  coherence: mean of the 3 best of the section
    code            base    = (1 - w) m(unit) + w m(dense), best = 1, + .4 symbol + .1 name + trace, x prior of the path
                    file    = .8 (1, .5, .25 … of its five best units) + .2 whole-file BM25, + mentions of its path or name;
                              the BM25 not for a file of one unit, whose words it has
                    score   = file for the best unit of a file, (base + .2 file) / 1.6 for the others; in a report 1.2 for 1.6;
                              for a question base + .25 calls chooses the best unit, and orders the others
                    w       = .45; the best cosine of the pool for a query that neither names code nor is a task about it, and m squared

Last, where texts were read and compared word by word (not for a report), .1 of the best score times m(wording) is added
to each score, and the sum divided by 1.1; a range of wording below .2 counts as .2. A page that is nearer to a question
than all code beside it is raised to .95 of the best score of code.

m is min-max over the pool, so the arms meet on one scale: convex combination, which beats reciprocal rank
fusion where scores carry information (Bruch, Gai & Ingber, TOIS 2023; on conversations RRF fell below BM25
alone). A missing vector counts as the low end of the present ones: lexical order decides behind the embedded
candidates. Constants may be multiplied by factors that a user fitted (`scaled`). Each step is linear in its
signals, so every candidate keeps the share of each signal and the shares add up to its score.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

import numpy as np

from daypack.rank.bm25 import LexicalScores
from daypack.types.arrays import Bools, Floats, Ints
from daypack.types.tuned_weights import ChunkKind, Factors

_SHARES_OF = (
    *("bm25", "bm25_context", "dense", "dense_context", "symbol", "name", "trace", "exact"),
    *("coherence", "author", "link", "prior", "calls", "file", "path", "wording", "nearest"),
)
TINY = 1e-9  # the inverse of a smaller best score would overflow
NARROWEST = 0.15  # of the best score by words in context
NARROWEST_WORDING = (
    0.2  # the least range of `wording`: min-max would stretch a slight difference to a whole one
)


class BlendWeights(NamedTuple):
    """Constants of the blend. Evidence: docs/decisions/006-constants.md."""

    dense: float = 0.5  # prose; flat from .4 to .6
    dense_alone: float = 0.6  # prose without neighbours; .55 to .65 is flat
    dense_event: float = 0.4
    dense_code: float = 0.45  # .4 to .5 is flat
    context: float = 0.5  # share of the view in context in both arms; code has none
    context_event: float = 0.5
    coherence: float = 0.6
    coherence_event: float = 0.6
    author: float = 0.15
    author_event: float = 0.15
    link: float = 0.3
    wording: float = 0.1  # of the best score
    nearest: float = 0.95  # of the best score of code
    steep_code: float = 1.0  # power of both arms; above 1, a candidate half as good counts less than half
    symbol: float = 0.4
    name: float = 0.1  # .05 to .15 is flat
    exact: float = 0.4  # guess
    file: float = 0.2
    # of the best chunk of a file, which represents it: the weight of the file's score beyond `file`, and the share of the
    # way from its own score up to the file's
    lead: float = 0.4
    stand: float = 1.0
    calls: float = 0.25  # of the chunks of a file, not of the file
    whole_file: float = 0.2


_FACTORED: Mapping[ChunkKind, Mapping[str, tuple[str, ...]]] = {
    ChunkKind.PROSE: {
        "dense": ("dense", "dense_alone"),
        "context": ("context",),
        "coherence": ("coherence",),
    },
    ChunkKind.EVENTS: {
        "dense": ("dense_event",),
        "context": ("context_event",),
        "coherence": ("coherence_event",),
        "author": ("author_event",),
    },
    ChunkKind.CODE: {"dense": ("dense_code",), "name": ("symbol", "name"), "file": ("file",)},
}
_SHARES = frozenset({"dense", "dense_alone", "dense_event", "dense_code", "context", "context_event"})


def scaled(weights: BlendWeights, factors: Factors) -> BlendWeights:
    """Weights times fitted factors, of which 1 changes nothing; shares of a whole stay within [0, 1]."""
    changed: dict[str, float] = {}
    for kind, named in factors.items():
        for name, factor in named.items():
            for field in _FACTORED[kind][name]:
                value = getattr(weights, field) * factor
                changed[field] = min(1.0, value) if field in _SHARES else value
    return weights._replace(**changed) if changed else weights


class Features(NamedTuple):
    """A pool of candidates: each column has one value a candidate. NaN in a dense column: no vector yet."""

    unit: Floats
    context: Floats
    file: Floats
    dense: Floats
    dense_context: Floats
    code: Bools
    event: Bools
    alone: Bools  # the only chunk of its record or session
    section: Ints
    section_size: Ints  # existing chunks of the section in the store; 1 for code
    record: Ints
    symbol: Floats  # definition boost, 0 to 1.5
    name: Floats  # share of the words of the symbol's name that are in the query, 0 to 1; 0 for a name of one word
    trace: Floats  # stack frame boost, 0 to .6; of a line that the query names, up to 1.6
    path: Floats  # the query names the file: added to its file score
    # the text holds a string that the query quotes: 1 in prose, in code less the more chunks hold it, 0 to 1; a text that
    # repeats a sentence of the query, and code that holds a pasted message or a key, 0 to 4
    exact: Floats
    author: Floats  # 1 where the query names the author, more where the author is its asker
    # quality of the best hit that names the record by its title, 0 to 1, or up to 3 where that hit is the
    # subject of the question; at least 1.5 where the question says the title; 0 until the pool was ranked once
    link: Floats
    page: Bools  # of documentation; nothing but its folder and the form of the question holds it back
    prior: Floats  # of the path: 1, less for tests and vendored code
    calls: Floats  # how many calls a text of code has, for a question, 0 to 1
    time: Floats  # 1 inside the time the query names or when it names none, less outside
    wording: Floats  # share of the question that the text expresses, 0 to 1 (texts/wording.py); NaN for an unread text


class Blend(NamedTuple):
    """Scores of a pool, and what each signal added: shares[name] sums over names to `score`."""

    score: Floats
    raw: dict[str, Floats]
    shares: dict[str, Floats]


class Pool(NamedTuple):
    """The candidates of one query before their texts are read, one row each, and facts about the query in the store."""

    positions: Ints  # in the snapshot, rising
    chunk_ids: Ints
    imports: Bools  # the chunk is the imports of its file
    features: Features
    lexical: LexicalScores
    corrections: Mapping[str, str]  # word of the query → word of the store
    in_scope: int  # living chunks inside the filter
    best_coverage: float  # the largest share of the query's idf mass that one chunk holds
    holds_half: bool  # one chunk holds at least half of the query terms
    unknown: tuple[str, ...]  # words of the query that no chunk in scope holds, as written
    lacking: int  # living chunks that have none of the unknown words: those in scope, or all
    anchors_missing: tuple[str, ...]
    titles: Mapping[int, str]  # of its records, by id
    of_release: bool = False  # it has chunks about a release that the query asks for
    of_days: bool = False  # it has chunks about days that the query names

    def cosines(self) -> dict[int, float]:
        """The cosine of each chunk that has a vector, by chunk id."""
        known = ~np.isnan(self.features.dense)
        return dict(zip(self.chunk_ids[known].tolist(), self.features.dense[known].tolist(), strict=True))


class Scored(NamedTuple):
    """A ranked pool: chunk ids best first, with the share of each signal."""

    chunk_ids: Ints
    scores: Floats
    blend: Blend
    order: Ints  # rows of the blend, best first
    imports: Bools  # for each chunk, best first: True when it is the imports of its file

    @property
    def best_alone(self) -> Scored:
        """The pool with its best chunk alone."""
        ids, scores, blend, order, imports = self
        return Scored(ids[:1], scores[:1], blend, order[:1], imports[:1])


def min_max(values: Floats, narrowest: float = TINY) -> Floats:
    """Values on [0, 1]; NaN stays NaN. Equal values become 1 where positive, else 0; a range below `narrowest` counts as that."""
    if not len(values):
        return values
    low, high = np.fmin.reduce(values), np.fmax.reduce(values)  # NaN only where all are
    if np.isnan(high):
        return values
    if high - low < TINY:
        return np.where(np.isnan(values), np.nan, np.float32(1.0 if high > 0 else 0.0)).astype(np.float32)
    scaled: Floats = ((values - low) / max(high - low, narrowest)).astype(np.float32, copy=False)
    return scaled


def below_best(values: Floats) -> Floats:
    """Scores in context on [0, 1], the best one 1. Over a range below NARROWEST of the best score a small difference stays
    small: sections of one page share their heading, and the least of a few is not 0.
    """
    high = float(values.max(initial=0.0))
    if high < TINY:
        return np.zeros_like(values)
    span = max(high - float(values.min()), NARROWEST * high)
    return (1 - (high - values) / span).astype(np.float32, copy=False)


def _filled(values: Floats) -> Floats:
    """The values with NaN replaced by the first quartile of the known ones."""
    unknown = np.isnan(values)
    if not unknown.any():
        return values
    known = values[~unknown]
    if not len(known):
        return np.zeros_like(values)
    return np.where(unknown, first_quartile(known), values).astype(np.float32)


def first_quartile(values: Floats) -> np.float32:
    """The value a quarter of the way up from the lowest, between two values on the line that joins them.

    As `np.quantile`, which imports numpy.ma the first time: 15 ms of a cold question.
    """
    ordered = np.sort(values)
    below, quarters = divmod(len(ordered) - 1, 4)
    low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    share = np.float32(quarters / 4)
    # from the nearer end, which rounds as numpy does
    return np.float32(low + (high - low) * share if share < 0.5 else high - (high - low) * (1 - share))


def _numbered(groups: Ints) -> tuple[Ints, int]:
    """(the index of each value among the distinct values, their count), in half the time of `np.unique`."""
    order = groups.argsort(kind="stable")
    ordered = groups[order]
    begins = np.ones(len(groups), dtype=np.int64)
    np.not_equal(ordered[1:], ordered[:-1], out=begins[1:])
    numbers = begins.cumsum()
    numbers -= 1
    index = np.empty_like(numbers)
    index[order] = numbers
    return index, int(numbers[-1]) + 1 if len(numbers) else 0


def _top_sum(values: Floats, groups: Ints, weights: Floats) -> Floats:
    """For each candidate the weighted sum of the best values of its group."""
    order = np.lexsort((-values, groups))
    ordered = groups[order]
    begins = np.ones(len(groups), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=begins[1:])
    starts = begins.nonzero()[0]
    index = begins.cumsum() - 1
    rank_in_group = np.arange(len(values)) - starts[index]
    chosen = rank_in_group < len(weights)
    sums = np.bincount(index[chosen], weights=values[order[chosen]] * weights[rank_in_group[chosen]])
    result = np.empty(len(values), dtype=np.float32)
    result[order] = sums[index]
    return result


def _is_best(values: Floats, groups: Ints) -> Bools:
    """True for the best of each group, and for all that equal it."""
    index, count = _numbered(groups)
    best = np.full(count, -np.inf, dtype=np.float32)
    np.maximum.at(best, index, values)
    is_best: Bools = values >= best[index]
    return is_best


def _over_best(values: Floats) -> Floats:
    best = values.max() if len(values) else 0.0
    return values / best if best > TINY else values


def blend(features: Features, weights: BlendWeights) -> Blend:
    """Score a pool. The order of the candidates does not matter."""
    code = features.code
    has_code = bool(code.any())
    # One row a signal, in the order of _SHARES_OF, filled step by step.
    shares = np.zeros((len(_SHARES_OF), len(code)), dtype=np.float32)
    row = dict(zip(_SHARES_OF, shares, strict=True))

    _fill_arms(row, features, weights)
    base = _sum(shares[:4])
    coherence = _coherence(base, features)
    if has_code:
        shares[:4] *= _to_best_code(base, code)
    _fill_signals(row, coherence, features, weights)

    # A document that the query names by path is wanted, prose or not.
    prior = features.prior * features.time
    np.multiply(prior - 1, _sum(shares), out=row["prior"])

    file_score = np.zeros(len(code), dtype=np.float32)
    if has_code:
        current = _sum(shares)
        file_score[code] = _file_scores(current, features, weights)
        _fill_file(row, current, file_score, features, weights)
    np.multiply(features.path, ~code, out=row["path"])

    coherence_weight = np.where(features.event, weights.coherence_event, weights.coherence)
    shares *= np.where(code, 1 / (1 + weights.file + weights.lead), 1 / (1 + coherence_weight)).astype(
        np.float32
    )
    read = ~np.isnan(features.wording)
    if read.any():
        _add_wording(shares, row["wording"], features.wording, weights)
    score = _sum(shares)
    row["nearest"][:] = _to_second_place(score, score - row["exact"] - row["trace"], features, weights)
    raised = bool(row["nearest"].any())
    raw = {
        "bm25": features.unit, "bm25_context": features.context, "dense": features.dense, "dense_context": features.dense_context,
        "symbol": features.symbol, "name": features.name, "trace": features.trace, "exact": features.exact, "coherence": coherence, "author": features.author, "link": features.link,
        "prior": prior, "calls": features.calls, "file": file_score, "path": features.path,
        "wording": np.where(read, features.wording, np.float32(0)), "nearest": np.sign(row["nearest"]),
    }  # fmt: skip
    return Blend(_sum(shares) if raised else score, raw, row)


def _fill_arms(row: Mapping[str, Floats], features: Features, weights: BlendWeights) -> None:
    """Write the shares of both arms, for the chunk itself and for its context, into their rows."""
    code, event = features.code, features.event
    unit, context = min_max(features.unit), below_best(features.context)
    dense, dense_context = _filled(min_max(features.dense)), _filled(min_max(features.dense_context))
    prose_weight = np.where(features.alone, weights.dense_alone, weights.dense)
    dense_weight = np.where(code, weights.dense_code, np.where(event, weights.dense_event, prose_weight))
    if np.isnan(features.dense).all():  # no vectors
        dense_weight = np.zeros(len(unit))
    dense_weight = dense_weight.astype(np.float32)
    lexical_weight = 1 - dense_weight
    if weights.steep_code != 1:
        unit, dense = (np.where(code, arm**weights.steep_code, arm) for arm in (unit, dense))
    in_context = np.where(code, 0, np.where(event, weights.context_event, weights.context)).astype(np.float32)
    alone = 1 - in_context
    np.multiply(lexical_weight * alone, unit, out=row["bm25"])
    np.multiply(lexical_weight * in_context, context, out=row["bm25_context"])
    np.multiply(dense_weight * alone, dense, out=row["dense"])
    np.multiply(dense_weight * in_context, dense_context, out=row["dense_context"])


def _coherence(base: Floats, features: Features) -> Floats:
    """The mean of the three best base scores of the section, for prose and events; 0 for code."""
    prose = ~features.code
    coherence = np.zeros(len(base), dtype=np.float32)
    if prose.any():
        sums = _top_sum(base[prose], features.section[prose], np.ones(3, dtype=np.float32))
        coherence[prose] = sums / np.minimum(3, np.maximum(features.section_size[prose], 1))
    return coherence


def _to_best_code(base: Floats, code: Bools) -> Floats:
    """Factors that make the best code 1; beside better prose only its share of the best prose, so that weak code stays weak."""
    best_code = float(base[code].max())
    factors = np.where(code, 1 / best_code if best_code > TINY else 1.0, 1.0).astype(np.float32)
    best_prose = float(base[~code].max(initial=0.0))
    if best_prose > best_code > TINY:
        factors = np.where(code, factors * best_code / best_prose, factors).astype(np.float32)
    return factors


def _fill_signals(
    row: Mapping[str, Floats], coherence: Floats, features: Features, weights: BlendWeights
) -> None:
    """Write the shares of the signals between the arms and the prior into their rows."""
    code, event = features.code, features.event
    prose = ~code
    if code.any():
        np.multiply(weights.symbol * features.symbol, code, out=row["symbol"])
        np.multiply(weights.name * features.name, code, out=row["name"])
    row["trace"][:] = features.trace
    np.multiply(weights.exact, features.exact, out=row["exact"])
    if prose.any():
        weight = np.where(event, weights.coherence_event, weights.coherence).astype(np.float32)
        np.multiply(weight * coherence, prose, out=row["coherence"])
        author = np.where(event, weights.author_event, weights.author).astype(np.float32)
        np.multiply(author * features.author, prose, out=row["author"])
        np.multiply(weights.link * features.link, prose, out=row["link"])


def _fill_file(
    row: Mapping[str, Floats], scores: Floats, by_files: Floats, features: Features, weights: BlendWeights
) -> None:
    """Write the shares that each chunk of code gets for its calls and from the score of its file into their rows."""
    by_file = np.where(features.code, max(float(scores[features.code].max()), 0.0) * by_files, 0)
    calls = weights.calls * features.calls
    # The best chunk of a file stands for it, so that the order of chunks begins as the order of files does. Calls choose it, and
    # lift no chunk above its file: a file with more calls is no better.
    stands = features.code & _is_best(scores + calls, features.record)
    room = np.maximum(0, by_file - scores)
    np.minimum(calls, room, out=row["calls"])
    lead = weights.lead * by_file + weights.stand * (room - row["calls"])
    row["file"][:] = weights.file * by_file + np.where(stands, lead, 0)


def _add_wording(shares: Floats, row: Floats, wording: Floats, weights: BlendWeights) -> None:
    """Write the share of the wording into its row, and scale all shares down to make room for it."""
    # On the scale of the best score, so that it counts alike in code and in prose.
    best = max(0.0, float(_sum(shares).max(initial=0.0)))
    likeness = np.where(np.isnan(wording), np.float32(0), min_max(wording, NARROWEST_WORDING))
    np.multiply(weights.wording * np.float32(best), likeness, out=row)
    if row.any():
        shares /= np.float32(1 + weights.wording)


def _file_scores(scores: Floats, features: Features, weights: BlendWeights) -> Floats:
    """The score of the file of each chunk of code, from the scores of its chunks; 1 for the best file."""
    code = features.code
    falling = np.asarray([1, 0.5, 0.25, 0.125, 0.0625], dtype=np.float32)
    units = _over_best(_top_sum(scores[code], features.record[code], falling))
    whole = _over_best(features.file[code] * features.prior[code])
    # The words of a file of one chunk are those of the chunk: counted again, they would weigh twice.
    whole = np.where(features.alone[code], units, whole)
    return _over_best((1 - weights.whole_file) * units + weights.whole_file * whole + features.path[code])


def _to_second_place(scores: Floats, unnamed: Floats, features: Features, weights: BlendWeights) -> Floats:
    """The share that raises the page with the highest cosine, if that is above the cosine of all code: a question whose
    form asks for code may have its answer on a page. `unnamed` are the scores without `exact` and `trace`.
    """
    code, page = features.code, features.page
    added = np.zeros(len(scores), dtype=np.float32)
    if code.any() and page.any():
        cosines = np.where(np.isnan(features.dense), np.float32(-1), features.dense)
        nearest = float(cosines[page].max())
        if nearest > cosines[code].max():
            place = weights.nearest * float(unnamed[code].max())
            added = np.where(page & (cosines == nearest), np.maximum(0, place - scores), 0).astype(np.float32)
    return added


def _sum(shares: Floats) -> Floats:
    """The sum of all rows, added one after another in double."""
    total: Floats = np.add.reduce(shares, axis=0, dtype=np.float64, initial=0.0).astype(np.float32)
    return total


def without_vectors(features: Features) -> Features:
    """The same features without vectors."""
    nothing = np.full(len(features.unit), np.nan, dtype=np.float32)
    return features._replace(dense=nothing, dense_context=nothing)
