"""The memories door: what somebody wants remembered, by key, with its whole history, until it is forgotten.

    dp.memories.remember("release/cadence", "Weekly on Thursdays at 2pm UTC")
    dp.memories.recall("release/cadence").value
    dp.memories.pack("release process", budget_tokens=1500).text

A door belongs to one owner in one project and sees what is theirs and what is shared in the project, nothing else. The value that
holds is a record of the common index, so it is searched and ranked like any other text; versions, validity and trust are kept
beside it (`daypack.index.memories`) and judged by rules without side effects (`daypack.memory`).
"""

from __future__ import annotations

import base64
import binascii
import json
import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from daypack import analysis, tokens
from daypack import memory as rules
from daypack.doors.memory_files import MemoryFiles
from daypack.engine import Engine
from daypack.errors import BadBudget, InputError, MemoryConflict, MemoryRedacted, NotFound, StoreBusy, StoreReadOnly
from daypack.guard.secrets import redact
from daypack.index import lexical as lexical_index
from daypack.index import memories as table
from daypack.index import spaces
from daypack.index import vectors as vector_index
from daypack.index.memories import Row
from daypack.index.spaces import DOOR, Space
from daypack.index.store import Prepared, storable
from daypack.memory import OrderWeights
from daypack.memory_types import (
    Gone,
    GoneState,
    Memory,
    MemoryAnswer,
    MemoryBlock,
    MemoryHistory,
    MemoryHit,
    MemoryPage,
    MemoryVersion,
    Ordering,
    Receipt,
    Remembered,
    Similar,
    Verdict,
)
from daypack.settings import LARGEST_BUDGET
from daypack.shapes import memory_block
from daypack.shapes.memory_block import URI, BlockItem
from daypack.shapes.wording import day
from daypack.types import OWNER, SHARED, Budget, Candidate, EmptyReason, Pack, Packing, Record, RecordKind, Tokenizer, Trust, VectorMode

if TYPE_CHECKING:
    import apsw

    from daypack.filters import Filter

DEPTH = 50  # memories of a pack or a search, as many as the block's contract names
MOST_LISTED = 500
MOST_SIMILAR = 5
_TOUCH_SECONDS = 0.2  # to wait for the store when all there is to write is that something was read
# `list` is a verb of the door, so inside it lists have names.
_Names: TypeAlias = "list[str]"
_Spaces: TypeAlias = "list[Space]"
_Memories: TypeAlias = "list[Memory]"
_Recorded: TypeAlias = "list[tuple[str, MemoryVersion]]"
_Found: TypeAlias = "list[tuple[str, int, Memory]]"
_UNTRUSTED_WEIGHT = 0.5  # of a candidate that nobody vouches for, in the common packer. guess


@dataclass(slots=True)
class Pending:
    """Records that many writes of one transaction give to the index together, and vectors that may have lost their last text."""

    puts: dict[tuple[str, str], Prepared] = field(default_factory=dict)
    hashes: set[bytes] = field(default_factory=set)


