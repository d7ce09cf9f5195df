"""Rewording: the words of the best texts of a pool are compared with those of the question, one by one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import islice

import numpy as np

from daypack.ports import StaticTable
from daypack.rank.blend import Pool
from daypack.rank.texts.wording import LOOKED_AT, MOST_WORDS, wording
from daypack.rank.views import LexicalView
from daypack.text import analysis
from daypack.types import Query
from daypack.types.arrays import Ints


def reworded(
    pool: Pool,
    order: Ints,
    query: Query,
    view: LexicalView,
    texts_of: Callable[[Sequence[int]], Mapping[int, str]],
    table: StaticTable,
) -> Pool:
    """The pool with the feature `wording` of its first rows in `order`; `texts_of` reads the texts of chunks.

    Raises ModelError.
    """
    rows = order[:LOOKED_AT]
    ids = pool.chunk_ids[rows].tolist()
    texts = texts_of(ids)
    titles = [pool.titles.get(record_id, "") for record_id in view.record_ids[pool.positions[rows]].tolist()]
    titled = [
        f"{title}\n{texts[id_]}" if id_ in texts else "" for id_, title in zip(ids, titles, strict=True)
    ]
    column = np.full(len(pool.positions), np.nan, dtype=np.float32)
    question = _rarity(table.words_of(query.text), pool)
    column[rows] = wording(question, [table.words_of(text) for text in titled], table.embed_words)
    return pool._replace(features=pool.features._replace(wording=column))


def _rarity(words: list[str], pool: Pool) -> dict[str, float]:
    """The words of a question but stop words → their idf; a word that no chunk in scope holds counts as the rarest."""
    idf = {term.term: term.idf for term in pool.lexical.terms}
    rarest = float(np.log1p((pool.in_scope + 0.5) / 0.5))
    rarity: dict[str, float] = {}
    for word in words:
        stem = next(iter(analysis.terms(word)), "")
        if stem and word not in analysis.STOP_WORDS and stem not in analysis.STOP_TERMS:
            rarity[word] = idf.get(stem, rarest)
    return dict(islice(rarity.items(), MOST_WORDS))
