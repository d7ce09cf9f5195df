"""The profile "ctx": Reciprocal Rank Fusion of a stemmed and a trigram list, and a little for query words
that stand close together.

    rrf(c) = sum over lists of 1 / (60 + rank of c in it)                    Cormack, Clarke & Büttcher, SIGIR 2009
    score(c) = rrf(c) * (1 + .05 * proximity(c)),   proximity = words found / words asked * 1 / (1 + spread)

As the search tool does that agents know by the name ctx_search, but for what lowers its quality there: chunks
are fused by what they are and not by their title, and proximity lifts a chunk by three ranks at most instead
of replacing its rank.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

K = 60
# 0.02 to 0.2 is flat; 0.5 overrides thirty ranks, and costs four points of RR on long conversations
PROXIMITY = 0.05
SHORTEST = 3  # letters, of a word that is looked for inside others
MOST_WORDS = 300  # that one word is found inside of
ENDING = 4  # letters that a stemmer may have taken from the end of the word that holds it


def containing(words: Iterable[str], vocabulary: Sequence[str]) -> dict[str, float]:
    """Terms of the vocabulary in which a word of the query may stand, each with the share of it that the word
    is: what trigrams match.

    The vocabulary holds stems, of which `harbourmast` may have been "harbourmaster": a word is also looked
    for as far as a stem may end inside of it. Whether it stands there is seen in the text (`stands_in`).
    """
    found: dict[str, float] = {}
    for word in words:
        if len(word) < SHORTEST:
            continue
        begins = tuple(word[:length] for length in range(max(SHORTEST, len(word) - ENDING), len(word)))
        inside = [term for term in vocabulary if word in term or term.endswith(begins)]
        for term in sorted(inside, key=lambda term: (len(term), term))[:MOST_WORDS]:
            found[term] = max(found.get(term, 0.0), min(1.0, len(word) / len(term)))
    return found


def stands_in(words: Iterable[str], text: str) -> bool:
    """Whether a word stands in a text as written, alone or as a part of another one."""
    lower = text.lower()
    return any(word in lower for word in words if len(word) >= SHORTEST)


def fuse(lists: Mapping[str, Sequence[int]]) -> dict[int, dict[str, float]]:
    """Candidate → what each list that holds it adds."""
    shares: dict[int, dict[str, float]] = {}
    for name, ranked in lists.items():
        for rank, candidate in enumerate(ranked, 1):
            shares.setdefault(candidate, {})[name] = 1 / (K + rank)
    return shares


def proximity(words: Sequence[str], terms: frozenset[str], terms_of: Callable[[str], Sequence[str]]) -> float:
    """In [0, 1]: how many of the terms stand in a text, and how close the nearest occurrences of those are."""
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