class MemoriesDoor:
    """One owner's memories in one project, and those that the project shares."""

    def __init__(self, engine: Engine, *, owner: str = OWNER, project: str = "", notes_use: bool = True) -> None:
        self._engine = engine
        self._notes_use = notes_use
        self.store = engine.store  # files of memories are read and written beside it
        self.owner = rules.check_owner(owner)
        self.project = rules.check_label("project", project)
        self.files = MemoryFiles(self)

    def clock(self) -> float:
        return self._engine.clock()

    # ------------------------------------------------------------ write

    def remember(
        self, key: str, value: str, *, tags: Sequence[str] = (), ttl_seconds: float | None = None, if_absent: bool = False,
        version: str | None = None, valid_from: float | None = None, valid_to: float | None = None, source: str = "", author: str = "",
        session: str = "", trust: Trust | str | None = None, shared: bool = False, reopen: bool = False,
    ) -> Remembered:  # fmt: skip
        """Record that `value` holds under `key`; what held before stays as history, and saying the same again writes nothing.

        With `version`, the token that `recall` gave ("" for a key without any), the write happens only when nothing was written
        since: MemoryConflict otherwise. With `if_absent` it happens only when nothing holds. `valid_from` and `valid_to` (Unix
        seconds) say when it is true, without them from now on; after `ttl_seconds` nothing holds there. Untrusted writes (by
        default those whose source begins with tool:, web: or http) never replace what somebody vouches for: they wait for a review. A redacted key is refused unless `reopen`.
        """
        now = self._engine.clock()
        statement, redactions = self.statement(
            value, tags=tags, ttl_seconds=ttl_seconds, valid_from=valid_from, valid_to=valid_to, source=source, author=author, session=session,
            trust=trust, now=now,
        )  # fmt: skip
        key = self.checked_key(key)
        with self._engine.careful():
            self.files.catch_up_quietly()
            absent = version is None and not if_absent
            if absent and (known := self._already(key, statement, shared=shared)) is not None:
                return replace(known, redactions=redactions)
            with self.store.writing() as db:
                space = self.make_space(db, shared=shared)
                self._refuse_redacted(db, space, key, reopen=reopen)
                row = table.find(db, space, key)
                done = self.written(db, space, row, key, statement, now=now, if_absent=if_absent, expected=version)
        self.files.write_shared([key] if shared and done.written else [])
        return replace(done, redactions=redactions)

    def written(
        self, db: apsw.Connection, space: Space, row: Row | None, key: str, statement: MemoryVersion, *, now: float, if_absent: bool = False,
        expected: str | None = None, pending: Pending | None = None,
    ) -> Remembered:  # fmt: skip
        versions = row.versions if row is not None else ()
        moment = rules.moment_of(versions, now)
        holds = rules.holding(versions, valid_at=moment)
        known = rules.head(versions)
        if expected is not None and expected != (known.token if known else ""):
            raise MemoryConflict(key, value=known.value if known else None, token=known.token if known else "")
        if if_absent and holds is not None:
            assert row is not None
            return Remembered(key, holds.token, False, _as_memory(row, holds))
        statement = _recorded(statement, moment)
        if known is not None and rules.same_statement(known, statement, moment=moment):
            assert row is not None
            return Remembered(key, known.token, False, _as_memory(row, holds) if holds else None)
        similar = self._similar(db, space, key, statement.value) if pending is None else ()
        statement = replace(statement, parent=known.token if known else "")
        statement = replace(statement, token=rules.token_of(key, statement))
        if row is None:
            row = table.make(db, space, key, now=now)
            table.drop_gone(db, rules.mark_of(space.owner, space.project, key))
        table.add_version(db, row.id, statement)
        row = self.settled(db, row, now, pending)
        self.audit(db, "remember", space, key, statement.trust, now)
        after = rules.holding(row.versions, valid_at=moment)
        waiting = (
            statement.trust is Trust.UNTRUSTED and after is not None and after.token != statement.token and rules.covers(statement, moment)
        )
        return Remembered(
            key, statement.token, True, _as_memory(row, after) if after else None, replaced=holds.token if holds else None, waiting=waiting,
            similar=similar,
        )  # fmt: skip

    def statement(
        self, value: str, *, now: float, tags: Sequence[str] = (), ttl_seconds: float | None = None, valid_from: float | None = None,
        valid_to: float | None = None, source: str = "", author: str = "", session: str = "", trust: Trust | str | None = None,
    ) -> tuple[MemoryVersion, int]:  # fmt: skip
        """What is to be recorded, without secrets, and how many of those there were."""
        clean = redact(storable(rules.check_value(value)))
        start = rules.check_moment("valid_from", valid_from)
        end = rules.check_moment("valid_to", valid_to)
        start = now if start is None else start
        if end is not None and end <= start:
            raise InputError("valid_to must be later than valid_from")
        if ttl_seconds is not None and not (math.isfinite(ttl_seconds) and ttl_seconds > 0):
            raise InputError("ttl_seconds must be a number above 0")
        expires = rules.check_moment("the end of the time to live", now + ttl_seconds) if ttl_seconds is not None else None
        labels = [redact(rules.check_label(*item)).text for item in (("source", source), ("author", author), ("session", session))]
        return (
            MemoryVersion(
                token="", value=clean.text, recorded_at=now, valid_from=start, valid_to=end, expires_at=expires,
                tags=tuple(redact(tag).text for tag in rules.check_tags(tags)), links=rules.links_in(clean.text), trust=_trust(trust, source),
                source=labels[0], author=labels[1], session=labels[2],
            ),
            clean.count,
        )  # fmt: skip

    def checked_key(self, key: str) -> str:
        key = rules.check_key(key)
        if redact(key).count:
            raise InputError("the key looks like a secret, and keys are shown; give the memory another name")
        return key

    def _already(self, key: str, statement: MemoryVersion, *, shared: bool) -> Remembered | None:
        """The answer to a write that says nothing new, found without locking anything."""
        with self.store.reading() as db:
            space = self.find_space(db, shared=shared)
            row = table.find(db, space, key) if space is not None else None
            if row is None:
                return None
            moment = rules.moment_of(row.versions, statement.recorded_at)
            known = rules.head(row.versions)
            statement = _recorded(statement, moment)
            if known is None or not rules.same_statement(known, statement, moment=moment):
                return None
            holds = rules.holding(row.versions, valid_at=moment)
            return Remembered(key, known.token, False, _as_memory(row, holds) if holds else None)

    def _refuse_redacted(self, db: apsw.Connection, space: Space, key: str, *, reopen: bool) -> None:
        gone = table.find_gone(db, rules.mark_of(space.owner, space.project, key), key)
        if gone is not None and gone.state is GoneState.REDACTED and not reopen:
            raise MemoryRedacted(key, day(gone.at), gone.reason)

    def settled(self, db: apsw.Connection, row: Row, now: float, pending: Pending | None = None) -> Row:
        """Bring index and tags of a key in step with what holds now, or note in `pending` what the index is to be given."""
        row = table.find_by_id(db, row.space, row.id)
        moment = rules.moment_of(row.versions, now)
        holds = rules.holding(row.versions, valid_at=moment)
        version_id = row.version_ids[row.versions.index(holds)] if holds is not None else None
        if version_id != row.current:
            scope = spaces.scope_of(row.space.owner, row.space.project)
            work = pending if pending is not None else Pending()
            work.hashes.update(self.store.embed_hashes_of(db, DOOR, scope, row.key))
            if holds is not None:
                work.puts[scope, row.key] = self._engine.ingestion.prepared(_record(row, holds))
            else:
                work.puts.pop((scope, row.key), None)
                self.store.remove_records(db, DOOR, scope, [row.key])
            if pending is None:
                self.carry_out(db, work)
        table.note_current(db, row, version_id, holds.tags if holds is not None else (), rules.next_change(row.versions, moment))
        return replace(row, current=version_id)

    def carry_out(self, db: apsw.Connection, work: Pending) -> None:
        self._engine.ingestion.put(db, [*work.puts.values()])
        vector_index.drop_orphans(db, work.hashes)

    def settle(self) -> None:
        """Carry out what time alone has changed: starts, ends and expiries that have passed. Does nothing when there are none."""
        now = self._engine.clock()
        with self.store.reading() as db:
            due = [(space, memory_id) for space in self._spaces(db) for memory_id in table.due(db, space, now)]
        if not due:
            return
        with self.store.writing() as db:
            for space, memory_id in due:
                with_id = table.find_by_id(db, space, memory_id)
                self.settled(db, with_id, now)

    def restore(self, key: str, version: str, *, shared: bool = False) -> Remembered:
        """Record an older version anew, from now on. Raises NotFound for a version that the history does not have."""
        key, now = self.checked_key(key), self._engine.clock()
        with self._engine.careful(), self.store.writing() as db:
            space = self.make_space(db, shared=shared)
            self._refuse_redacted(db, space, key, reopen=False)
            row = table.find(db, space, key)
            old = next((v for v in row.versions if v.token == version and v.value is not None), None) if row is not None else None
            if old is None:
                raise NotFound(f"{key}@{version}", "`daypack memory history KEY` shows the versions there are")
            trust = old.trust if old.trust is not Trust.UNTRUSTED or old.verdict is not Verdict.ACCEPTED else Trust.USER
            again = replace(
                old, token="", recorded_at=now, valid_from=now, valid_to=None, expires_at=None, trust=trust, verdict=None, reviewed_at=None
            )
            done = self.written(db, space, row, key, again, now=now)
        self.files.write_shared([key] if shared else [])
        return done

    # ------------------------------------------------------------ read

    def recall(self, key: str, *, as_of: float | None = None, known_at: float | None = None, touch: bool = True) -> Memory | Gone:
        """What holds under a key; `Gone` where it was forgotten or redacted. Raises NotFound.

        `as_of` asks for another moment than now, as we know it today, and `known_at` for what was known then.
        """
        key, now = rules.check_key(key), self._engine.clock()
        as_of, known_at = rules.check_moment("as_of", as_of), rules.check_moment("known_at", known_at)
        ended = False
        self.files.catch_up_quietly()
        with self._engine.careful(), self.store.reading() as db:
            for space in self._spaces(db):
                row = table.find(db, space, key)
                if row is None:
                    continue
                moment = rules.moment_of(row.versions, now) if as_of is None and known_at is None else now
                valid_at = as_of if as_of is not None else known_at if known_at is not None else moment
                holds = rules.holding(row.versions, valid_at=valid_at, known_at=math.inf if known_at is None else known_at)
                if holds is not None:
                    found = _as_memory(row, holds)
                    break
                ended = True
            else:
                gone = None if ended else self._gone(db, key)
                if gone is not None:
                    return gone
                raise NotFound(f"the memory {key}", self._hint(db, key, ended=ended))
        if touch and as_of is None and known_at is None:
            return self._touched([(row.id, found)], now, recalled=True)[0]
        return found

    def _gone(self, db: apsw.Connection, key: str) -> Gone | None:
        marks = (rules.mark_of(owner, self.project, key) for owner in (self.owner, SHARED))
        return next((gone for mark in marks if (gone := table.find_gone(db, mark, key)) is not None), None)

    def _hint(self, db: apsw.Connection, key: str, *, ended: bool) -> str:
        if ended:
            return "nothing holds there at that time; `daypack memory history KEY` shows what did"
        from rapidfuzz import fuzz, process

        known = [name for space in self._spaces(db) for name in table.keys(db, space)]
        near = process.extractOne(key, known, scorer=fuzz.ratio, score_cutoff=60)
        return f"did you mean {near[0]}?" if near else "`daypack memory list` shows the keys there are"

    def _touched(self, found: Sequence[tuple[int, Memory]], now: float, *, recalled: bool) -> _Memories:
        """Note the use of memories, where that can be noted; the memories as they are then."""
        if self.store.read_only or not self._notes_use or not found:
            return [memory for _, memory in found]
        try:
            with self.store.writing("touched", busy_seconds=_TOUCH_SECONDS) as db:
                table.touch(db, [memory_id for memory_id, _ in found], now=now, recalled=recalled)
        except (StoreBusy, StoreReadOnly):  # an answer is worth more than its being noted
            return [memory for _, memory in found]
        return [
            replace(memory, accessed_at=max(now, memory.accessed_at or 0.0), recalls=memory.recalls + int(recalled)) for _, memory in found
        ]

    def list(self, *, tags: Sequence[str] = (), limit: int = 100, cursor: str = "") -> MemoryPage:
        """What holds, in the order of the keys, with all of `tags`; at most `limit` (1 to 500) a page."""
        if not 1 <= limit <= MOST_LISTED:
            raise InputError(f"limit {limit} is not from 1 to {MOST_LISTED}")
        wanted = rules.check_tags(tags)
        after, part = _decoded(cursor)
        self.settle_quietly()
        with self._engine.careful(), self.store.reading() as db:
            found: _Found = []
            for number, space in enumerate(self._spaces(db)):
                # A key may be one's own and shared at once: own first, and a page may end between the two.
                rows = table.page(db, space, after=after, tags=wanted, limit=limit + 1, inclusive=number > part)
                found.extend((memory.key, number, memory) for memory in rows)
        found.sort(key=lambda item: item[:2])
        more = len(found) > limit
        found = found[:limit]
        return MemoryPage(tuple(memory for _, _, memory in found), _encoded(*found[-1][:2]) if more else "")

    def tags(self) -> dict[str, int]:
        """Tag → how many memories carry it."""
        self.settle_quietly()
        counts: dict[str, int] = {}
        with self._engine.careful(), self.store.reading() as db:
            for space in self._spaces(db):
                for tag, count in table.count_tags(db, space).items():
                    counts[tag] = counts.get(tag, 0) + count
        return dict(sorted(counts.items()))

    def count(self) -> int:
        """How many memories hold now."""
        self.settle_quietly()
        with self.store.reading() as db:
            return sum(table.count_held(db, space) for space in self._spaces(db))

    def history(self, key: str, *, shared: bool | None = None) -> tuple[MemoryHistory, ...] | Gone:
        """Every version of a key, newest first; `Gone` where it was forgotten or redacted. Raises NotFound."""
        key, now = rules.check_key(key), self._engine.clock()
        self.files.catch_up_quietly()
        with self._engine.careful(), self.store.reading() as db:
            for space in self._spaces(db):
                if shared is not None and shared != (space.owner == SHARED):
                    continue
                row = table.find(db, space, key)
                if row is not None:
                    return tuple(rules.histories(row.versions, now))
            gone = self._gone(db, key)
            if gone is not None:
                return gone
            raise NotFound(f"the memory {key}", self._hint(db, key, ended=False))

    def recorded(self, *, limit: int = 100) -> _Recorded:
        """(key, version), whatever holds now, the last recorded first."""
        with self._engine.careful(), self.store.reading() as db:
            found = [item for space in self._spaces(db) for item in table.latest(db, space, limit)]
        return sorted(found, key=lambda item: -item[1].recorded_at)[:limit]

    # ------------------------------------------------------------ search

    def search(
        self, query: str, *, top_k: int = 10, min_score: float = 0.0, tags: Sequence[str] = (), ordering: Ordering | str = Ordering.BLEND,
        weights: OrderWeights | None = None, vectors: VectorMode | str = VectorMode.LAZY,
    ) -> MemoryAnswer:  # fmt: skip
        """The memories that a query finds, best first, with what each signal says of them. `score` is on the scale of the ordering."""
        if not 1 <= top_k <= MOST_LISTED:
            raise InputError(f"top_k {top_k} is not from 1 to {MOST_LISTED}")
        if not math.isfinite(min_score):
            raise InputError("min_score must be a number")
        answer = self._found(query, tags, VectorMode(vectors))
        hits = [hit for hit in _ordered(answer.hits, _ordering(ordering), weights or OrderWeights()) if hit.score >= min_score]
        return replace(answer, hits=tuple(hits[:top_k]))

    def related(self, key: str, *, top_k: int = 5) -> MemoryAnswer:
        """What a memory links to or is linked from, then what is nearest to its value. Raises NotFound."""
        found = self.recall(key, touch=False)
        if isinstance(found, Gone):
            raise NotFound(f"the memory {key}", f"it was {found.state.value} on {day(found.at)}")
        text = f"{found.key.replace('/', ' ')} {found.value}".encode()[:4000].decode("utf-8", "ignore")
        answer = self._found(text, (), VectorMode.LAZY)
        others = [hit for hit in answer.hits if (hit.memory.key, hit.memory.owner) != (found.key, found.owner)]
        ranked = _ordered(others, Ordering.RELEVANCE, OrderWeights())
        linked = set(found.version.links) | {hit.memory.key for hit in others if found.key in hit.memory.version.links}
        have = {hit.memory.key for hit in ranked}
        with self.store.reading() as db:
            named = [memory for space in self._spaces(db) for _, memory in table.held(db, space, linked - have).values()]
        first = [MemoryHit(memory, 1.0, 0.0, None, 0.0, 0.0) for memory in named]
        ordered = [*first, *(hit for hit in ranked if hit.memory.key in linked), *(hit for hit in ranked if hit.memory.key not in linked)]
        return replace(answer, query=key, hits=tuple(ordered[:top_k]), empty_reason=None if ordered else answer.empty_reason)

    def _found(self, query: str, tags: Sequence[str], mode: VectorMode) -> MemoryAnswer:
        """Up to DEPTH memories with their signals, in the order of the common ranking."""
        self.settle_quietly()
        engine = self._engine
        with engine.careful():
            ranked = engine.rank(query, mode=mode, condition=_condition(rules.check_tags(tags)))
            if ranked.scored is None or ranked.pool is None or ranked.empty_reason is not None:
                return MemoryAnswer(query, (), ranked.stats, ranked.empty_reason)
            now = engine.clock()
            dense = ranked.pool.features.dense[ranked.scored.order].tolist()
            ranking = zip(ranked.scored.chunk_ids.tolist(), ranked.scored.scores.tolist(), dense, strict=True)
            best: dict[tuple[str, str], tuple[float, float]] = {}
            with self.store.reading() as db:
                for batch in _batches(islice(ranking, 4 * DEPTH), DEPTH):  # hardly any memory has several chunks
                    if len(best) == DEPTH:
                        break
                    places = self.store.places_of(db, [chunk_id for chunk_id, _, _ in batch])
                    for chunk_id, score, cosine in batch:
                        place = places.get(chunk_id)
                        if place is not None and len(best) < DEPTH:
                            best.setdefault(place, (score, cosine))
                memories = {
                    (spaces.scope_of(space.owner, space.project), key): memory
                    for space in self._spaces(db)
                    for key, (_, memory) in table.held(db, space, [key for _, key in best]).items()
                }
        hits = []
        for place, (score, cosine) in best.items():
            if (memory := memories.get(place)) is None:
                continue
            semantic = None if np.isnan(cosine) else max(0.0, min(1.0, cosine))
            age_of = memory.accessed_at if memory.accessed_at is not None else memory.updated_at
            hits.append(
                MemoryHit(memory, score, score, semantic, rules.keyword(query, f"{memory.key} {memory.value}"), rules.recency(now, age_of))
            )
        return MemoryAnswer(query, tuple(hits), ranked.stats, None if hits else EmptyReason.NOTHING_RELEVANT)

    # ------------------------------------------------------------ pack

    def pack(
        self, topic: str, *, budget_tokens: int = 2000, ordering: Ordering | str = Ordering.BLEND, tokenizer: Tokenizer | str = Tokenizer.APPROX,
        tags: Sequence[str] = (), weights: OrderWeights | None = None, vectors: VectorMode | str = VectorMode.LAZY, touch: bool = True,
    ) -> MemoryBlock:  # fmt: skip
        """What is remembered about a topic, as one Markdown string of at most `budget_tokens` (clamped to 1 … 100,000) of `tokenizer`.

        Memories are taken in their order, and one that is too big for what is left is passed over, never cut; `auto` leaves the
        choice to the common packer, which may. What is in the block counts as accessed, unless `touch` is False.
        """
        if isinstance(budget_tokens, bool) or not isinstance(budget_tokens, int):
            raise BadBudget(budget_tokens, LARGEST_BUDGET)
        order, counter = _ordering(ordering), _tokenizer(tokenizer)
        budget = Budget(max(rules.SMALLEST_BLOCK, min(budget_tokens, rules.LARGEST_BLOCK)), counter)
        if order is Ordering.AUTO:
            return self._packed_by_value(topic, budget, tags, VectorMode(vectors), touch=touch)
        answer = self._found(topic, tags, VectorMode(vectors))
        hits = _ordered(answer.hits, order, weights or OrderWeights())
        items = [BlockItem(hit.memory.key, hit.memory.value, hit.memory.version.trust, hit.memory.version.source) for hit in hits]
        count = tokens.counter(counter)
        text, chosen = memory_block.fitted(storable(topic), items, budget.limit, count)
        memories = [hits[number].memory for number in chosen]
        if touch:
            memories = self._noted(memories)
        return MemoryBlock(topic, text, budget, count(text), tuple(memories), order, answer.stats, omitted=len(hits) - len(chosen))

    def _packed_by_value(self, topic: str, budget: Budget, tags: Sequence[str], mode: VectorMode, *, touch: bool) -> MemoryBlock:
        self.settle_quietly()
        with self._engine.careful():
            packed = self._engine.pack(
                topic, budget, packing=Packing.AUTO, shape="memory-block", mode=mode, condition=_condition(rules.check_tags(tags)),
                revised=_trusted_first,
            )  # fmt: skip
        scopes = {excerpt.citation.uri.removeprefix(URI): None for excerpt in packed.excerpts}
        with self.store.reading() as db:
            by_key: dict[str, Memory] = {}
            for space in self._spaces(db):
                for key, (_, memory) in table.held(db, space, scopes).items():
                    by_key.setdefault(key, memory)
        memories = [by_key[key] for key in scopes if key in by_key]
        if touch:
            memories = self._noted(memories)
        return MemoryBlock(
            topic, packed.text, budget, packed.tokens_used, tuple(memories), Ordering.AUTO, packed.stats, omitted=len(packed.omitted)
        )

    def note_packed(self, pack: Pack) -> None:
        """Count the memories in a common pack as accessed."""
        keys = {excerpt.citation.uri.removeprefix(URI) for excerpt in pack.excerpts if excerpt.door == DOOR}
        with self.store.reading() as db:
            found = [item for space in self._spaces(db) for item in table.held(db, space, keys).values()]
        self._touched(found, self._engine.clock(), recalled=False)

    def _noted(self, memories: Sequence[Memory]) -> _Memories:
        """Count memories as accessed."""
        with self.store.reading() as db:
            ids = {
                (memory.owner, key): memory_id
                for space in self._spaces(db)
                for key, (memory_id, memory) in table.held(db, space, [m.key for m in memories]).items()
            }
        return self._touched([(ids.get((m.owner, m.key), 0), m) for m in memories], self._engine.clock(), recalled=False)

    # ------------------------------------------------------------ forget

    def forget(
        self, key: str = "", *, tag: str = "", source: str = "", everything: bool = False, shared: bool = False
    ) -> Receipt:  # fmt: skip
        """Remove a key, whatever carries a tag, whatever comes from a source, or everything of this owner and project.

        All versions go, out of tables, index, vectors and log; a hash of each key stays, so that `recall` can say that it was
        forgotten, and an import does not bring it back. Raises NotFound when there is nothing of that sort.
        """
        if sum(map(bool, (key, tag, source, everything))) != 1:
            raise InputError("say what to forget: a key, a tag, a source, or everything; one of them")

        def chosen(db: apsw.Connection, space: Space) -> _Names:
            if key:
                return [name] if table.find(db, space, name := self.checked_key(key)) else []
            if tag:
                return table.keys_with_tag(db, space, rules.check_tags([tag])[0])
            return table.keys_of_source(db, space, rules.check_label("source", source)) if source else table.keys(db, space)

        return self._forgotten(chosen, GoneState.FORGOTTEN, "", shared=shared, what=key or tag or source or "any memory", drop=everything)

    def redact(self, key: str, *, reason: str = "", shared: bool = False) -> Receipt:
        """Remove a key as `forget` does, and refuse it from then on. Raises NotFound."""
        name = self.checked_key(key)
        why = redact(rules.check_label("reason", reason)).text

        def chosen(db: apsw.Connection, space: Space) -> _Names:
            return [name] if table.find(db, space, name) else []

        return self._forgotten(chosen, GoneState.REDACTED, why, shared=shared, what=name)

    def _forgotten(
        self,
        chosen: Callable[[apsw.Connection, Space], _Names],
        state: GoneState,
        reason: str,
        *,
        shared: bool,
        what: str,
        drop: bool = False,
    ) -> Receipt:
        now = self._engine.clock()
        with self._engine.careful():
            with self.store.writing() as db:
                space = self.find_space(db, shared=shared)
                names = chosen(db, space) if space is not None else []
                if space is None or not names:
                    raise NotFound(what, "there is nothing to forget")
                receipt = self.remove(db, space, names, state, reason, now)
                if drop:
                    spaces.drop_space(db, space)
                self.store.owe_purge(db)
            files = self.files.write_shared(names, gone=True) if shared else []
            copies = ["the history of git, and other people's copies of these files"] if files else []
            return replace(
                receipt,
                files=tuple(files),
                log_emptied=self.store.purge(),
                may_still_hold=(*receipt.may_still_hold, *copies, *self._backups()),
            )

    def remove(self, db: apsw.Connection, space: Space, names: Sequence[str], state: GoneState, reason: str, now: float) -> Receipt:
        scope = spaces.scope_of(space.owner, space.project)
        versions = chunks = 0
        hashes: set[bytes] = set()
        files: set[str] = set()
        for name in names:
            row = table.find(db, space, name)
            assert row is not None
            chunks += len(found := self.store.embed_hashes_of(db, DOOR, scope, name))
            hashes.update(found)
            files.update(v.source.removeprefix("file:") for v in row.versions if v.source.startswith("file:"))
            versions += table.delete_versions(db, row)
            mark = rules.mark_of(space.owner, space.project, name)
            table.note_gone(db, mark, rules.mark_of(space.owner, space.project), state, at=now, reason=reason)
            self.audit(db, "redact" if state is GoneState.REDACTED else "forget", space, name, Trust.USER, now)
        self.store.remove_records(db, DOOR, scope, names)
        vectors = vector_index.drop_orphans(db, hashes)
        # Not of these alone: older versions lie under tombs as well, and nothing says any more which of them were theirs.
        postings = lexical_index.scrub(db, [row[0] for row in db.execute("SELECT chunk_id FROM tomb")])
        return Receipt(state, now, tuple(names), versions, chunks, vectors, postings, may_still_hold=tuple(sorted(files)))

    def _backups(self) -> _Names:
        """Copies of the store, which are not looked into."""
        folder = self.store.folder / "backup"
        return [f"backup/{path.name}" for path in sorted(folder.glob("*.db"))] if folder.is_dir() else []

    # ------------------------------------------------------------ review

    def review(self) -> tuple[Memory, ...]:
        """Untrusted versions that nobody has judged, each as the memory that it would be."""
        with self._engine.careful(), self.store.reading() as db:
            found: _Memories = []
            for space in self._spaces(db):
                for key in table.waiting(db, space):
                    row = table.find(db, space, key)
                    assert row is not None
                    found.extend(_as_memory(row, v) for v in row.versions if v.trust is Trust.UNTRUSTED and v.verdict is None)
        return tuple(found)

    def accept(self, key: str, version: str, *, shared: bool = False) -> Remembered:
        """Vouch for an untrusted version: it is recorded anew as the owner's own. Raises NotFound."""
        return self._judged(key, version, Verdict.ACCEPTED, shared=shared)

    def reject(self, key: str, version: str, *, shared: bool = False) -> Remembered:
        """Set an untrusted version aside: it stays in the history and never holds. Raises NotFound."""
        return self._judged(key, version, Verdict.REJECTED, shared=shared)

    def _judged(self, key: str, version: str, verdict: Verdict, *, shared: bool) -> Remembered:
        key, now = self.checked_key(key), self._engine.clock()
        with self._engine.careful(), self.store.writing() as db:
            space = self.find_space(db, shared=shared)
            row = table.find(db, space, key) if space is not None else None
            found = next((v for v in row.versions if v.token == version and v.trust is Trust.UNTRUSTED), None) if row is not None else None
            if space is None or row is None or found is None or found.verdict is not None:
                raise NotFound(f"{key}@{version}", "`daypack memory review` shows the versions that wait")
            moment = rules.moment_of(row.versions, now)
            table.note_verdict(db, row.id, version, verdict, now=moment)
            self.audit(db, verdict.value, space, key, Trust.USER, now)
            if verdict is Verdict.ACCEPTED:
                start = found.valid_from if found.valid_from > found.recorded_at else moment
                mine = replace(found, token="", recorded_at=moment, valid_from=start, trust=Trust.USER, verdict=None, reviewed_at=None)
                done = self.written(db, space, table.find(db, space, key), key, mine, now=now)
            else:
                row = self.settled(db, row, now)
                holds = rules.holding(row.versions, valid_at=moment)
                done = Remembered(key, version, False, _as_memory(row, holds) if holds else None)
        self.files.write_shared([key] if shared else [])
        return done

    # ------------------------------------------------------------ helpers

    def _spaces(self, db: apsw.Connection) -> _Spaces:
        """One's own space and the shared one, as far as they exist."""
        return [space for shared in (False, True) if (space := self.find_space(db, shared=shared)) is not None]

    def find_space(self, db: apsw.Connection, *, shared: bool) -> Space | None:
        return spaces.find_space(db, SHARED if shared else self.owner, self.project)

    def make_space(self, db: apsw.Connection, *, shared: bool) -> Space:
        return spaces.make_space(db, SHARED if shared else self.owner, self.project)

    def settle_quietly(self) -> None:
        """`settle`, and what files say newly, where that can be written."""
        try:
            self.files.catch_up()
            self.settle()
            if self.store.owes_purge():  # others were in the way when something was forgotten
                self.store.purge(busy_seconds=0)
        except (StoreBusy, StoreReadOnly):  # what no longer holds is shown until somebody can write
            return

    def _similar(self, db: apsw.Connection, space: Space, key: str, value: str | None) -> tuple[Similar, ...]:
        """Memories of the same owner and project that say nearly the same, or something else about the same."""
        terms = sorted(set(analysis.terms(f"{key} {value or ''}")))[:200]
        if len(terms) < 2:
            return ()
        scope = spaces.scope_of(space.owner, space.project)
        found: dict[str, Similar] = {}
        at_least = max(2, math.ceil(rules.SIMILAR * len(terms)))
        looked = 0
        for batch in lexical_index.chunks_sharing(db, terms, at_least=at_least):
            names = {name for where, name in self.store.places_of(db, batch).values() if where == scope and name != key}
            for name, (_, memory) in table.held(db, space, names - found.keys()).items():
                alike = rules.likeness(terms, analysis.terms(f"{name} {memory.value}"))
                if alike >= rules.SIMILAR:
                    found[name] = Similar(name, memory.value, memory.token, round(alike, 4))
            looked += len(names)
            if looked >= lexical_index.SHARING_BATCH:  # of one's own, those that have most in common
                break
        return tuple(sorted(found.values(), key=lambda item: (-item.likeness, item.key))[:MOST_SIMILAR])

    def audit(self, db: apsw.Connection, action: str, space: Space, key: str, trust: Trust, now: float) -> None:
        where = rules.mark_of(space.owner, space.project)
        table.audit(db, action, where, rules.mark_of(space.owner, space.project, key), trust.value, at=now)


