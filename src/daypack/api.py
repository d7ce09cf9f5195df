"""What users import: one store, its doors, and the verbs on all of them.

with Daypack.open(".daypack") as dp:
    dp.files.add("docs/")
    pack = dp.pack("how are refunds retried?", budget=1500)
    print(pack.to_markdown())
"""

from __future__ import annotations

import itertools
import os
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any

from daypack import tokens
from daypack.doors import DOORS, SESSIONS, SOURCES
from daypack.doors.files import table as walks
from daypack.doors.files.door import DOOR as FILES
from daypack.doors.files.door import FilesDoor
from daypack.doors.knowledge.table import any_backed
from daypack.doors.reading.walk import DEFAULT, WalkRules, looks_like_project
from daypack.doors.records.door import RecordsDoor
from daypack.doors.sessions.hooks import waiting
from daypack.engine import citations as references
from daypack.engine.background import BackgroundEmbedding
from daypack.engine.engine import Engine
from daypack.engine.narrowing import arranged, narrowed, of_content
from daypack.errors import InputError, ModelError, NotAProject, NotFound, StoreBusy, StoreReadOnly, member
from daypack.index.spaces import DOOR as MEMORIES
from daypack.index.spaces import Sight, Viewer, spaces, visible_scopes
from daypack.index.store import Store
from daypack.index.vectors import count_pending
from daypack.ports import Clock
from daypack.settings import STORE_FOLDER, Settings
from daypack.text.storable import storable
from daypack.types import (
    OWNER,
    Budget,
    Content,
    EmptyReason,
    Found,
    IngestReport,
    Pack,
    Packing,
    Ranking,
    SearchResult,
    SearchStats,
    Sort,
    Tokenizer,
    VectorMode,
)

if TYPE_CHECKING:
    from daypack.doors.code.door import CodeDoor
    from daypack.doors.documents.door import DocumentsDoor
    from daypack.doors.knowledge.door import KnowledgeDoor
    from daypack.doors.memories.door import MemoriesDoor
    from daypack.doors.sessions.door import SessionsDoor
    from daypack.doors.sources.door import SourcesDoor
    from daypack.doors.sources.tasks.door import TasksDoor
    from daypack.engine.health import Check
    from daypack.evaluate import RankerFit, Run, SelfCheck, Suite
    from daypack.filters import Filter
    from daypack.settings.project import Sharing

DEEP = 400  # candidates that are ranked when some of them go afterwards; a pool holds about as many
LAST_PAGE = 50  # of a pack: each is packed from what the pages before it left
DOCUMENTS = "docs"  # the name of their door in DOORS
SMALL_CHANGE = 500  # changed files that a query re-reads by itself; more are reported as stale


