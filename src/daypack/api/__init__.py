"""The Python API: one store, its doors, and the verbs on all of them.

with Daypack.open(".daypack") as dp:
    dp.files.add("docs/")
    pack = dp.pack("how are refunds retried?", budget=1500)
    print(pack.to_markdown())
"""

from __future__ import annotations

import os
import time
from bisect import bisect_right
from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from datetime import tzinfo
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, Unpack

from daypack import tokens
from daypack.api import query_scope
from daypack.api.door_set import DoorSet
from daypack.api.evaluations import Evaluations
from daypack.api.safekeeping import Safekeeping
from daypack.api.upkeep import Upkeep
from daypack.doors import registry
from daypack.doors.memories.spaces import seeing_then, visible_scopes
from daypack.doors.reading.walk import DEFAULT, WalkRules, looks_like_project
from daypack.engine.engine import Engine
from daypack.engine.filter_arguments import FilterArguments, arrange, holding_content, settled
from daypack.engine.limits import check_limits
from daypack.engine.open_store import OpenStore
from daypack.engine.questions import Conversation, Question
from daypack.errors import InputError, NotAProject, NotFound
from daypack.guard.arguments import checked
from daypack.index.stores import open_store
from daypack.ports import Clock, Viewer
from daypack.projects import STORE_FOLDER
from daypack.settings import LONGEST_QUERY_BYTES, Settings
from daypack.settings.places import located, why_around_projects
from daypack.settings.zone import MachineZone
from daypack.shapes import check_shape
from daypack.text.checks import check_text, member
from daypack.types import (
    OWNER,
    Budget,
    Content,
    Found,
    IngestReport,
    Pack,
    Packing,
    Ranking,
    SearchResult,
    SearchStats,
    Sort,
    Task,
    Tokenizer,
    VectorMode,
)
from daypack.types.modes import Contents, Packings, Rankings, Sorts, Tasks, Tokenizers, VectorModes
from daypack.types.servers import ServerAddress

if TYPE_CHECKING:
    from daypack.filters import Filter
    from daypack.settings.context import ProjectContext
    from daypack.settings.places import StorePlace

History: TypeAlias = "Iterable[str | Mapping[str, Any]] | None"
FilterData: TypeAlias = "Filter | Mapping[str, Any]"
ShapeName: TypeAlias = Literal["markdown", "xml", "json", "explain", "memory-block"]

DEEP = 400  # candidates to rank when some are dropped afterwards; a pool holds about as many
LAST_PAGE = 50  # of a pack
REFRESH_BUSY_SECONDS = 2.0  # for other processes, before older texts answer a question; guess


def _check_page(page: int, after: str | None) -> None:
    """Raise InputError for a page that no pack has, and for one beside the id of an earlier pack."""
    if not 1 <= page <= LAST_PAGE:
        raise InputError(f"page {page} does not exist; ask for 1 to {LAST_PAGE}")
    if after is not None:
        check_text("after", after, "the id of an earlier pack")
    if after and page > 1:
        raise InputError("`after` already skips the items of earlier packs; leave out `page`")


def _read_of_task(query: str) -> tuple[str, str]:
    """(the part of a trace or diff that is read, a sentence on the unread rest)."""
    from daypack.doors.code.flows.diffs import shortened
    from daypack.text.terminal_text import without_escapes

    return shortened(without_escapes(query), LONGEST_QUERY_BYTES) if isinstance(query, str) else (query, "")


def check_is_project(folder: Path, home: Path) -> None:
    """Raise NotAProject for a folder that must not be indexed without a request."""
    if problem := looks_like_project(folder, home):
        raise NotAProject(str(folder), problem)


def check_not_around_projects(folder: Path, home: Path) -> None:
    """Raise NotAProject for a folder around projects: a store there would answer for every plain folder below. A folder that the
    user named needs no check: in a container, the home folder may be the project.
    """
    if problem := why_around_projects(folder, home):
        step = "begin in the folder of a project, or name the folder as the root of the server"
        raise NotAProject(str(folder), problem, step)