# ---------------------------------------------------------------- values


def _record(row: Row, version: MemoryVersion) -> Record:
    """The searched form of a memory: its value under its key."""
    return Record(
        uid=row.key, text=version.value or "", kind=RecordKind.MEMORY, door=DOOR, uri=f"{URI}{row.key}", title=row.key, author=version.author,
        session=version.session, scope=spaces.scope_of(row.space.owner, row.space.project), time=version.valid_from, trust=version.trust,
        tags=version.tags,
    )  # fmt: skip


def _as_memory(row: Row, version: MemoryVersion) -> Memory:
    return Memory(
        key=row.key, version=version, owner=row.space.owner, project=row.space.project, created_at=row.created_at, accessed_at=row.accessed_at,
        recalls=row.recalls,
    )  # fmt: skip


def _condition(tags: Sequence[str]) -> Filter:
    from daypack.filters import All, OneOf, Tagged

    door = OneOf("door", (DOOR,))
    return All((door, *(Tagged(tag) for tag in tags))) if tags else door


def _ordered(hits: Sequence[MemoryHit], ordering: Ordering, weights: OrderWeights) -> list[MemoryHit]:
    """Hits, best first, scored on the scale of the ordering. What nobody vouches for comes behind everything that somebody does."""
    best = max((hit.ranked for hit in hits), default=0.0) or 1.0
    # Without any vector the lexical ranking stands in for meaning.
    blind = all(hit.semantic is None for hit in hits)
    scored = []
    w = weights.normalised()
    for hit in hits:
        match ordering:
            case Ordering.RECENCY:
                score = hit.recency
            case Ordering.BLEND:
                semantic = max(0.0, hit.ranked / best) if blind else hit.semantic or 0.0
                score = w.semantic * semantic + w.keyword * hit.keyword + w.recency * hit.recency
            case _:
                score = hit.ranked
        scored.append(replace(hit, score=score))
    return sorted(
        scored, key=lambda hit: (hit.memory.version.trust is Trust.UNTRUSTED, -hit.score, -hit.ranked, hit.memory.key, hit.memory.shared)
    )