class Daypack:
    """A store and everything that can be done with it. Open it with `Daypack.open`; close it, or use it in a
    `with` block.

    One instance belongs to one thread; any number of instances, threads and processes may share a store.
    """

    def __init__(
        self,
        engine: Engine,
        root: Path,
        *,
        rules: WalkRules = DEFAULT,
        owner: str = OWNER,
        project: str = "",
        notes_use: bool = True,
        shared: str = "",
    ) -> None:
        self.engine = engine
        self._bound = (owner, project)
        self._notes_use = notes_use
        self.shared = shared
        self.root = Path(shared) if shared else root
        self.files = FilesDoor(engine, root, rules=rules)
        self.records = RecordsDoor(engine)
        self._background: BackgroundEmbedding | None = None

    @classmethod
    def open(
        cls,
        store: Path | str = STORE_FOLDER,
        *,
        root: Path | str | None = None,
        create: bool = True,
        settings: Settings | None = None,
        rules: WalkRules = DEFAULT,
        clock: Clock = time.time,
        owner: str = OWNER,
        project: str = "",
        notes_use: bool = True,
        shared: str = "",
    ) -> Daypack:
        """Open the store in folder `store`, making it if need be. Paths of files are relative to `root`: the
        folder that holds `.daypack`, or the working folder for a store elsewhere. `owner` and `project` say
        whose memories are seen, and no others are; without `notes_use` reading leaves no trace on them.
        `shared` is the folder of this project in a store that several share. Raises StoreError.
        """
        folder = Path(os.path.abspath(Path(store).expanduser()))
        base = (
            Path(root) if root is not None else folder.parent if folder.name == STORE_FOLDER else Path.cwd()
        )
        project = project or shared
        if (owner, project) != (OWNER, ""):
            # most stores have one owner, and every command would pay for these
            from daypack.doors.memories.rules import check_label, check_owner

            owner, project = check_owner(owner), check_label("project", project)
        opened = Store.open(folder, create=create)
        engine = Engine(
            opened,
            settings or Settings(),
            clock=clock,
            sight=Sight(visible_scopes(owner, project), Viewer(owner)),
        )
        return cls(
            engine, base, rules=rules, owner=owner, project=project, notes_use=notes_use, shared=shared
        )

    @cached_property
    def code(self) -> CodeDoor:
        """The door of code: packs with what stands near, symbols, callers, tests, and a map."""
        from daypack.doors.code.door import CodeDoor

        return CodeDoor(self.engine, self.files.root, self.look)

    @cached_property
    def memories(self) -> MemoriesDoor:
        """The door of the memories of this instance's owner and project."""
        from daypack.doors.memories.door import MemoriesDoor

        return MemoriesDoor(
            self.engine, owner=self._bound[0], project=self._bound[1], notes_use=self._notes_use
        )

    @cached_property
    def sessions(self) -> SessionsDoor:
        """The door of what happened while agents and people worked."""
        from daypack.doors.sessions.door import SessionsDoor

        return SessionsDoor(self.engine, scope=self.shared)

    @cached_property
    def knowledge(self) -> KnowledgeDoor:
        """The door of sources under labels."""
        from daypack.doors.knowledge.door import KnowledgeDoor

        return KnowledgeDoor(self.engine, self.root, rules=self.files.rules, scope=self.shared)

    @cached_property
    def documents(self) -> DocumentsDoor:
        """The door of JSON documents and their collections."""
        from daypack.doors.documents.door import DocumentsDoor

        return DocumentsDoor(self.engine)

    @cached_property
    def sources(self) -> SourcesDoor:
        """The door of scoped, versioned records with a policy; who is not named is this instance's owner."""
        from daypack.doors.sources.door import SourcesDoor

        return SourcesDoor(self.engine, owner=self._bound[0])

    @cached_property
    def tasks(self) -> TasksDoor:
        """The door of tasks: the envelope of a request, and what its user prefers."""
        from daypack.doors.sources.tasks.door import TasksDoor

        return TasksDoor(self.sources)

    def close(self) -> None:
        if self._background is not None:
            self._background.stop()
        try:
            if "sources" in vars(self):  # it was made
                self.sources.close()
        finally:
            self.engine.store.close()

    def __enter__(self) -> Daypack:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    # ------------------------------------------------------------ the verbs

    def pack(
        self,
        query: str,
        *,
        budget: int = 4000,
        tokenizer: Tokenizer | str = Tokenizer.O200K,
        packing: Packing | str = Packing.AUTO,
        shape: str = "markdown",
        vectors: VectorMode | str = VectorMode.LAZY,
        filter: Filter | Mapping[str, Any] | None = None,
        refresh: bool | None = None,
        page: int = 1,
        project: str | None = None,
        **narrow: Any,
    ) -> Pack:
        """The best excerpts for a query, cited, rendered in `shape` within `budget` tokens of `tokenizer`.

        `pack.next_page` is the `page` to ask for what had no room, with all else as it was.

        `narrow` holds the query to `door` ("files", "code", "records", "memories", "docs"), `scope`, `kind`,
        `source`, `language`, `session`, `author`, `tag`, `since` or `before`. `filter` is one of
        `daypack.filters`, or JSON data in the language of documents: of their fields, and of everything else
        the record's. `project` is for a store that several share: "global" or the path of another project.
        """
        limit, chosen, shape, mode = (
            Budget(budget, member(Tokenizer, tokenizer)),
            member(Packing, packing),
            _shape(shape),
            member(VectorMode, vectors),
        )
        if not 1 <= page <= LAST_PAGE:
            raise InputError(f"page {page} is none; ask for 1 to {LAST_PAGE}")
        base = self._base(filter, narrow)
        narrowed(base, **narrow)  # what is wrong with it is said before the disk is looked at
        self.engine.refuse(query, limit)  # before the disk is looked at
        with self.engine.careful():
            stats = self._freshened(refresh)
            scope = self._project(project)
            condition, _ = self._within_sessions(base, Sort.RELEVANCE, narrow, scope)
            engine = self._engine_of(scope)
            pack = engine.pack(
                query,
                limit,
                packing=chosen,
                shape=shape,
                mode=mode,
                condition=condition,
                stats=stats,
                page=page,
            )
        if engine is self.engine and any(excerpt.door == MEMORIES for excerpt in pack.excerpts):
            self.memories.note_packed(pack)
        return pack

    def _base(self, filter: Filter | Mapping[str, Any] | None, narrow: Mapping[str, Any]) -> Filter | None:
        """A filter of JSON data as one of `daypack.filters`; documents and others are judged as far as `door`
        lets them in.
        """
        if not isinstance(filter, Mapping):
            return filter
        doors = narrow.get("door")
        asked = [doors] if isinstance(doors, str) else list(doors or DOORS)
        return self.documents.condition(filter, documents=DOCUMENTS in asked, others=asked != [DOCUMENTS])

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        vectors: VectorMode | str = VectorMode.LAZY,
        filter: Filter | Mapping[str, Any] | None = None,
        refresh: bool | None = None,
        sort: Sort | str = Sort.RELEVANCE,
        content: Content | str | None = None,
        ranking: Ranking | str = Ranking.DEFAULT,
        project: str | None = None,
        **narrow: Any,
    ) -> SearchResult:
        """The best chunks for a query with scores and contributions; `narrow` as in `pack`.

        Of sessions, the one that is going on is searched, unless `session` names another or "all", or `door`
        is "sessions". With `sort` "timeline" the answer is in the order in which things happened, across all
        sessions; `content` keeps to code or to prose.
        """
        if limit < 0:
            raise InputError(f"limit {limit} is negative; ask for 1 or more")
        mode, order = member(VectorMode, vectors), member(Sort, sort)
        kind = None if content is None else member(Content, content)
        profile = member(Ranking, ranking)
        base = self._base(filter, narrow)
        narrowed(base, **narrow)  # what is wrong with it is said before the disk is looked at
        self.engine.refuse(query)
        with self.engine.careful():
            stats = self._freshened(refresh)
            scope = self._project(project)
            engine = self._engine_of(scope)
            condition, others = self._within_sessions(base, order, narrow, scope)
            if kind is not None:
                condition = of_content(condition, kind)
            # More are ranked than shown where some of them go afterwards.
            depth = limit if order is Sort.RELEVANCE and kind is None else max(DEEP, limit)
            if profile is Ranking.CTX:
                # whoever names no profile needs none of it
                from daypack.engine.ctx_search import search_fused

                result = search_fused(engine, query, limit=depth, condition=condition, stats=stats)
            else:
                result = engine.search(query, limit=depth, mode=mode, condition=condition, stats=stats)
            if depth != limit or order is not Sort.RELEVANCE:
                result = arranged(result, limit, order, kind)
            return (
                result
                if result.candidates or not limit
                else replace(result, notes=self._why_nothing(result, condition, others=others))
            )

    def asked(
        self, query: str, *, filter: Filter | None = None, **narrow: Any
    ) -> tuple[Engine, Filter | None]:
        """The engine that a search of these arguments asks, and its filter. Raises QueryTooLong."""
        self.engine.refuse(query)
        scope = self._project(None)
        return self._engine_of(scope), self._within_sessions(filter, Sort.RELEVANCE, narrow, scope)[0]

    def _project(self, asked: str | None) -> str:
        """The scope of the project that is asked, "" for all of a shared store and for one that is not shared.

        Raises InputError.
        """
        if not self.shared:
            if asked is not None:
                raise InputError(
                    "this store is of one project; DAYPACK_PROJECT_DIR makes one that several share"
                )
            return ""
        return self._sharing.scope_of(asked)

    def _engine_of(self, project: str) -> Engine:
        """The engine that sees what this owner remembers in a project of a shared store, "" for all of them,
        besides what everybody sees.
        """
        owner, own = self._bound
        if not self.shared or project == self.shared:
            return self.engine
        with self.engine.store.reading() as db:
            kept = {space.project for space in spaces(db)}
        names = sorted(kept | {own}) if not project else [project]
        for name in kept.intersection(names) - {own}:
            from daypack.doors.memories.door import MemoriesDoor

            MemoriesDoor(self.engine, owner=owner, project=name, notes_use=False).refresh()
        scopes = tuple(scope for name in names for scope in visible_scopes(owner, name))
        return self.engine.seeing(self.engine.sight._replace(scopes=scopes))

    @property
    def _sharing(self) -> Sharing:
        from daypack.settings.project import Sharing

        return Sharing(self.files.root, self.shared)

    def fitted(self, budget: int, most: int, render: Callable[[int], str]) -> str:
        """The longest `render(n)`, n from 0 to `most`, that counts at most `budget` o200k tokens; "" when not
        even the shortest does.

        A larger n must render to no shorter a text. Raises BadBudget.
        """
        self.engine.refuse("", Budget(budget))
        count = tokens.counter(Tokenizer.O200K)
        low, high = -1, most
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if count(render(middle)) <= budget else (low, middle - 1)
        return render(low) if low >= 0 else ""

    def _within_sessions(
        self, base: Filter | None, order: Sort, narrow: Mapping[str, Any], project: str = ""
    ) -> tuple[Filter | None, bool]:
        """(the filter of a query, whether other sessions than the current one are out of its sight)."""
        if self.shared:
            base = self._sharing.narrowed(base, project)
        given = dict(narrow)
        session = given.pop("session", None)
        if session is None:
            asked = given.get("door")
            named = asked is not None and SESSIONS in ([asked] if isinstance(asked, str) else asked)
            current = self.engine.store.current_session(project or self.shared)
            if named or order is Sort.TIMELINE or current is None:
                return narrowed(base, **given), False
            from daypack.filters import All, Not, OneOf

            others = Not(All((OneOf("door", (SESSIONS,)), Not(OneOf("session", (current,))))))
            condition = narrowed(base, **given)
            return others if condition is None else All((condition, others)), True
        if session == "all":
            return narrowed(base, **given), False
        names: tuple[str, ...] = (session,)
        if session == "current" or not self.engine.store.has_session(storable(session)):
            found = self.sessions.of(project or self.shared).resolve(storable(session))
            names = () if found is None else (found,)
        from daypack.filters import All, OneOf

        only = OneOf("session", tuple(map(storable, names)))
        condition = narrowed(base, **given)
        return only if condition is None else All((condition, only)), False

    def _why_nothing(
        self, result: SearchResult, condition: Filter | None, *, others: bool
    ) -> tuple[str, ...]:
        """What was searched, why nothing came of it, and what to try."""
        with self.engine.store.reading() as db:
            where, parameters = self.engine.sight.seen(db)
            total = db.execute(
                f"SELECT count(*) FROM chunk WHERE record_id IN (SELECT id FROM record WHERE {where})",
                parameters,
            ).get
            events = db.execute("SELECT count(*) FROM session_event").get if others else 0
        if not total or result.empty_reason is EmptyReason.EMPTY_QUERY:
            return ()
        searched = result.stats.chunks if result.empty_reason is not EmptyReason.FILTERED_OUT else 0
        notes = [
            f"Searched {searched:,} of {total:,} chunks"
            + (": the filters left out the rest." if condition is not None and searched < total else ".")
        ]
        if others and events and searched < total:
            notes.append(
                "Of sessions only the current one was searched; ask again with --session all, or --sort timeline."
            )
        if result.candidates == () and result.empty_reason is None and searched:
            notes.append("What was found is not of the kind of content that was asked for.")
        return tuple(notes)

    def get(self, reference: str) -> Found:
        """The exact text behind `path:12-40`, a path, a citation with its hash, or a chunk id.

        Raises NotFound.
        """
        with self.engine.careful():
            try:
                found = references.find(self.engine.store, self.engine.sight, reference)
            except NotFound:
                if not self.shared:
                    raise
                # as an answer from all projects cites it
                found = references.find(self.engine.store, self._engine_of("").sight, reference)
            if found.state == "current" and not self._on_disk(found.uri):
                return found._replace(state="changed")
            return found

    def embed(self, *, progress: Callable[[int, int], None] | None = None) -> int:
        """Embed everything that has no vector yet; how many there were. An interrupt keeps what is done."""
        with self.engine.careful():
            return self.engine.embed_pending(progress=progress)

    def embed_in_background(self) -> BackgroundEmbedding:
        """Make missing vectors on a thread of its own until this instance is closed; for processes that live
        long.
        """
        if self._background is None:
            try:
                model = self.engine.embedding.model  # one in memory serves both
            except ModelError:
                model = None  # what is wrong with it is told by `error` of the background, and by every query
            self._background = BackgroundEmbedding(
                self.engine.store.folder,
                self.engine.settings,
                clock=self.engine.clock,
                sight=self.engine.sight,
                model=model,
            )
        return self._background

    def reindex(self) -> IngestReport:
        """Rebuild chunks and lexical index from the stored texts; vectors of equal text are kept."""
        with self.engine.careful():
            return self.engine.reindex()

    def status(self) -> dict[str, Any]:
        """Counts, sizes and freshness of the store. `embedder` is "" when the model cannot be used."""
        with self.engine.careful():
            return self._status()

    def _status(self) -> dict[str, Any]:
        store = self.engine.store
        stale = sum(len(found.changed) for found in self.files.check().values())
        try:
            model = self.engine.embedding.model.model_id
        except ModelError:
            model = ""
        with store.reading() as db:
            where, parameters = self.engine.sight.seen(db)
            by_kind = dict(
                db.execute(
                    f"SELECT kind, count(*) FROM record WHERE {where} GROUP BY kind ORDER BY kind", parameters
                )
            )
            by_language = dict(
                db.execute(
                    f"SELECT language, count(*) FROM record WHERE {where} GROUP BY language ORDER BY count(*) DESC, language LIMIT 12",
                    parameters,
                )
            )
            chunks = db.execute(
                f"SELECT count(*) FROM chunk WHERE record_id IN (SELECT id FROM record WHERE {where})",
                parameters,
            ).get
            missing = count_pending(store, model, self.engine.sight.hidden(db))
        fitted = self.engine.snapshots.fitted()
        reasons: dict[str, int] = {}
        for issue in walks.skipped(store):
            reasons[issue.reason.value] = reasons.get(issue.reason.value, 0) + 1
        return {
            "store": str(store.folder),
            "root": str(self.root),
            "bytes": store.size(),
            "sources": self.files.roots(),
            "records": sum(by_kind.values()),
            "chunks": chunks,
            "kinds": by_kind,
            "languages": by_language,
            "embedder": model,
            "vectors_missing": missing,
            "stale_files": stale,
            "skipped": dict(sorted(reasons.items())),
            "fitted": None if fitted is None else fitted.summary(),
        }

    def growth(self, *, steps: int = 60) -> list[tuple[float, int]]:
        """(moment, how many of the records that stand now had come in by then), oldest first: at most `steps`
        + 1, none of an empty store.

        A record that was read again counts from then on.
        """
        with self.engine.careful(), self.engine.store.reading() as db:
            where, parameters = self.engine.sight.seen(db)
            ((first, last),) = db.execute(
                f"SELECT min(indexed_at), max(indexed_at) FROM record WHERE {where}", parameters
            )
            if first is None:
                return []
            step = max((last - first) / steps, 1.0)
            rows = db.execute(
                f"SELECT max(indexed_at), count(*) FROM record WHERE {where} GROUP BY CAST((indexed_at - ?) / ? AS INTEGER) ORDER BY 1",
                (*parameters, first, step),
            )
            moments, counts = zip(*rows, strict=True)
        return [*zip(moments, itertools.accumulate(counts), strict=True)]

    def doctor(self, *, deep: bool = False) -> list[Check]:
        """What is well and what is not, with the environment and the data of the store."""
        from daypack.engine.health import diagnose

        return diagnose(self.engine.store, deep=deep)

    # ------------------------------------------------------------ evaluation

    def evaluate(
        self,
        suite: Suite | Path | str | Mapping[str, Any] | Sequence[Mapping[str, Any]],
        *,
        limit: int = 10,
        budget: int = 4000,
        tokenizer: Tokenizer | str = Tokenizer.O200K,
        packing: Packing | str = Packing.AUTO,
        vectors: VectorMode | str = VectorMode.LAZY,
        refresh: bool | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Run:
        """Ask every case of a suite and judge the answers; nothing is saved. `suite` is one, its file, or
        what its JSON holds.

        The first `limit` results of a search count as retrieved; `budget` is for cases that name none. Raises
        BadSuite.
        """
        from daypack.evaluate import Options, suite_runner

        asked = _suite(suite)
        if limit < 1:
            raise InputError(f"limit {limit} counts no result; ask for 1 or more")
        options = Options(
            limit, budget, member(Tokenizer, tokenizer), member(Packing, packing), member(VectorMode, vectors)
        )
        return suite_runner.run_suite(self, asked, options, refresh=refresh, progress=progress)

    def self_check(
        self,
        *,
        items: int = 100,
        seed: int = 0,
        vectors: VectorMode | str = VectorMode.LAZY,
        refresh: bool | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> SelfCheck:
        """Ask for `items` chunks by questions made from their own words, and say which retrieval arm finds
        them best.

        Equal stores and seeds give equal questions. They favour words: `daypack.evaluate.known_items` says
        what they are worth.
        """
        from daypack.evaluate import self_check

        if items < 1:
            raise InputError(f"items {items} asks for nothing; ask for 1 or more")
        mode = member(VectorMode, vectors)
        self.look(refresh)
        with self.engine.careful():
            return self_check.ask(self.engine, items=items, seed=seed, mode=mode, progress=progress)

    def fit_ranker(
        self,
        suite: Suite | Path | str | Mapping[str, Any] | Sequence[Mapping[str, Any]],
        *,
        vectors: VectorMode | str = VectorMode.LAZY,
        refresh: bool | None = None,
        keep: bool = True,
        progress: Callable[[int, int], None] | None = None,
    ) -> RankerFit:
        """Choose ranking weights by the cases of a suite, and rank by those that help from now on; `suite` as
        in `evaluate`.

        What is not shown to help on cases that it was not chosen on is not kept: then `fitted` of the answer
        is None, and nothing was written. Without `keep` nothing is, whatever was found. Raises BadSuite,
        TooFewCases and StoreReadOnly.
        """
        from daypack.evaluate import tuning
        from daypack.rank.tuned_weights import to_json

        if keep and self.engine.store.read_only:  # said before the work
            raise StoreReadOnly(str(self.engine.store.folder))
        asked, mode = _suite(suite), member(VectorMode, vectors)
        with self.engine.careful():
            found = tuning.fit_ranker(self, asked, mode=mode, refresh=refresh, progress=progress)
            if keep and found.fitted is not None:
                self.engine.store.keep_fitted_weights(to_json(found.fitted))
        return found

    def unfit_ranker(self) -> bool:
        """Rank by the default weights again; whether there were others. Raises StoreReadOnly."""
        there = self.engine.store.fitted_weights() != ""
        if there:
            self.engine.store.keep_fitted_weights("")
        return there

    def look(self, refresh: bool | None = None) -> SearchStats:
        """Look at the disk now, as every query does first; for several queries that are to see one state of
        it.
        """
        with self.engine.careful():
            return self._freshened(refresh)

    # ------------------------------------------------------------ freshness

    def first_use(
        self, home: Path, *, progress: Callable[[int, int], None] | None = None
    ) -> IngestReport | None:
        """Index the root when nothing was ever added; None when something was.

        Raises NotAProject for a folder that is none.
        """
        if self.shared:  # what others added says nothing of this one
            if self.files.covers(self.root):
                return None
        elif self.files.roots() or self.engine.store.holds_more_than(
            MEMORIES, SESSIONS, SOURCES, *DOORS[DOCUMENTS]
        ):
            return None
        problem = looks_like_project(self.root, home)
        if problem is not None:
            raise NotAProject(str(self.root), problem)
        return self.files.add(self.root, progress=progress)

    def _freshened(self, refresh: bool | None) -> SearchStats:
        """Look at the disk, and re-read what changed when it is little; what was not re-read is said."""
        with self.engine.store.reading() as db:
            remembered = bool(spaces(db))  # else nothing here changes by time alone
        if remembered:
            self.memories.refresh()
        if waiting(str(self.engine.store.folder)):
            self.sessions.fold_quietly()
        with self.engine.store.reading() as db:
            backed = any_backed(db)
        if backed and (self.engine.settings.refresh if refresh is None else refresh):
            self.knowledge.refresh_quietly()
        stats = SearchStats()
        if self.engine.store.awaits_text() and (lacking := self.documents.follow()):
            stats = SearchStats(
                degraded=(f"{lacking:,} documents are not in the index yet; run `daypack docs sync`",)
            )
        return self._refreshed(stats, refresh)

    def _refreshed(self, stats: SearchStats, refresh: bool | None) -> SearchStats:
        if not (self.engine.settings.refresh if refresh is None else refresh):
            return stats
        found = self.files.check()
        stale = sum(
            max(len(state.changed), int(state.folders)) for state in found.values() if not state.fresh
        )
        if not stale:
            return stats
        if stale > SMALL_CHANGE:
            return stats._replace(stale=stale)
        try:
            report = self.files.refresh(found)
        except (StoreBusy, StoreReadOnly):  # an answer from older text, said so, is worth more than none
            return stats._replace(stale=sum(len(state.changed) for state in found.values()))
        return stats._replace(refreshed=report.added + report.updated + report.removed)

    def _on_disk(self, uri: str) -> bool:
        """Whether the file behind a record is as it was when it was read; True for what is no file."""
        stored = self.engine.store.stored_record(FILES, "", uri)
        if stored is None:
            return True
        from daypack.doors.reading.walk import path_of

        try:
            status = os.stat(path_of(self.files.root, uri))
        except OSError:
            return False
        return (status.st_mtime_ns, status.st_size) == (stored.mtime_ns, stored.size)


def _suite(given: Suite | Path | str | Mapping[str, Any] | Sequence[Mapping[str, Any]]) -> Suite:
    """A suite as it is, from its file, or from what its JSON holds. Raises BadSuite."""
    from daypack.evaluate import Suite, read_suite
    from daypack.evaluate.run_folder import read_suite_file

    if isinstance(given, (str, Path)):
        return read_suite_file(Path(given))
    return given if isinstance(given, Suite) else read_suite(given, "suite")


def _shape(name: str) -> str:
    from daypack.shapes import SHAPES

    if name not in SHAPES:
        raise InputError(f"no shape {name!r}; choose from {', '.join(SHAPES)}")
    return name
