"""Ranking of retrieved records: the weighted ranking, questions that list several things, near duplicates.

Pure: values in, values out. Ages are given, not looked up.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping, Sequence

from daypack.doors.sources.types import RetrievedSource, Source, SourceWeights
from daypack.text import analysis

NEAR_DUPLICATE = 0.82  # Jaccard index of the words of two items, from which an assembly shows only one

# ---------------------------------------------------------------- the weighted ranking

_TOKEN = re.compile(r"[a-z0-9]{2,}")


def words_of(text: str) -> frozenset[str]:
    """Runs of two and more ASCII letters and digits: the words of the weighted ranking."""
    return frozenset(_TOKEN.findall(text.lower()))


def overlap(query: Collection[str], text: Collection[str]) -> float:
    """Common words over the geometric mean of how many each has; 0 when either has none."""
    a, b = set(query), set(text)
    return len(a & b) / math.sqrt(len(a) * len(b)) if a and b else 0.0


def jaccard(one: Collection[str], other: Collection[str]) -> float:
    a, b = set(one), set(other)
    return len(a & b) / len(a | b) if a | b else 0.0


def keyword_parts(query: Collection[str], record: Source, ordinal: int, weights: SourceWeights) -> float:
    """The sum of the keyword bonuses, not yet weighed."""
    words = set(query)
    paths = [item.path for item in record.structured_fields]
    return (
        weights.title_words * bool(words & words_of(record.title))
        + weights.tag_words * bool(words & words_of(" ".join(record.tags)))
        + weights.field_words * bool(words & words_of(" ".join(paths)))
        + weights.key_words * bool(words & words_of(record.source_key))
        + weights.first_chunk * (ordinal == 0)
    )


def age_bonus(kind: str, age_days: float, weights: SourceWeights) -> float:
    """`fresh` up to the share `decay_start` of the largest age of the kind, then linear down to `stale` at
    that age and beyond.
    """
    most = weights.max_age_days_of.get(kind, weights.max_age_days)
    share = age_days / most if most > 0 else 1.0
    if share <= weights.decay_start:
        return weights.fresh
    if share >= 1:
        return weights.stale
    return weights.fresh + (weights.stale - weights.fresh) * (share - weights.decay_start) / (
        1 - weights.decay_start
    )


def signals(
    query: str, text: str, record: Source, *, ordinal: int, semantic: float, weights: SourceWeights
) -> dict[str, float]:
    """The signals of one chunk before they are weighed; `semantic` is a cosine, negative ones count as 0."""
    words = words_of(query)
    return {
        "semantic_score": max(0.0, semantic),
        "lexical_score": overlap(words, words_of(text)),
        "keyword_bonus": keyword_parts(words, record, ordinal, weights),
    }


def weighted_parts(
    found: Mapping[str, float],
    record: Source,
    *,
    age_days: float,
    source_keys: Collection[str],
    tags: Collection[str],
    weights: SourceWeights,
) -> dict[str, float]:
    """The parts of a chunk's score in the weighted ranking: weighed signals, then the bonuses."""
    kind, scope = record.kind.value, record.scope.value
    return {
        "semantic": weights.semantic * found["semantic_score"],
        "lexical": weights.lexical * found["lexical_score"],
        "keyword": weights.keyword * found["keyword_bonus"],
        "metadata_bonus": max(
            weights.key_match * (record.source_key in source_keys),
            weights.tag_match * bool(set(tags) & set(record.tags)),
        ),
        "record_rank_bonus": weights.kinds.get(kind, 0.0),
        "scope_priority_bonus": weights.scopes.get(scope, 0.0),
        "age_decay_factor": age_bonus(kind, age_days, weights),
    }


def reranked(items: Sequence[RetrievedSource], limit: int, weights: SourceWeights) -> list[RetrievedSource]:
    """The items by weighted score: those with most meaning, and most words, a multiple of the limit."""
    pools = (("semantic", weights.semantic_candidates), ("lexical", weights.lexical_candidates))
    pooled: set[int] = set()
    for part, times in pools:
        best = sorted(items, key=lambda item: (-item.parts[part], item.chunk_id))
        pooled.update(item.chunk_id for item in best[: limit * times])
    return sorted(
        (item for item in items if item.chunk_id in pooled), key=lambda item: (-item.score, item.chunk_id)
    )