@checked
class Daypack(DoorSet, Upkeep, Evaluations, Safekeeping):
    """A store and all its operations. Open it with `Daypack.open`; close it, or use it in a `with` block.

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
        super().__init__(
            OpenStore(
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
        )

    @classmethod
    def open(
        cls,
        store: Path | str | ServerAddress = STORE_FOLDER,
        *,
        root: Path | str | None = None,
        create: bool = True,
        settings: Settings | None = None,
        rules: WalkRules = DEFAULT,
        clock: Clock = time.time,
        zone: tzinfo | None = None,
        owner: str | None = None,
        project: str | None = None,
        notes_use: bool = True,
        shared: str = "",
    ) -> Daypack:
        """Open the store in the folder `store`, or on the server of a URL postgresql://…; a missing one is made.

        Paths of files are relative to `root`: by default the folder that holds `.daypack`; for a store elsewhere the folder
        that its files were added from, else the working folder. `shared` is the folder of this project in a store that several
        share. Without `settings`, those of the project `root` count, as for the command line: DAYPACK_* variables, then the
        files of the project and of the user; they also give an `owner` and a `project` that are not named. Only memories of
        these two are visible. Without `notes_use`, reading leaves no trace on memories. "Yesterday" is a day of `zone`, by
        default the machine's. Raises BadConfiguration and StoreError.
        """
        place, base = located(store, root)
        if settings is None:
            configuration = registry.context_of(base, os.environ).configuration
            settings = configuration.settings()
            owner, project = owner or configuration["owner"], project or configuration["project"]
        owner, project = owner or OWNER, project or shared
        if (owner, project) != (OWNER, ""):
            # most stores have one owner, and every command would pay for these
            from daypack.doors.memories.rules import check_label, check_owner

            owner, project = check_owner(owner), check_label("project", project)
        engine = Engine(
            open_store(place, create=create, clock=clock),
            settings,
            registry.doors(),
            clock=clock,
            zone=zone or MachineZone(),
            viewer=Viewer(owner, scopes=visible_scopes(owner, project)),
        )
        return cls(
            engine, base, rules=rules, owner=owner, project=project, notes_use=notes_use, shared=shared
        )

    @classmethod
    def open_in(
        cls,
        context: ProjectContext,
        place: StorePlace,
        *,
        embedder: str | None = None,
        owner: str | None = None,
        project: str | None = None,
        notes_use: bool = True,
    ) -> Daypack:
        """Open the store at `place` with the configuration of `context`; given arguments override it.

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

    def close(self) -> None:
        if self._background is not None:
            self._background.stop()
        try:
            self.close_doors()
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
        vectors: VectorModes = VectorMode.AUTO,
        filter: FilterData | None = None,
        refresh: bool | None = None,
        page: int = 1,
        after: str | None = None,
        history: History = None,
        project: str | None = None,
        task: Tasks | None = None,
        **narrow: Unpack[FilterArguments],
    ) -> Pack:
        """The best excerpts for a query, cited, rendered in `shape` within `budget` tokens of `tokenizer`. For "explain"
        these are the tokens of the pack in Markdown, which the text explains.

        `pack.next_page` is the `page` with the candidates that did not fit, for the same other arguments. `after` is the
        `id` of an earlier pack: its conversation is sent only what is new; "" begins one. Raises PackNotKept.

        `history` are the messages before the query, oldest first, for one that leaves out its subject ("And why?"): texts
        of the asker, or objects with `role` and `content`, as model APIs take them.

        `narrow` limits the query to `door` ("files", "code", "docs", "memories", "sessions", "knowledge", "sources",
        "records"), `scope`, `kind`, `source`, `language`, `session`, `author`, `tag`, `since` or `before`. `filter` is a
        filter of `daypack.filters`, or JSON of the language of documents, on fields of documents and of records. `project` is
        for a shared store: "global" or the path of another project. `task` names a step of work on code; the query is then a trace, a diff or names.
        """
        from daypack.query import turns_of  # `get` and `status` do without this room

        limit, chosen = Budget(budget, member(Tokenizer, tokenizer)), member(Packing, packing)
        check_shape(shape)
        _check_page(page, after)
        wanted, turns = None if task is None else member(Task, task), turns_of(history)
        unread = ""
        if wanted is not None:
            if turns:
                raise InputError("`task` reads no `history`; leave one out")
            narrow.setdefault("door", "files")
            query, unread = _read_of_task(query)
        narrow = settled(narrow)
        base = query_scope.base_filter(self._opened, Daypack.pack, filter, narrow)
        check_limits(query, limit)  # before the disk is checked
        with self.engine.translating_damage():
            stats = self._refreshed(refresh)
            stats = stats._replace(degraded=(*stats.degraded, unread)) if unread else stats
            scope = query_scope.resolve(self._opened, query, base, narrow, project, all_sessions=True)
            engine, viewer = scope.engine, self.engine.visibility.viewer
            question = Question(member(VectorMode, vectors), scope.filter, stats, scope.revised, turns)
            if wanted is not None:
                question = self.code.asked_for(wanted, query, engine, question)
            sent = Conversation(viewer, after, seeing_then(viewer))
            answer = partial(
                engine.pack, query, limit, packing=chosen, shape=shape, page=page, conversation=sent
            )
            pack = answer(question)
            if slip := query_scope.slip_of(self._opened, filter, narrow, pack):
                pack = answer(question._replace(stats=stats._replace(slip=slip)))  # within the budget
        if scope.own:
            self._tell_doors(pack)
        return pack

    def _tell_doors(self, pack: Pack) -> None:
        """Tell each door of which a pack shows records."""
        shown = {excerpt.door for excerpt in pack.excerpts}
        for door in self.engine.doors:
            if door.after_pack is not None and not shown.isdisjoint(door.handlings):
                door.after_pack(self._opened, pack)

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        vectors: VectorModes = VectorMode.AUTO,
        filter: FilterData | None = None,
        refresh: bool | None = None,
        sort: Sorts = Sort.RELEVANCE,
        content: Contents | None = None,
        ranking: Rankings = Ranking.DEFAULT,
        trim: bool = False,
        other_sessions: bool = True,
        history: History = None,
        project: str | None = None,
        **narrow: Unpack[FilterArguments],
    ) -> SearchResult:
        """The best chunks for a query with scores and contributions; `history` and `narrow` as in `pack`.

        With `sort` "timeline" the answer is in the order of time; `content` keeps only code or only prose. `trim` leaves out
        hits with little chance of being wanted. Without `other_sessions` a search by relevance leaves out every session but
        the current one, unless `session` or `door` names some or the query asks what happened.
        """
        mode, order = member(VectorMode, vectors), member(Sort, sort)
        kind = None if content is None else member(Content, content)
        profile = member(Ranking, ranking)
        from daypack.pack.worth import DEPTH  # it loads numpy, which `get` does without

        narrow = settled(narrow)
        base = query_scope.base_filter(self._opened, Daypack.search, filter, narrow)
        check_limits(query)
        from daypack.query import turns_of

        turns = turns_of(history)
        if turns and profile is Ranking.CTX:
            raise InputError("`history` is read by the default ranking alone; leave out `ranking`")
        with self.engine.translating_damage():
            stats = self._refreshed(refresh)
            in_all = other_sessions or order is Sort.TIMELINE
            # The events of yesterday are in the sessions of yesterday.
            in_all = in_all or query_scope.asks_what_happened(query, self.engine)
            scope = query_scope.resolve(self._opened, query, base, narrow, project, all_sessions=in_all)
            engine, condition = scope.engine, scope.filter
            if kind is not None:
                condition = holding_content(condition, kind)
            # Where some results are dropped afterwards, more are ranked than shown.
            depth = max(limit, DEPTH * trim) if order is Sort.RELEVANCE and kind is None else max(DEEP, limit)
            if profile is Ranking.CTX:
                from daypack.engine.ctx_search import search_fused  # only this profile needs it

                result = search_fused(engine, query, limit=depth, condition=condition, stats=stats)
            else:
                question = Question(mode, condition, stats, scope.revised, turns)
                result = engine.search(query, question, limit=depth)
            if trim or depth != limit or order is not Sort.RELEVANCE:
                result = arrange(result, limit, order, kind, trim=trim)
            if limit and (not result.candidates or scope.others_missed):
                asked_scope = scope._replace(filter=condition)
                slip = query_scope.slip_of(self._opened, filter, narrow, result)
                result = replace(result, notes=query_scope.notes_on(self.engine, result, asked_scope, slip))
            return result

    def resolve_scope(
        self, query: str, *, filter: Filter | None = None, **narrow: Unpack[FilterArguments]
    ) -> tuple[Engine, Filter | None]:
        """The engine that a search with these arguments asks, and its filter. Raises QueryTooLong."""
        check_limits(query)
        scope = query_scope.resolve(self._opened, query, filter, settled(narrow), None, all_sessions=True)
        return scope.engine, scope.filter

    def fit_to_budget(self, budget: int, most: int, render: Callable[[int], str]) -> str:
        """The longest `render(n)`, for n from 0 to `most`, of at most `budget` o200k tokens; "" when none is that short.
        `render` must not become shorter as n grows. Raises BadBudget.
        """
        check_limits("", Budget(budget))
        count = tokens.counter(Tokenizer.O200K)
        fitting = bisect_right(range(most + 1), budget, key=lambda number: count(render(number)))
        return render(fitting - 1) if fitting else ""

    def get(self, reference: str | int) -> Found:
        """The exact text behind `path:12-40`, a path, a citation with its hash, or a chunk id.

        Raises NotFound.
        """
        with self.engine.translating_damage():
            try:
                found = self.engine.find(reference, self._opened.root)
            except NotFound as missing:
                found = query_scope.found_beyond(self._opened, str(reference), missing)
            if found.state == "current":
                states = [
                    door.state_of(self._opened, found.uri, found.record_hash)
                    for door in self.engine.doors
                    if door.state_of
                ]
                found = found._replace(state=next((one for one in states if one != "current"), "current"))
            return found

    # ------------------------------------------------------------ freshness

    def refresh_if_stale(self, refresh: bool | None = None) -> SearchStats:
        """Read changed originals again, as every query does first, so that several queries see one state. With `refresh`
        False only changes that depend on time alone are made.
        """
        with self.engine.translating_damage():
            return self._refreshed(refresh)

    def _refreshed(self, refresh: bool | None) -> SearchStats:
        stats = SearchStats()
        again = self.engine.settings.refresh if refresh is None else refresh
        with self.engine.store.waiting_at_most(REFRESH_BUSY_SECONDS):
            for door in self.engine.doors:
                if door.refresh is not None:
                    stats = door.refresh(self._opened, again, stats)
        return stats

    def first_use(
        self, home: Path | None, *, progress: Callable[[int, int], None] | None = None
    ) -> IngestReport | None:
        """Index the root when nothing was ever added; None when something was, or when memories can answer. Raises NotAProject,
        also for the folder `home` and those around it, which hold projects.
        """
        if self.shared:  # the additions of other projects say nothing of this one
            if self.files.covers(self.root):
                return None
        else:
            beside = [name for door in self.engine.doors if door.beside for name in door.handlings]
            if self.files.roots() or self.engine.store.held_more_than(*beside):
                return None
        if not (problem := looks_like_project(self.root, home)):  # it walks the folder
            return self.files.add(self.root, progress=progress)
        if self.shared or not self.engine.store.holds_more_than():
            raise NotAProject(str(self.root), problem)
        return None
