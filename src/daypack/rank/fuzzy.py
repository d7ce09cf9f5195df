"""Typo repair: a query term that the index does not have, against the vocabulary that it has.

The vocabulary is small where the text is large, so the words themselves are compared, never the text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

SHORTEST = 5  # below, every word is one letter from several others: file, fine, life
# shorter words are repaired only to words with the same first letter: bread is not read
SURE_OF_ITS_START = 6


def repairs(
    unknown: Sequence[str],
    asked: Collection[str],
    vocabulary: Callable[[], Sequence[str]],
    occurs: Callable[[str], bool],
) -> dict[str, str]:
    """Unknown query terms → the nearest word that occurs where the query looks, and is not `asked` for already."""
    found = {term: nearest_term(term, vocabulary(), occurs) for term in unknown}
    return {term: near for term, near in found.items() if near is not None and near not in asked}


def nearest_term(
    term: str, vocabulary: Sequence[str], occurs: Callable[[str], bool] = lambda _: True
) -> str | None:
    """The nearest term for which `occurs` is true, within one edit (two from eight letters on), or None.

    Swapped letters are one edit.
    """
    if len(term) < SHORTEST or not term.isalpha():
        return None
    from rapidfuzz import process
    from rapidfuzz.distance import OSA

    allowed = 2 if len(term) >= 8 else 1
    found = process.extract(term, vocabulary, scorer=OSA.distance, score_cutoff=allowed, limit=None)
    # Most typos spare the first letter; without this, short words turn into unrelated ones.
    near = ((distance, word[:1] != term[:1], word) for word, distance, _ in found if word.isalpha())
    wanted = sorted(item for item in near if len(term) >= SURE_OF_ITS_START or not item[1])
    return next((word for _, _, word in wanted if occurs(word)), None)
