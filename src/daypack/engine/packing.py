"""The arguments of a pack that come from outside `pack`: the counter, the shape and the texts of the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from daypack import tokens
from daypack.engine.ingest import CHUNK_TOKENIZER
from daypack.index.rows import RecordText
from daypack.index.store import Store
from daypack.pack.fit import Fitting
from daypack.pack.variants import Weigher
from daypack.ports import Shape
from daypack.types import Budget, Candidate, Chunk, Pack


def fitting_for(
    store: Store,
    budget: Budget,
    rungs: Sequence[Shape],
    shape: str,
    term_weights: Mapping[str, float],
    read: Mapping[int, RecordText],
) -> Fitting:
    """The inputs for fitting candidates to a budget. Texts of records come from `read` where it has them."""
    count = tokens.counter_of_like_texts(budget.tokenizer)

    @cache
    def text_of(record_id: int) -> str:
        return read[record_id].text if record_id in read else store.record_text(record_id)

    @cache
    def checked(record_id: int) -> str:
        return store.checked(read[record_id]) if record_id in read else text_of(record_id)

    def tokens_of(chunk: Chunk) -> int:
        return chunk.tokens if budget.tokenizer is CHUNK_TOKENIZER else count(chunk.text)

    return Fitting(
        count=count,
        render=rungs[0],
        ladder=rungs,
        text_of=text_of,
        checked=checked,
        tokens_of=tokens_of,
        weigher=Weigher(term_weights),
        shape=shape,
    )


def left_over(candidates: Sequence[Candidate], pack: Pack) -> list[Candidate]:
    """Candidates that a pack neither shows nor counts as duplicates of a shown one."""
    shown = {chunk_id for excerpt in pack.excerpts for chunk_id in excerpt.citation.chunk_ids}
    same = {one.chunk.id for one in pack.omitted.duplicate}
    return [one for one in candidates if one.chunk.id not in shown and one.chunk.id not in same]
