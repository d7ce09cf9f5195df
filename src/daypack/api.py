"""The Python API: one store, its doors, and the verbs on all of them.

with Daypack.open(".daypack") as dp:
    dp.files.add("docs/")
    pack = dp.pack("how are refunds retried?", budget=1500)
    print(pack.to_markdown())
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack

from daypack import tokens
from daypack.doors import registry
from daypack.doors.files import table as walks
from daypack.doors.memories.spaces import visible_scopes
from daypack.doors.reading.walk import DEFAULT, WalkRules, looks_like_project
from daypack.doors.sessions import current
from daypack.engine import citations
from daypack.engine.background import BackgroundEmbedding
from daypack.engine.doors import OpenStore
from daypack.engine.engine import Engine
from daypack.engine.filter_arguments import FilterArguments, arrange, filter_from_arguments, holding_content
from daypack.errors import InputError, ModelError, NotAProject, NotFound, StoreReadOnly, member
from daypack.index import census
from daypack.index.store import Store
from daypack.index.vectors import count_pending
from daypack.ports import Clock, Viewer
from daypack.settings import STORE_FOLDER, Settings
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
    from daypack.doors.files.door import FilesDoor
    from daypack.doors.knowledge.door import KnowledgeDoor
    from daypack.doors.memories.door import MemoriesDoor
    from daypack.doors.records.door import RecordsDoor
    from daypack.doors.sessions.door import SessionsDoor
    from daypack.doors.sources.door import SourcesDoor
    from daypack.doors.sources.tasks.door import TasksDoor
    from daypack.engine.health import Check
    from daypack.engine.sharing import Sharing
    from daypack.evaluate import RankerFit, Run, SelfCheck, Suite
    from daypack.filters import Filter
    from daypack.settings.context import ProjectContext
    from daypack.settings.places import Place

    SuiteSource: TypeAlias = Suite | Path | str | Mapping[str, Any] | Sequence[Mapping[str, Any]]

FilterData: TypeAlias = "Filter | Mapping[str, Any]"
Tokenizers: TypeAlias = Tokenizer | Literal["o200k", "cl100k", "approx", "chars", "bytes"]
Packings: TypeAlias = Packing | Literal["auto", "skip", "prefix"]
VectorModes: TypeAlias = VectorMode | Literal["lazy", "all", "none"]
Sorts: TypeAlias = Sort | Literal["relevance", "timeline"]
Contents: TypeAlias = Content | Literal["code", "prose"]
Rankings: TypeAlias = Ranking | Literal["default", "ctx"]
ShapeName: TypeAlias = Literal["markdown", "xml", "json", "explain", "memory-block"]

DEEP = 400  # candidates that are ranked when some of them go afterwards; a pool holds about as many
LAST_PAGE = 50  # of a pack: each is packed from what the pages before it left


def check_is_project(folder: Path, home: Path) -> None:
    """Raise NotAProject for a folder that should not be indexed unasked."""
    problem = looks_like_project(folder, home)
    if problem is not None:
        raise NotAProject(str(folder), problem)


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
        self.shared = shared
        self.root = Path(shared) if shared else root
        self._doors: dict[str, Any] = {}
        self._tasks: TasksDoor | None = None
        self._background: BackgroundEmbedding | None = None
        self._opened = OpenStore(
            engine=engine,
            root=root,
            home=self.root,
            owner=owner,
            project=project,
            shared=shared,
            notes_use=notes_use,
            rules=rules,
            door=self.door,
            refresh_if_stale=self.refresh_if_stale,
        )

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
        engine = Engine(
            Store.open(folder, create=create),
            settings or Settings(),
            registry.doors(),
            clock=clock,
            viewer=Viewer(owner, scopes=visible_scopes(owner, project)),
        )
        return cls(
            engine, base, rules=rules, owner=owner, project=project, notes_use=notes_use, shared=shared
        )

    @classmethod
    def open_in(
        cls,
        context: ProjectContext,
        place: Place,
        *,
        embedder: str | None = None,
        owner: str | None = None,
        project: str | None = None,
        notes_use: bool = True,
    ) -> Daypack:
        """Open the store at `place` with the configuration of `context`; arguments that are given go before it.

        Raises BadConfiguration and StoreError.
        """
        configuration = context.configuration
        return cls.open(
            place.store,
            root=place.root,
            settings=configuration.settings(embedder=embedder),
            owner=owner or configuration["owner"],
            project=project or configuration["project"],
            notes_use=notes_use,
            shared=place.project,
        )

    def __dir__(self) -> Iterable[str]:
        return [name for name in super().__dir__() if not name.startswith("_")]

    # ------------------------------------------------------------ doors

    def door(self, name: str) -> Any:
        """The door of this name, as `--in` takes it; opened at its first use. Raises InputError."""
        if name not in self._doors:
            known = {door.name: door for door in self.engine.doors}
            if name not in known:
                raise InputError(f"{name!r} is no door; choose from {', '.join(known)}")
            self._doors[name] = known[name].open(self._opened)
        return self._doors[name]

    @property
    def files(self) -> FilesDoor:
        """The door of files and folders, kept in step with the disk."""
        found: FilesDoor = self.door("files")
        return found

    @property
    def records(self) -> RecordsDoor:
        """The door of records that a program hands over."""
        found: RecordsDoor = self.door("records")
        return found

    @property
    def code(self) -> CodeDoor:
        """The door of code: packs with what stands near, symbols, callers, tests, and a map."""
        found: CodeDoor = self.door("code")
        return found

    @property
    def memories(self) -> MemoriesDoor:
        """The door of the memories of this instance's owner and project."""
        found: MemoriesDoor = self.door("memories")
        return found

    @property
    def sessions(self) -> SessionsDoor:
        """The door of what happened while agents and people worked."""
        found: SessionsDoor = self.door("sessions")
        return found

    @property
    def knowledge(self) -> KnowledgeDoor:
        """The door of sources under labels."""
        found: KnowledgeDoor = self.door("knowledge")
        return found

    @property
    def documents(self) -> DocumentsDoor:
        """The door of JSON documents and their collections."""
        found: DocumentsDoor = self.door("docs")
        return found

    @property
    def sources(self) -> SourcesDoor:
        """The door of scoped, versioned records with a policy; a user who is not named is this instance's
        owner.
        """
        found: SourcesDoor = self.door("sources")
        return found

    @property
    def tasks(self) -> TasksDoor:
        """The door of tasks: the envelope of a request, and what its user prefers."""
        if self._tasks is None:
            from daypack.doors.sources.tasks.door import TasksDoor

            self._tasks = TasksDoor(self.sources)
        return self._tasks

    def close(self) -> None:
        if self._background is not None:
            self._background.stop()
        try:
            for door in self.engine.doors:
                if door.close is not None and door.name in self._doors:
                    door.close(self._doors[door.name])
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
        tokenizer: Tokenizers = Tokenizer.O200K,
        packing: Packings = Packing.AUTO,
        shape: ShapeName = "markdown",
        vectors: VectorModes = VectorMode.LAZY,
        filter: FilterData | None = None,
        refresh: bool | None = None,
        page: int = 1,
        project: str | None = None,
        **narrow: Unpack[FilterArguments],
    ) -> Pack:
        """The best excerpts for a query, cited, rendered in `shape` within `budget` tokens of `tokenizer`.

        `pack.next_page` is the `page` to ask for what had no room, with all else as it was.

        `narrow` holds the query to `door` ("files", "code", "records", "memories", "docs"), `scope`, `kind`,
        `source`, `language`, `session`, `author`, `tag`, `since` or `before`. `filter` is one of
        `daypack.filters`, or JSON data in the language of documents: of their fields, and of everything else
        the record's. `project` is for a store that several share: "global" or the path of another project.
        """
        limit, chosen, mode = (
            Budget(budget, member(Tokenizer, tokenizer)),
            member(Packing, packing),
            member(VectorMode, vectors),
        )
        _check_shape(shape)
        if not 1 <= page <= LAST_PAGE:
            raise InputError(f"page {page} is none; ask for 1 to {LAST_PAGE}")
        base = self._base(filter, narrow)
        self.engine.refuse(query, limit)  # before the disk is looked at
        with self.engine.translating_damage():
            stats = self._refreshed(refresh)
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
        if engine is self.engine:
            shown = {excerpt.door for excerpt in pack.excerpts}
            for door in engine.doors:
                if door.after_pack is not None and not shown.isdisjoint(door.handlings):
                    door.after_pack(self._opened, pack)
        return pack

    def _base(self, filter: FilterData | None, narrow: FilterArguments) -> Filter | None:
        """A filter of JSON data as one of `daypack.filters`: documents and others are judged as far as `door`
        lets them in. Arguments that are wrong are refused here, before the disk is looked at.
        """
        if isinstance(filter, Mapping):
            doors = narrow.get("door")
            asked = registry.door_names() if doors is None else [doors] if isinstance(doors, str) else doors
            base: Filter | None = self.documents.condition(
                filter, documents="docs" in asked, others=[*asked] != ["docs"]
            )
        else:
            base = filter
        filter_from_arguments(base, self.engine.doors, **narrow)
        return base

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        vectors: VectorModes = VectorMode.LAZY,
        filter: FilterData | None = None,
        refresh: bool | None = None,
        sort: Sorts = Sort.RELEVANCE,
        content: Contents | None = None,
        ranking: Rankings = Ranking.DEFAULT,
        project: str | None = None,
        **narrow: Unpack[FilterArguments],
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
        self.engine.refuse(query)
        with self.engine.translating_damage():
            stats = self._refreshed(refresh)
            scope = self._project(project)
            engine = self._engine_of(scope)
            condition, others = self._within_sessions(base, order, narrow, scope)
            if kind is not None:
                condition = holding_content(condition, kind)
            # More are ranked than shown where some of them go afterwards.
            depth = limit if order is Sort.RELEVANCE and kind is None else max(DEEP, limit)
            if profile is Ranking.CTX:
                # the default profile needs none of it
                from daypack.engine.ctx_search import search_fused

                result = search_fused(engine, query, limit=depth, condition=condition, stats=stats)
            else:
                result = engine.search(query, limit=depth, mode=mode, condition=condition, stats=stats)
            if depth != limit or order is not Sort.RELEVANCE:
                result = arrange(result, limit, order, kind)
            return (
                result
                if result.candidates or not limit
                else replace(result, notes=self._why_nothing(result, condition, others=others))
            )

    def resolve_scope(
        self, query: str, *, filter: Filter | None = None, **narrow: Unpack[FilterArguments]
    ) -> tuple[Engine, Filter | None]:
        """The engine that a search with these arguments asks, and its filter. Raises QueryTooLong."""
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
        if not self.shared or project == self.shared:
            return self.engine
        from daypack.doors.memories.projects import scopes_in

        scopes = scopes_in(self.engine, project, owner=self._opened.owner, own=self._opened.project)
        return self.engine.seen_by(self.engine.visibility.viewer._replace(scopes=scopes))

    @property
    def _sharing(self) -> Sharing:
        from daypack.engine.sharing import Sharing

        return Sharing(self.files.root, self.shared, self.engine.doors)

    def fit_to_budget(self, budget: int, most: int, render: Callable[[int], str]) -> str:
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
        self, base: Filter | None, order: Sort, narrow: FilterArguments, project: str = ""
    ) -> tuple[Filter | None, bool]:
        """(the filter of a query, whether it leaves out other sessions than the current one)."""
        if self.shared:
            base = self._sharing.filter(base, project)
        session, doors = narrow.get("session"), narrow.get("door")
        within = None
        with self.engine.store.reading() as db:
            if session is None:
                named = doors is not None and current.DOOR in ([doors] if isinstance(doors, str) else doors)
                if not named and order is not Sort.TIMELINE:
                    within = current.other_sessions(db, project or self.shared)
            elif session != current.ALL:
                within = current.in_session(db, lambda: self.sessions, session, project or self.shared)
        rest = narrow.copy()
        rest["session"] = None
        condition = filter_from_arguments(base, self.engine.doors, **rest)
        if within is None:
            return condition, False
        from daypack.filters import All

        return within if condition is None else All((condition, within)), session is None

    def _why_nothing(
        self, result: SearchResult, condition: Filter | None, *, others: bool
    ) -> tuple[str, ...]:
        """Notes on an empty answer: what was searched, why nothing came of it, and what to try."""
        with self.engine.store.reading() as db:
            total = census.count_chunks(db, self.engine.visibility.visible(db))
            events = others and current.any_event(db)
        if not total or result.empty_reason is EmptyReason.EMPTY_QUERY:
            return ()
        searched = result.stats.chunks if result.empty_reason is not EmptyReason.FILTERED_OUT else 0
        notes = [
            f"Searched {searched:,} of {total:,} chunks"
            + (": the filters left out the rest." if condition is not None and searched < total else ".")
        ]
        if events and searched < total:
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
        store = self.engine.store
        with self.engine.translating_damage():
            try:
                found = citations.find(store, self.engine.visibility, reference)
            except NotFound:
                if not self.shared:
                    raise
                # as an answer from all projects cites it
                found = citations.find(store, self._engine_of("").visibility, reference)
            if found.state == "current" and not all(
                door.is_current(self._opened, found.uri) for door in self.engine.doors if door.is_current
            ):
                return found._replace(state="changed")
            return found

    def embed(self, *, progress: Callable[[int, int], None] | None = None) -> int:
        """Embed everything that has no vector yet; how many there were. An interrupt keeps what is done."""
        with self.engine.translating_damage():
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
            self._background = BackgroundEmbedding(self.engine, model=model)
        return self._background

    def reindex(self) -> IngestReport:
        """Rebuild chunks and lexical index from the stored texts; vectors of equal text are kept."""
        with self.engine.translating_damage():
            return self.engine.reindex()

    def status(self) -> dict[str, Any]:
        """Counts, sizes and freshness of the store. `embedder` is "" when the model cannot be used."""
        store = self.engine.store
        with self.engine.translating_damage():
            stale = sum(len(found.changed) for found in self.files.check().values())
            try:
                model = self.engine.embedding.model.model_id
            except ModelError:
                model = ""
            with store.reading() as db:
                visible = self.engine.visibility.visible(db)
                kinds = census.records_by_kind(db, visible)
                languages = census.records_by_language(db, visible)
                chunks = census.count_chunks(db, visible)
                missing = count_pending(store, model, self.engine.visibility.hidden_ids(db))
            fitted = self.engine.fitted()
            reasons: dict[str, int] = {}
            for issue in walks.skipped(store):
                reasons[issue.reason.value] = reasons.get(issue.reason.value, 0) + 1
            return {
                "store": str(store.folder),
                "root": str(self.root),
                "bytes": store.size(),
                "sources": self.files.roots(),
                "records": sum(kinds.values()),
                "chunks": chunks,
                "kinds": kinds,
                "languages": languages,
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
        with self.engine.translating_damage(), self.engine.store.reading() as db:
            return census.growth(db, self.engine.visibility.visible(db), steps)

    def doctor(self, *, deep: bool = False) -> list[Check]:
        """Checks of the environment and of the data of the store, well or not."""
        from daypack.engine.health import diagnose

        return diagnose(self.engine.store, self.engine.doors, deep=deep)

    # ------------------------------------------------------------ freshness

    def refresh_if_stale(self, refresh: bool | None = None) -> SearchStats:
        """Look at the originals now, as every query does first; for several queries that are to see one state
        of them. Without `refresh` nothing is read again but what changes by time alone.
        """
        with self.engine.translating_damage():
            return self._refreshed(refresh)

    def _refreshed(self, refresh: bool | None) -> SearchStats:
        stats = SearchStats()
        again = self.engine.settings.refresh if refresh is None else refresh
        for door in self.engine.doors:
            if door.refresh is not None:
                stats = door.refresh(self._opened, again, stats)
        return stats

    def first_use(
        self, home: Path, *, progress: Callable[[int, int], None] | None = None
    ) -> IngestReport | None:
        """Index the root when nothing was ever added; None when something was.

        Raises NotAProject for a folder that is none.
        """
        if self.shared:  # what others added says nothing of this one
            if self.files.covers(self.root):
                return None
        else:
            beside = [name for door in self.engine.doors if door.beside for name in door.handlings]
            if self.files.roots() or self.engine.store.holds_more_than(*beside):
                return None
        check_is_project(self.root, home)
        return self.files.add(self.root, progress=progress)

    # ------------------------------------------------------------ evaluation

    def evaluate(
        self,
        suite: SuiteSource,
        *,
        limit: int = 10,
        budget: int = 4000,
        tokenizer: Tokenizers = Tokenizer.O200K,
        packing: Packings = Packing.AUTO,
        vectors: VectorModes = VectorMode.LAZY,
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
        vectors: VectorModes = VectorMode.LAZY,
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
        self.refresh_if_stale(refresh)
        with self.engine.translating_damage():
            return self_check.ask(self.engine, items=items, seed=seed, mode=mode, progress=progress)

    def fit_ranker(
        self,
        suite: SuiteSource,
        *,
        vectors: VectorModes = VectorMode.LAZY,
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
        with self.engine.translating_damage():
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


def _suite(given: SuiteSource) -> Suite:
    """A suite as it is, from its file, or from what its JSON holds. Raises BadSuite."""
    from daypack.evaluate import Suite, read_suite
    from daypack.evaluate.run_folder import read_suite_file

    if isinstance(given, (str, Path)):
        return read_suite_file(Path(given))
    return given if isinstance(given, Suite) else read_suite(given, "suite")


def _check_shape(name: str) -> None:
    from daypack.shapes import SHAPES

    if name not in SHAPES:
        raise InputError(f"no shape {name!r}; choose from {', '.join(SHAPES)}")