# ---------------------------------------------------------------- names

_WORD = re.compile(r"\w[\w'’-]*")


def holding_all_names(query: str, items: Sequence[RetrievedSource]) -> list[RetrievedSource]:
    """The items, of those without a text near the question, that hold all its names, in their order; none for
    a question without a name.
    """
    return _names_and_holders(query, items)[1]


def _names_and_holders(
    query: str, items: Sequence[RetrievedSource]
) -> tuple[set[str], list[RetrievedSource]]:
    """The names of a question, and the items that hold all these.

    A name is a word that some of the texts write with a capital and none without: the texts know its bearer,
    even where they describe it in other words.
    """
    words = [set(_WORD.findall(item.text)) for item in items]
    known = set().union(*words)
    names = {
        word
        for word in _WORD.findall(query)
        if word[:1].isupper()
        and len(word) > 1
        and word in known
        and word.lower() not in known
        and not analysis.STOP_TERMS.issuperset(analysis.terms(word))
    }
    return names, [item for item, found in zip(items, words, strict=True) if names and names <= found]


def holders_of_a_thing(
    query: str, thing: str, items: Sequence[RetrievedSource], worthy: Collection[int]
) -> set[int]:
    """The ids of the items that hold all names of the question and match one thing that it lists.

    A name alone does not match. Those with the most words of the thing match it, if they have more than half. Where no text
    has that many, texts may have other words for the thing, and the `worthy` items match it.
    """
    names, holders = _names_and_holders(query, items)
    wanted = set(_own_terms(_WORD.findall(thing), names))
    shared = {item.chunk_id: len(wanted.intersection(analysis.terms(item.text))) for item in items}
    ids = {item.chunk_id for item in holders}
    if 2 * max(shared.values(), default=0) <= len(wanted):
        return ids.intersection(worthy)
    most = max((shared[chunk_id] for chunk_id in ids), default=0)
    return {chunk_id for chunk_id in ids if shared[chunk_id] == most} if 2 * most > len(wanted) else set()


# ---------------------------------------------------------------- lists

_BETWEEN = re.compile(r"[,;:]|\b(?:and|or)\b")
MOST_LISTED = 4  # things of a question that are asked one by one; each costs a ranking


def listed_things(query: str) -> list[str]:
    """The things that a question lists, each as a question of its own with the names of the whole; none for a
    question about one thing.

    "What did Okonkwo say of locked gates, river tolls and the new weir?" asks for three things, and an answer
    to one says nothing of the others. A thing is a part between commas or "and" that has two words of its own
    beside stop words; a name is a word with a capital that does not begin the question.
    """
    names = [word for word in _WORD.findall(query)[1:] if word[:1].isupper()]
    found = []
    for part in _BETWEEN.split(query):
        words = _WORD.findall(part)
        if len(_own_terms(words, names)) >= 2:
            found.append(
                " ".join([part.strip(" ?.!"), *(name for name in dict.fromkeys(names) if name not in words)])
            )
    return found[:MOST_LISTED] if len(found) > 1 else []


def _own_terms(words: Sequence[str], names: Collection[str]) -> list[str]:
    """The terms of words that are neither names nor stop words."""
    return [
        term
        for word in words
        if word not in names
        for term in analysis.terms(word)
        if term not in analysis.STOP_TERMS
    ]


# ---------------------------------------------------------------- near duplicates


def without_near_duplicates(
    items: Sequence[RetrievedSource],
) -> tuple[list[RetrievedSource], list[RetrievedSource]]:
    """(kept, near duplicates of one that is kept), in order."""
    kept: list[tuple[RetrievedSource, frozenset[str]]] = []
    dropped: list[RetrievedSource] = []
    for item in items:
        words = words_of(item.text)
        if words and any(jaccard(words, other) >= NEAR_DUPLICATE for _, other in kept):
            dropped.append(item)
        else:
            kept.append((item, words))
    return [item for item, _ in kept], dropped
