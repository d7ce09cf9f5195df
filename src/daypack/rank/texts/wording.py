"""Wording: the share of a question that a text expresses, in the same words or similar ones.

    question   "which dietary restrictions apply?"
    text       "The kitchen forbids pork."      dietary ~ pork .3, restrictions ~ forbids .7

The lexical arms count equal words alone; the dense arms compare whole texts, in which the word that decides is one of
many. Here each word of the question counts by its rarity (idf), times the cosine of the nearest word of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from daypack.types.arrays import Floats

LOOKED_AT = 20  # best chunks whose texts are read; 20 to 60 is flat
MOST_WORDS = 64  # of a question
FAR = 0.3  # cosine of words that have nothing in common; .2 to .5 is flat


def wording(
    question: Mapping[str, float],
    texts: Sequence[Sequence[str]],
    vectors_of: Callable[[Sequence[str]], Floats],
) -> Floats:
    """The share of a question that each text says, 0 to 1; float32, (texts,).

    `question` holds the idf of its words, `texts` the different words of each, and `vectors_of` gives words unit vectors,
    one a row, or zeros for an unknown word.
    """
    places: dict[str, int] = {}
    columns = [[places.setdefault(word, len(places)) for word in text] for text in texts]
    shares = np.zeros(len(texts), dtype=np.float32)
    if not (question and places):
        return shares
    # Not by a product of matrices: threads of BLAS would spin on after it, for more CPU than the whole question takes.
    cosines = np.vecdot(vectors_of([*question])[:, None], vectors_of([*places])[None])
    for row, word in enumerate(question):
        if word in places:
            cosines[row, places[word]] = 1
    likeness = np.clip((cosines - FAR) / (1 - FAR), 0, 1)
    rarity = np.asarray([*question.values()], dtype=np.float32)
    rarity /= rarity.sum()
    for number, of_text in enumerate(columns):
        if of_text:
            shares[number] = rarity @ likeness[:, of_text].max(axis=1)
    return shares
