"""The inputs of a pack that the engine adds: the counter, the texts of the store, the pages before it, and the items that
were sent before in its conversation.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

from daypack import tokens
from daypack.engine.ingest import CHUNK_TOKENIZER
from daypack.engine.limits import Stopping
from daypack.engine.questions import Conversation
from daypack.engine.retrieval.retriever import Ranked
from daypack.engine.visibility import Visibility
from daypack.errors import CannotWrite, PackNotKept
from daypack.index import sent as sent_table
from daypack.index.rows import RecordText
from daypack.index.store import Store
from daypack.pack.fit import Fitting
from daypack.pack.pointing import pointing_of
from daypack.pack.sent import Sent, SentSpan, digest_of, located
from daypack.pack.weigher import Weigher
from daypack.ports import Ladder
from daypack.types import Budget, Candidate, Chain, Chunk, EmptyReason, Pack

KEEP_SECONDS = 0.5  # for another process's write to end


def fitting_for(
    store: Store,
    budget: Budget,
    shape: str,
    ladder: Ladder,
    ranked: Ranked,
    record_texts: Mapping[int, RecordText],
    sent: Sent | None,
) -> Fitting:
    """The functions by which ranked candidates are fitted to a budget. Texts of records come from `record_texts` where it has them."""
    count = tokens.counter_of_like_texts(budget.tokenizer)

    @cache
    def text_of(record_id: int) -> str:
        return record_texts[record_id].text if record_id in record_texts else store.record_text(record_id)

    @cache
    def checked(record_id: int) -> str:
        return store.checked(record_texts[record_id]) if record_id in record_texts else text_of(record_id)

    def tokens_of(chunk: Chunk) -> int:
        return chunk.tokens if budget.tokenizer is CHUNK_TOKENIZER else count(chunk.text)

    return Fitting(
        count=count,
        render=ladder.forms[0],
        ladder=ladder,
        text_of=text_of,
        checked=checked,
        tokens_of=tokens_of,
        weigher=Weigher(ranked.term_weights, pointing_of(ranked.query)),
        shape=shape,
        sent=sent,
        companions=ranked.query.asks_for_change,
        changed=ranked.query.changed,
        spread=ranked.query.is_question,
        report=ranked.query.is_report,
    )


def page_of(
    pack_of: Callable[..., Pack], candidates: list[Candidate], page: int, stopping: Stopping
) -> tuple[list[Candidate], Pack]:
    """(the candidates that fit into no earlier page, the pack that `pack_of` gives for them); the first page is 1."""
    stopping.check()
    pack = first = pack_of(candidates)
    for _ in range(page - 1):
        if not pack.excerpts:
            break
        stopping.check()
        candidates = _left_over(candidates, pack)
        pack = pack_of(candidates)
    if pack is not first and first.excerpts and not pack.excerpts and pack.empty_reason is None:
        pack = pack_of(candidates, empty_reason=EmptyReason.NO_SUCH_PAGE)
    return candidates, pack


def _left_over(candidates: Sequence[Candidate], pack: Pack) -> list[Candidate]:
    """The candidates that a pack neither shows nor counts as duplicates."""
    shown = {chunk_id for excerpt in pack.excerpts for chunk_id in excerpt.citation.chunk_ids}
    same = {candidate.chunk.id for candidate in pack.omitted.duplicate}
    return [
        candidate
        for candidate in candidates
        if candidate.chunk.id not in shown and candidate.chunk.id not in same
    ]


def sent_before(store: Store, conversation: Conversation, visibility: Visibility) -> Sent:
    """The items that were sent in a conversation, and what became of them. Raises PackNotKept.

    An item counts as removed when its record is hidden from the viewer and in the scope of the question, `visibility`.
    """
    after = conversation.after and _id_in(conversation.after)
    chain = Chain(conversation.asker, after or "", named=after is not None, kept=not store.read_only)
    if not after:
        return Sent(chain, {})
    with store.reading() as db:
        packs = sent_table.packs_up_to(db, chain.asker, after)
        items = sent_table.items_of(db, packs)
        texts = sent_table.record_texts(db, (item.record_id for item in items))
        hidden = {*visibility.hidden_ids(db)}
        sees = conversation.beyond or conversation.viewer
        if hidden and visibility.viewer != sees:
            hidden.intersection_update(visibility._replace(viewer=sees).hidden_ids(db))
    if not packs:
        raise PackNotKept(after)
    known_gone = {label for pack in packs for label in pack.gone}
    removed = {label for pack in packs for label in range(pack.first, pack.last + 1)} - known_gone
    changed: list[int] = []
    spans: dict[int, list[SentSpan]] = {}
    for item in items:
        if item.label in known_gone or item.record_id in hidden:
            continue
        removed.discard(item.label)
        place = located(texts[item.record_id], item.start, item.end, item.digest)
        if place is None:
            changed.append(item.label)
        else:
            spans.setdefault(item.record_id, []).append(SentSpan(*place, item.label))
    return Sent(
        chain._replace(sent=packs[0].last, changed=tuple(changed), removed=tuple(sorted(removed))), spans
    )


def _id_in(after: str) -> str:
    """The ID of a pack, which may be copied with words of the line that ends the pack, or from its link."""
    named = re.fullmatch(r"(?:.*\b[Pp]ack |daypack://pack/)?([a-z0-9]{6})\]?", after.strip(), re.DOTALL)
    return named[1] if named else after


def keep_sent(store: Store, pack: Pack) -> bool:
    """Keep the items of a pack, for the pack after it; False when the store cannot be written now."""
    chain = pack.chain
    if chain is None or not chain.kept:
        return False
    record_of = {candidate.chunk.id: candidate.chunk.record_id for candidate in pack.candidates}
    items = [
        sent_table.SentItem(
            citation.label,
            record_of[citation.chunk_ids[0]],
            citation.span.start,
            citation.span.end,
            digest_of(excerpt.text),
        )
        for excerpt in pack.excerpts
        for citation in (excerpt.citation,)
    ]
    # A text without room for its ID does not say which items are gone either: the next pack will.
    says_gone = pack.id in pack.text
    try:
        with store.writing("sent", busy_seconds=KEEP_SECONDS, durable=False) as db:
            sent_table.keep(
                db,
                chain.asker,
                pack.id,
                chain.after,
                first=chain.sent + 1,
                last=chain.sent + len(items),
                gone=(*chain.changed, *chain.removed) if says_gone else (),
                items=items,
            )
    except CannotWrite:  # an answer matters more than its ID
        return False
    return True