def _trusted_first(candidates: list[Candidate]) -> list[Candidate]:
    """Candidates for the common packer, of which untrusted ones count less, and follow their equals."""
    revised = [replace(c, probability=c.probability * _UNTRUSTED_WEIGHT) if c.chunk.trust is Trust.UNTRUSTED else c for c in candidates]
    return sorted(revised, key=lambda c: c.chunk.trust is Trust.UNTRUSTED)


def _trust(value: Trust | str | None, source: str) -> Trust:
    try:
        return rules.default_trust(source) if value is None else Trust(value)
    except ValueError:
        raise InputError(f"{value!r} is no trust; choose from {', '.join(item.value for item in Trust)}") from None


def _ordering(value: Ordering | str) -> Ordering:
    try:
        return Ordering(value)
    except ValueError:
        raise InputError(f"{value!r} is no ordering; choose from {', '.join(item.value for item in Ordering)}") from None


def _tokenizer(value: Tokenizer | str) -> Tokenizer:
    try:
        return Tokenizer(value)
    except ValueError:
        raise InputError(f"{value!r} is no tokenizer; choose from {', '.join(item.value for item in Tokenizer)}") from None


def _encoded(key: str, part: int) -> str:
    return base64.urlsafe_b64encode(json.dumps([key, part]).encode()).decode().rstrip("=")


def _decoded(cursor: str) -> tuple[str, int]:
    if not cursor:
        return "", 9
    try:
        key, part = json.loads(base64.urlsafe_b64decode(cursor + "=" * (-len(cursor) % 4)))
        if isinstance(key, str) and isinstance(part, int):
            return key, part
    except (ValueError, TypeError, binascii.Error, RecursionError):
        pass
    raise InputError("that is no cursor of `list`; begin without one")


def _recorded(statement: MemoryVersion, moment: float) -> MemoryVersion:
    """The statement as of `moment`: not before what is recorded already, whatever the clock says."""
    from_now_on = statement.valid_from == statement.recorded_at
    return replace(statement, recorded_at=moment, valid_from=moment if from_now_on else statement.valid_from)


def _batches(items: Iterable[Any], size: int) -> Iterator[list[Any]]:
    batch: list[Any] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
