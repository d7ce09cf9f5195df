"""Rewording: the best texts of a pool are read, and compared with the question word by word."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from daypack.index.store import Store
from daypack.ports import StaticTable
from daypack.rank.blend import Pool
from daypack.rank.wording import LOOKED_AT, MOST_WORDS, wording
from daypack.text import analysis
from daypack.types import Query

if TYPE_CHECKING:
    from numpy.typing import NDArray


def reworded(pool: Pool, order: NDArray[np.int64], query: Query, store: Store, table: StaticTable) -> Pool:
    """The pool with the wording of its first rows in `order`. Raises ModelError."""
    rows = order[:LOOKED_AT]
    ids = pool.chunk_ids[rows].tolist()
    chunks = store.chunks(ids)
    said = [f"{chunk.title}\n{chunk.text}" if (chunk := chunks.get(id_)) else "" for id_ in ids]
    column = np.full(len(pool.positions), np.nan, dtype=np.float32)
    question = _rarity(table.words_of(query.text), pool)
    column[rows] = wording(question, [table.words_of(text) for text in said], table.embed_words)
    return pool._replace(features=pool.features._replace(wording=column))


def _rarity(words: list[str], pool: Pool) -> dict[str, float]:
    """The words of a question with their idf, stop words apart; a word that no chunk in scope holds is the rarest."""
    idf = {term.term: term.idf for term in pool.lexical.terms}
    rarest = float(np.log1p((pool.in_scope + 0.5) / 0.5))
    found: dict[str, float] = {}
    for word in words:
        stem = next(iter(analysis.terms(word)), "")
        if stem and word not in analysis.STOP_WORDS and stem not in analysis.STOP_TERMS:
            found[word] = idf.get(stem, rarest)
    return dict([*found.items()][:MOST_WORDS])
