"""The profile "ctx": Reciprocal Rank Fusion of a stemmed and a trigram list, and a little for query words
that are close together.

    rrf(c) = sum over lists of 1 / (60 + rank of c in it)                    Cormack, Clarke & Büttcher, SIGIR 2009
    score(c) = rrf(c) * (1 + .05 * proximity(c)),   proximity = words found / words asked * 1 / (1 + spread)

This follows the search tool that agents know as ctx_search, without two faults that lower its quality: chunks
are fused by identity and not by title, and proximity lifts a chunk by three ranks at most instead of
replacing its rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

K = 60
# 0.02 to 0.2 is flat; 0.5 overrides thirty ranks, and costs four points of RR on long conversations
PROXIMITY = 0.05
SHORTEST = 3  # letters, of a word that is looked for inside others
MOST_WORDS = 300  # of a word that contains another
ENDING = 4  # letters that a stemmer may have taken from the end of the word that holds it


def containing(words: Iterable[str], vocabulary: Sequence[str]) -> dict[str, float]:
    """Terms of the vocabulary that may contain a word of the query, each with the word's share of the term:
    the matches of trigrams.

    The vocabulary holds stems; `harbourmast` may have been "harbourmaster". So a word also matches a stem
    that ends inside the word. The text itself decides (`stands_in`).
    """
    shares: dict[str, float] = {}
    for word in words:
        if len(word) < SHORTEST:
            continue
        begins = tuple(word[:length] for length in range(max(SHORTEST, len(word) - ENDING), len(word)))
        inside = [term for term in vocabulary if word in term or term.endswith(begins)]
        for term in sorted(inside, key=lambda term: (len(term), term))[:MOST_WORDS]:
            shares[term] = max(shares.get(term, 0.0), min(1.0, len(word) / len(term)))
    return shares


def stands_in(words: Iterable[str], text: str) -> bool:
    """True when a word occurs in a text as written, alone or inside another word."""
    lower = text.lower()
    return any(word in lower for word in words if len(word) >= SHORTEST)


def fuse(lists: Mapping[str, Sequence[int]]) -> dict[int, dict[str, float]]:
    """Candidate → the sum of the shares of each list that holds it."""
    shares: dict[int, dict[str, float]] = {}
    for name, ranked in lists.items():
        for rank, candidate in enumerate(ranked, 1):
            shares.setdefault(candidate, {})[name] = 1 / (K + rank)
    return shares


def proximity(words: Sequence[str], terms: frozenset[str], terms_of: Callable[[str], Sequence[str]]) -> float:
    """In [0, 1]: the share of the terms that occur in a text, and the closeness of their nearest occurrences."""
    places: list[tuple[int, str]] = [
        (at, term) for at, word in enumerate(words) for term in terms_of(word) if term in terms
    ]
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
