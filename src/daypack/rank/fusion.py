"""The profile "ctx": Reciprocal Rank Fusion of a stemmed and a trigram list, and a little for query words that stand close together.

    rrf(c) = sum over lists of 1 / (60 + rank of c in it)                    Cormack, Clarke & Büttcher, SIGIR 2009
    score(c) = rrf(c) * (1 + ½ * proximity(c)),   proximity = words found / words asked * 1 / (1 + spread)

As the search tool does that agents know by the name ctx_search, but for what lowers its quality there: chunks are fused by what they
are and not by their title, and proximity adds to the rank instead of replacing it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

K = 60
PROXIMITY = 0.5
SHORTEST = 3  # letters, of a word that is looked for inside others
MOST_WORDS = 300  # that one word is found inside of


def containing(terms: Iterable[str], vocabulary: Sequence[str]) -> dict[str, float]:
    """Words of the vocabulary in which a term of the query stands, each with the share of it that the term is: what trigrams match."""
    found: dict[str, float] = {}
    for term in terms:
        if len(term) < SHORTEST:
            continue
        inside = sorted((word for word in vocabulary if term in word), key=lambda word: (len(word), word))[:MOST_WORDS]
        for word in inside:
            found[word] = max(found.get(word, 0.0), len(term) / len(word))
    return found


def fuse(lists: Mapping[str, Sequence[int]]) -> dict[int, dict[str, float]]:
    """Candidate → what each list that holds it adds."""
    shares: dict[int, dict[str, float]] = {}
    for name, ranked in lists.items():
        for rank, candidate in enumerate(ranked, 1):
            shares.setdefault(candidate, {})[name] = 1 / (K + rank)
    return shares


def proximity(words: Sequence[str], terms: frozenset[str], terms_of: Callable[[str], Sequence[str]]) -> float:
    """In [0, 1]: how many of the terms stand in a text, and how close the nearest occurrences of those are."""
    places: list[tuple[int, str]] = [(at, term) for at, word in enumerate(words) for term in terms_of(word) if term in terms]
    present = {term for _, term in places}
    if len(present) < 2:
        return 0.0
    last: dict[str, int] = {}
    spread = len(words)
    for at, term in places:
        last[term] = at
        if len(last) == len(present):
            spread = min(spread, at - min(last.values()) + 1 - len(present))
    return len(present) / len(terms) / (1 + max(0, spread) / len(present))
