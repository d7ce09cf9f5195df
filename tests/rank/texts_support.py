"""Pools of texts for tests of signals that read them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from daypack.rank.bm25 import MatchedTerm
from daypack.rank.texts.pool import Texts
from daypack.text import analysis


def pool(question: str, texts: Sequence[str], code: Sequence[bool]) -> Texts:
    """The texts as a pool of that question."""
    terms = list(dict.fromkeys(analysis.terms(question)))
    tf = np.asarray([[analysis.terms(text).count(term) for text in texts] for term in terms], dtype=np.uint32)
    idf = np.log1p(len(texts) / np.maximum((tf > 0).sum(axis=1), 1))
    matched = [MatchedTerm(term, 1.0, float(idf[n]), n) for n, term in enumerate(terms)]
    return Texts(matched, tf, np.arange(len(texts)), np.asarray(code), lambda ids: {n: texts[n] for n in ids})
