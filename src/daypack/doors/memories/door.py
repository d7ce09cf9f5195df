"""The door of memories, as `daypack.memories` shows it."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import TypeAlias

from daypack.doors.memories import reading, rules, spaces, table
from daypack.doors.memories.context import MemoryContext
from daypack.doors.memories.files.door import MemoryFiles, try_read_changed_files, try_refresh
from daypack.doors.memories.files.shared import write_shared
from daypack.doors.memories.finding import packing, searching
from daypack.doors.memories.rules import OrderWeights
from daypack.doors.memories.types import (
    Gone,
    GoneState,
    Memory,
    MemoryAnswer,
    MemoryBlock,
    MemoryHistory,
    MemoryPage,
    MemoryVersion,
    Ordering,
    Receipt,
    Remembered,
    Verdict,
)
from daypack.doors.memories.writing import forgetting, recording
from daypack.doors.memories.writing.forgetting import Removal
from daypack.engine.engine import Engine
from daypack.engine.filter_arguments import read_moment
from daypack.errors import BadBudget, InputError, NotFound
from daypack.guard.arguments import checked
from daypack.settings import LARGEST_BUDGET
from daypack.shapes.wording import day
from daypack.text.checks import member
from daypack.types import OWNER, Budget, Pack, Tokenizer, Trust, VectorMode

# `list` is a verb of the door, so inside the class lists have a name.
KeyedVersions: TypeAlias = "list[tuple[str, MemoryVersion]]"


@checked
class MemoriesDoor:
    """One owner's memories in one project, and the project's shared ones; no others are visible.

    Without `notes_use` reading leaves no trace. `files` exports, imports and shares.
    """

    def __init__(
        self, engine: Engine, *, owner: str = OWNER, project: str = "", notes_use: bool = True
    ) -> None:
        self.owner = rules.check_owner(owner)
        self.project = rules.check_label("project", project)
        self._engine = engine
        self._context = MemoryContext(engine, self.owner, self.project, notes_use)
        self.files = MemoryFiles(self._context)

    def __len__(self) -> int:
        return self.count()

    def __contains__(self, key: object) -> bool:
        """True for a key that holds a value now, and for the memory of one."""
        try_read_changed_files(self._context)
        with self._engine.translating_damage():
            return reading.holds(self._context, key.key if isinstance(key, Memory) else key)

    def __iter__(self) -> Iterator[Memory]:
        """The current memories by key."""
        cursor = None
        while cursor != "":
            page = self.list(limit=500, cursor=cursor or "")
            yield from page
            cursor = page.cursor

    # ------------------------------------------------------------ writing

    def remember(
        self,
        key: str,
        value: str,
        *,
        tags: Sequence[str] | None = None,
        ttl_seconds: float | None = None,
        if_absent: bool = False,
        version: str | None = None,
        valid_from: float | str | date | None = None,
        valid_to: float | str | date | None = None,
        source: str = "",
        author: str = "",
        session: str = "",
        trust: Trust | str | None = None,
        shared: bool = False,
        reopen: bool = False,
    ) -> Remembered:
        """Record `value` under `key`; the previous value stays as history, and repeating the same value writes nothing.
        Without `tags` it keeps those that it has.

        With `version`, the token that `recall` gave ("" for a key without any), the write happens only when nothing was
        written since: MemoryConflict otherwise. With `if_absent` it happens only when nothing holds. `valid_from` and `valid_to` (Unix seconds, dates, ISO 8601 dates, or words as "yesterday") say when it is true, without them from now on; after
        `ttl_seconds` nothing holds there. Untrusted writes (by default those whose source begins with tool:,
        web: or http) never replace a trusted value: they wait for a review. A redacted key is refused unless
        `reopen`.
        """
        now, here = self._engine.clock(), self._engine.now()
        statement, redactions = recording.make_statement(
            value,
            tags=tags,
            ttl_seconds=ttl_seconds,
            valid_from=read_moment("valid_from", valid_from, here),
            valid_to=read_moment("valid_to", valid_to, here),
            source=source,
            author=author,
            session=session,
            trust=trust,
            now=now,
        )
        statement = replace(statement, trust=self._engine.writer.bound(statement.trust))
        context, key = self._context, rules.check_new_key(key)
        with self._engine.translating_damage():
            try_read_changed_files(context)
            if version is None and not if_absent:
                known = recording.find_same(context, key, statement, shared=shared, keep_tags=tags is None)
                if known is not None:
                    return replace(known, redactions=redactions)
            with context.store.writing() as db:
                space = context.make_space(db, shared=shared)
                if not reopen:
                    recording.refuse_redacted(db, space, key)
                row = table.find(db, space, key)
                done = recording.record(
                    context,
                    db,
                    space,
                    row,
                    key,
                    statement,
                    now=now,
                    if_absent=if_absent,
                    expected=version,
                    keep_tags=tags is None,
                )
        if done.written:
            self._share(key, shared=shared)
        return replace(done, redactions=redactions)

    def restore(self, key: str, version: str, *, shared: bool = False) -> Remembered:
        """Record an older version again, from now on. Raises NotFound for a version outside the history."""
        return self._recorded(recording.restore, key, version, shared=shared)

    def review(self) -> tuple[Memory, ...]:
        """Untrusted versions without a verdict, each as the memory that it would become."""
        with self._engine.translating_damage():
            return recording.waiting_versions(self._context)

    def accept(self, key: str, version: str, *, shared: bool = False) -> Remembered:
        """Accept an untrusted version: it is recorded again as the owner's own. Raises NotFound, and
        ReviewNeedsPerson in a store that is open for an agent.
        """
        return self._recorded(recording.judge, key, version, Verdict.ACCEPTED, shared=shared)

    def reject(self, key: str, version: str, *, shared: bool = False) -> Remembered:
        """Reject an untrusted version: it stays in the history, never current. Raises NotFound."""
        return self._recorded(recording.judge, key, version, Verdict.REJECTED, shared=shared)

    def _recorded(self, record: Callable[..., Remembered], key: str, *of: object, shared: bool) -> Remembered:
        key = rules.check_new_key(key)
        with self._engine.translating_damage():
            done = record(self._context, key, *of, shared=shared)
        self._share(key, shared=shared)
        return done

    def _share(self, key: str, *, shared: bool) -> None:
        if shared:
            write_shared(self._context, [key])

    # ------------------------------------------------------------ reading

    def recall(
        self,
        key: str,
        *,
        as_of: float | str | date | None = None,
        known_at: float | str | date | None = None,
        touch: bool = True,
    ) -> Memory | Gone:
        """The value of a key; `Gone` where it was forgotten or redacted. Raises NotFound.

        `as_of` (a date as `valid_from` of `remember`) asks for another moment than now, as we know it today, and `known_at` for
        the knowledge of that moment. Reading the present counts as an access, unless `touch` is False.
        """
        try_read_changed_files(self._context)
        with self._engine.translating_damage():
            return reading.recall(self._context, key, as_of=as_of, known_at=known_at, touch=touch)

    def list(self, *, tags: Sequence[str] = (), limit: int = 100, cursor: str = "") -> MemoryPage:
        """The current memories with all of `tags`, by key; `limit` (1 to 500) a page, from `cursor` on."""
        reading.check_limit(limit)
        wanted = rules.check_tags(tags)
        self.refresh()
        with self._engine.translating_damage():
            return reading.page(self._context, tags=wanted, limit=limit, cursor=cursor)

    def tags(self) -> dict[str, int]:
        """Tag → number of memories that carry it."""
        self.refresh()
        counts: dict[str, int] = {}
        with self._engine.translating_damage(), self._context.store.reading() as db:
            for space in self._context.spaces(db):
                for tag, count in table.count_tags(db, space).items():
                    counts[tag] = counts.get(tag, 0) + count
        return dict(sorted(counts.items()))

    def count(self) -> int:
        """The number of current memories."""
        self.refresh()
        with self._context.store.reading() as db:
            return sum(table.count_held(db, space) for space in self._context.spaces(db))

    def history(self, key: str, *, shared: bool | None = None) -> tuple[MemoryHistory, ...] | Gone:
        """Every version of a key, newest first; `Gone` where it was forgotten or redacted.

        `shared` chooses between one's own key and the project's; None takes one's own first. Raises NotFound.
        """
        try_read_changed_files(self._context)
        with self._engine.translating_damage():
            return reading.history(self._context, key, shared=shared)

    def recorded(self, *, limit: int = 100) -> KeyedVersions:
        """(key, version) of the last `limit` versions recorded, newest first, current or not."""
        with self._engine.translating_damage(), self._context.store.reading() as db:
            found = [item for space in self._context.spaces(db) for item in table.latest(db, space, limit)]
        found = sorted(found, key=lambda item: -item[1].recorded_at)[:limit]
        return self._context.shown(found, [version for _, version in found])

    def refresh(self) -> None:
        """Apply the changes of files and time, where the store can be written."""
        try_refresh(self._context)

    # ------------------------------------------------------------ answering

    def search(
        self,
        query: str,
        *,
        top_k: int = 10,
        min_score: float = 0.0,
        tags: Sequence[str] = (),
        ordering: Ordering | str = Ordering.BLEND,
        weights: OrderWeights | None = None,
        vectors: VectorMode | str = VectorMode.AUTO,
    ) -> MemoryAnswer:
        """The memories that a query finds, best first, with the value of each signal; equal values are one hit.

        `score` is on the scale of the ordering; hits below `min_score` are left out. `top_k` is from 1 to 500.
        """
        reading.check_limit(top_k)
        if not math.isfinite(min_score):
            raise InputError("min_score must be a number")
        answer = self._search(query, tags, vectors)
        ranked = searching.distinct(searching.ordered(answer.hits, member(Ordering, ordering), weights))
        hits = tuple(hit for hit in ranked if hit.score >= min_score)[:top_k]
        return self._context.shown(replace(answer, hits=hits), [hit.memory.version for hit in hits])

    def related(self, key: str, *, top_k: int = 5) -> MemoryAnswer:
        """The memories linked with a memory, then those nearest to its value. Raises NotFound."""
        found = self.recall(key, touch=False)
        if isinstance(found, Gone):
            raise NotFound(f"no memory named {key!r}", f"it was {found.state.value} on {day(found.at)}")
        text = f"{found.key.replace('/', ' ')} {found.value}".encode()[:4000].decode("utf-8", "ignore")
        self.refresh()
        answer = searching.search(self._context, text, (), VectorMode.AUTO, weak=True)
        hits = searching.related_hits(self._context, found, answer.hits)
        reason = None if hits else answer.empty_reason
        answer = replace(answer, query=key, hits=tuple(hits[:top_k]), empty_reason=reason)
        return self._context.shown(answer, [hit.memory.version for hit in answer.hits])

    def pack(
        self,
        topic: str,
        *,
        budget_tokens: int = 2000,
        ordering: Ordering | str = Ordering.BLEND,
        tokenizer: Tokenizer | str = Tokenizer.APPROX,
        tags: Sequence[str] = (),
        weights: OrderWeights | None = None,
        vectors: VectorMode | str = VectorMode.AUTO,
        touch: bool = True,
    ) -> MemoryBlock:
        """The memories about a topic, as one Markdown string of at most `budget_tokens` (clamped to 1 …
        100,000) of `tokenizer`.

        Memories are taken in their order; those that do not fit are skipped, not cut. The text names a skipped memory that
        ranks above a shown one and is larger than the whole budget. `auto` leaves the choice to the common packer, which may
        cut. Packed memories count as accessed, unless `touch` is False.
        """
        if isinstance(budget_tokens, bool) or not isinstance(budget_tokens, int):
            raise BadBudget(budget_tokens, LARGEST_BUDGET)
        order, counter = member(Ordering, ordering), member(Tokenizer, tokenizer)
        budget = Budget(max(rules.SMALLEST_BLOCK, min(budget_tokens, rules.LARGEST_BLOCK)), counter)
        if order is Ordering.AUTO:
            self.refresh()
            mode, wanted = member(VectorMode, vectors), rules.check_tags(tags)
            block = packing.pack_by_value(self._context, topic, budget, wanted, mode)
        else:
            answer = self._search(topic, tags, vectors)
            hits = searching.distinct(searching.ordered(answer.hits, order, weights))
            block = packing.pack_in_order(topic, budget, order, replace(answer, hits=tuple(hits)))
            self._context.shown(block, [memory.version for memory in block.memories])
        return packing.touch_block(self._context, block) if touch else block

    def _search(self, query: str, tags: Sequence[str], vectors: VectorMode | str) -> MemoryAnswer:
        mode = member(VectorMode, vectors)
        self.refresh()
        return searching.search(self._context, query, rules.check_tags(tags), mode)

    def note_packed(self, pack: Pack) -> None:
        """Count the memories in a common pack as accessed."""
        packing.touch_packed(self._context, pack)

    # ------------------------------------------------------------ removing

    def forget(
        self,
        key: str = "",
        *,
        tag: str = "",
        source: str = "",
        everything: bool = False,
        shared: bool = False,
    ) -> Receipt:
        """Remove a key, all keys with a tag, all versions from a source, or everything of this owner and project.

        Versions are erased from tables, index, vectors and log; a key that has versions from elsewhere as well keeps those. A
        hash of each key or version stays, so that `recall` can report that a key was forgotten, and an import does not restore
        it. Raises NotFound when nothing matches.
        """
        choose = forgetting.chosen_by(key, tag, source, everything=everything)
        meant = f"{'named' if key else 'tagged' if tag else 'from'} {key or tag or source!r}"
        none = "no memory at all" if everything else f"no memory {meant}"
        removal = Removal(choose=choose, state=GoneState.FORGOTTEN, none=none, key=key, drop_space=everything)
        return self._remove(removal, shared=shared)

    def redact(self, key: str, *, reason: str = "", shared: bool = False) -> Receipt:
        """Remove a key as `forget` does, and refuse it from then on. Raises NotFound."""
        choose = forgetting.chosen_by(rules.check_new_key(key), "", "", everything=False)
        why = rules.clean_label("reason", reason)
        none = f"no memory named {key!r}"
        removal = Removal(choose=choose, state=GoneState.REDACTED, reason=why, none=none, key=key)
        return self._remove(removal, shared=shared)

    def _remove(self, removal: Removal, *, shared: bool) -> Receipt:
        with self._engine.translating_damage():
            receipt = forgetting.remove_chosen(self._context, removal, shared=shared)
            changed = (*receipt.keys, *receipt.kept)
            files = write_shared(self._context, changed, gone=True) if shared else []
            return forgetting.finish_receipt(self._context, receipt, files)


def scopes_in(engine: Engine, project: str, *, owner: str, own: str) -> tuple[str, ...]:
    """The scopes of memories that `owner` sees in `project`, "" for all projects.

    Changes by time are applied there first; the door of the project `own` does that itself.
    """
    with engine.store.reading() as db:
        stored_projects = {space.project for space in spaces.spaces(db)}
    projects = [project] if project else sorted(stored_projects | {own})
    for project_name in stored_projects.intersection(projects) - {own}:
        MemoriesDoor(engine, owner=owner, project=project_name, notes_use=False).refresh()
    return tuple(scope for project_name in projects for scope in spaces.visible_scopes(owner, project_name))
