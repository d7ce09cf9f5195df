"""The code door: packs of code with its neighbours, symbols, callers, tests, and a map of the repository.

It searches with the engine and selects with the packer; the graph is its own. The facts of files are extracted at the
first question, and later those of changed files; each question makes its edges from them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from daypack import tokens
from daypack.doors.code.flows.routes import handler_meant
from daypack.doors.code.graph.facts import CLASS_LIKE, FUNCTIONS, CodePlace
from daypack.doors.code.graph.ranks import Weights, file_ranks, ranked_symbols, weights_of
from daypack.doors.code.graph.relations import CodeGraph
from daypack.doors.code.map import fitted_map
from daypack.doors.code.mentions import Mentions, caller_rows, near_rows, test_rows
from daypack.doors.code.packs.stopwatch import Stopwatch
from daypack.doors.code.project import StoredProject, collecting_later, make_facts
from daypack.doors.code.references import named_like, resolve_reference, row_of, spelled
from daypack.doors.code.types import (
    AnchorPolicy,
    CodeMap,
    CodePack,
    EdgeRow,
    NearRow,
    PackOptions,
    Preference,
    RelatedMode,
    Rows,
    Seen,
    Strategy,
    SymbolRow,
)
from daypack.doors.code.worktree import Worktree
from daypack.engine.citations import did_you_mean_file
from daypack.engine.engine import Engine
from daypack.engine.limits import check_limits
from daypack.engine.questions import Question
from daypack.errors import InputError, NotFound
from daypack.guard.arguments import checked
from daypack.system import unicode_forms
from daypack.text.checks import check_text, member
from daypack.text.paths import globs_below, is_test_path, spellings
from daypack.text.qualified_names import dotted
from daypack.text.references import without_column
from daypack.text.storable import storable
from daypack.types import Budget, SearchStats, SymbolKind, Task, Tokenizer, VectorMode

if TYPE_CHECKING:
    from daypack.doors.code.packs.file_texts import FileTexts
    from daypack.filters import Filter

MOST_CHARACTERS = 10_000_000
MOST_PRIMARIES = 1_000
MOST_RELATED = 12
LONGEST_LISTING = 1_000
_ATTEMPTS = 3  # to answer from a single state of the store while other processes write

Refresh = Callable[[bool | None], SearchStats]


@checked
class CodeDoor:
    """The code in one store. `refresh_if_stale` updates the index and returns the files that are still stale."""

    def __init__(self, engine: Engine, root: Path, refresh_if_stale: Refresh) -> None:
        self._engine = engine
        self._store = engine.store
        self._refresh_if_stale = refresh_if_stale
        self._root = root
        self._worktree = Worktree(root)
        self._state: tuple[int, StoredProject, CodeGraph] | None = None
        self._read: tuple[CodeGraph, FileTexts] | None = None
        self._weights: tuple[CodeGraph, Weights] | None = None
        self._ranks: tuple[CodeGraph, dict[str, float]] | None = None

    @property
    def _project(self) -> StoredProject:
        """The state of the last graph."""
        assert self._state is not None
        return self._state[1]

    def graph(self) -> CodeGraph:
        """The graph of the stored files. Missing facts are extracted first."""
        sequence = self._store.sequences()[0]
        if self._state is None or self._state[0] != sequence:
            with collecting_later(), self._engine.working("reading relations") as step:
                unsaved = make_facts(self._store, step, processes=self._engine.processes)
            project = StoredProject(self._store, unsaved, self._state[1] if self._state is not None else None)
            self._state = (sequence, project, CodeGraph(project, cache(is_test_path)))
        return self._state[2]

    # ------------------------------------------------------------ pack

    def pack(
        self,
        query: str,
        *,
        path: str = "",
        max_chars: int = 20_000,
        limit: int = 10,
        max_related_per_primary: int = 3,
        strategy: Strategy | str = Strategy.EXTENDED,
        related_mode: RelatedMode | str = RelatedMode.EXPLORE,
        prefer: Preference | str = Preference.NONE,
        include: Sequence[str] = (),
        exclude: Sequence[str] = (),
        anchor_policy: AnchorPolicy | str = AnchorPolicy.AUTO,
        profile: str = "quality",
        vectors: VectorMode | str | None = None,
        refresh: bool | None = None,
        trace: bool = False,
    ) -> CodePack:
        """Context Pack v1: the code that a query means, with its neighbours, in at most `max_chars` characters.

        `path` is a folder or file that primaries must lie in; `include` and `exclude` are globs. A query
        whose names, paths and quotations are not stored gives an empty pack, unless `anchor_policy` is off.
        Raises InputError and BadProfile.
        """
        from daypack.doors.code.packs.packing import hints_on_search
        from daypack.doors.code.packs.profiles import load_profile

        _check("max_chars", max_chars, MOST_CHARACTERS)
        _check("limit", limit, MOST_PRIMARIES)
        _check("max_related_per_primary", max_related_per_primary, MOST_RELATED)
        check_text("the query", query, "the question as a text")
        query = storable(query)
        check_limits(query)
        chosen = load_profile(profile, self._store.folder)
        options = PackOptions(
            max_chars=max_chars,
            limit=limit,
            related_per_primary=max_related_per_primary,
            strategy=member(Strategy, strategy),
            related_mode=member(RelatedMode, related_mode),
            prefer=member(Preference, prefer),
            policy=member(AnchorPolicy, anchor_policy),
            profile=chosen,
            trace=trace,
        )
        mode = chosen.vectors if vectors is None else member(VectorMode, vectors)
        clock = Stopwatch()
        with self._engine.translating_damage(), collecting_later():
            stats = self._refresh_if_stale(refresh)
            clock.note("load")
            condition = chosen.condition(self._glob, path, include, exclude)
            pack, stats = self._packed(query, options, mode, condition, stats, clock)
            clock.note("pack")
            state = self._worktree.state(self._store, stats.stale)
            changed = self._worktree.changed(self._store, {item.file for item in pack.items})
            clock.note("state")
        hints = (*pack.hints, *hints_on_search(stats, changed))
        items = tuple(replace(item, changed=True) if item.file in changed else item for item in pack.items)
        return replace(pack, items=items, state=state, hints=hints, timings=clock.stages)

    def _packed(
        self,
        query: str,
        options: PackOptions,
        mode: VectorMode,
        condition: Filter,
        stats: SearchStats,
        clock: Stopwatch,
    ) -> tuple[CodePack, SearchStats]:
        """A pack from a single state of the store, and the statistics of its search.

        A search stores the vectors that it computes, which needs that no read transaction is open. So facts and texts are
        read after the search, and the search is repeated when a process wrote texts in between.
        """
        from daypack.doors.code.packs.file_texts import FileTexts
        from daypack.doors.code.packs.packing import POOL, CodePacking

        for attempt in range(_ATTEMPTS):
            graph = self.graph()
            clock.note("graph")
            found = self._engine.search(
                query,
                Question(mode, condition, stats),
                limit=max(POOL, 2 * options.limit),
                anchored=options.policy is AnchorPolicy.AUTO,
            )
            clock.note("search")
            with self._store.reading():
                same = self._state is not None and self._store.sequences()[0] == self._state[0]
                if same or attempt == _ATTEMPTS - 1:
                    texts = self._texts_of(graph) if same else FileTexts(self._store)
                    packing = CodePacking(self._store, graph, texts, options, condition)
                    return packing.pack(query, found, now=self._engine.now()), found.stats
        raise AssertionError("the last attempt packs")

    def asked_for(self, task: Task, text: str, engine: Engine, question: Question) -> Question:
        """The question for `engine` that does a task, to which the graph adds candidates and their order. Raises NotFound."""
        from daypack.doors.code.flows.answering import asked_for

        graph, text = self.graph(), storable(text)
        return asked_for(task, text, engine, graph, self._project, question, self._spellings)

    def _spellings(self, name: str) -> Sequence[str]:
        return spellings(name, self._root, self._engine.here)

    def _glob(self, path: str) -> str:
        """A path or glob as a glob, relative to the root."""
        name = self._engine.name_of(storable(path), self._root)
        return "**" if name == "." else name

    def _indexed(self, path: str) -> str:
        """A file or folder by its path from the root. Raises NotFound without an indexed file there."""
        found = self._engine.name_of(storable(path), self._root).rstrip("/") if path else ""
        for form in unicode_forms(found):
            if not found or any(_lies_in(uri, form) for uri in self._project.files.uris):
                return form
        raise NotFound(
            f"no indexed file at {found!r}", did_you_mean_file(found, self._project.uris_like(found))
        )

    def _texts_of(self, graph: CodeGraph) -> FileTexts:
        """The texts that packs have read from the state of this graph."""
        from daypack.doors.code.packs.file_texts import FileTexts  # no listing needs it

        if self._read is None or self._read[0] is not graph:
            self._read = (graph, FileTexts(self._store))
        return self._read[1]

    # ------------------------------------------------------------ questions to the graph

    def symbols(
        self,
        name: str = "",
        *,
        path: str = "",
        kind: SymbolKind | str = "",
        limit: int = 100,
        refresh: bool | None = None,
    ) -> Rows[SymbolRow]:
        """The definitions whose names contain `name`, in any case: equal names first, then those that begin with it. Without a
        name, all those in `path`.
        """
        _check("limit", limit, LONGEST_LISTING)
        check_text("the name", name, "the name of a symbol, or a part")
        wanted = member(SymbolKind, kind) if kind else None
        owner, _, last = dotted(storable(name).strip()).rpartition(".")
        with self._engine.translating_damage():
            seen = self._look(refresh)
            graph = self.graph()
            project = self._project
            with self._store.reading():
                path = self._indexed(path)
                found = [
                    (row, bare)
                    for row, bare in named_like(graph, project, last, lambda uri: _lies_in(uri, path))
                    if (not owner or owner.casefold() in row.name.rpartition(".")[0].casefold())
                    and wanted in (None, row.kind)
                ]
        found.sort(
            key=lambda item: (
                item[1] != last,
                not item[1].startswith(last),
                is_test_path(item[0].file),
                item[0].file,
                item[0].line,
            )
        )
        return Rows((row for row, _ in found), limit, seen)

    def symbol(self, reference: str, *, refresh: bool | None = None) -> SymbolRow:
        """The symbol or file that a reference means. Raises as `related` does."""
        with self._resolved(reference, 1, refresh) as (graph, place, _):
            row = row_of(graph, place)
            assert row is not None, "a place that a reference means has a row"
            return row

    def related(
        self,
        reference: str,
        *,
        strategy: Strategy | str = Strategy.EXTENDED,
        limit: int = 20,
        refresh: bool | None = None,
    ) -> Rows[NearRow]:
        """The symbols near a symbol or a file, the most relevant first; for a name that no code here defines the lines that say it.

        Raises NotFound, and InputError when a name means several symbols.
        """
        depth = member(Strategy, strategy).depth
        return self._listed(
            reference, limit, refresh, lambda graph, place: near_rows(graph, place, depth, limit)
        )

    def callers(self, reference: str, *, limit: int = 100, refresh: bool | None = None) -> Rows[NearRow]:
        """The callers and users of a symbol, or those that other files have of what a file defines, with lines; then those that may
        reach it through a base of its class, uncertain ones, and last the mentions of a name of a language whose calls are not
        read. Raises as `related` does, for a name without mentions too.
        """

        def rows_of(graph: CodeGraph, place: CodePlace) -> list[NearRow]:
            rows, symbol = caller_rows(graph, place), graph.symbol(place)
            if symbol is None or symbol.kind not in (*CLASS_LIKE, *FUNCTIONS):
                return rows
            known = {f"{place.uri}:{symbol.line}", *(row.at for row in rows)}
            return [*rows, *self._mentions().rows_beside(symbol.name, known)]

        return self._listed(reference, limit, refresh, rows_of, declared=True)

    def _listed(
        self,
        reference: str,
        limit: int,
        refresh: bool | None,
        rows_of: Callable[[CodeGraph, CodePlace], list[NearRow]],
        *,
        declared: bool = False,
        in_tests: bool = False,
    ) -> Rows[NearRow]:
        """The rows of the place that a reference means; for a name that no code here defines, as that of a package, the lines that
        say it, with a hint. With `declared`, mentions of a name come first whose relations are not read.
        """
        try:
            with self._resolved(reference, limit, refresh) as (graph, place, seen):
                return Rows(rows_of(graph, place), limit, seen)
        except NotFound as missing:
            name = spelled(self._project, without_column(storable(reference).strip()), self._spellings)
            mentions = self._mentions()
            with self._store.reading():
                named = mentions.rows_named(name) if declared else []
                rows = named or mentions.rows_saying(name, in_tests=in_tests)
            if not rows:
                raise
            seen = self._look(refresh)
            said = ("warn", f"{str(missing).partition('; ')[0]}; these lines say it")
            return Rows(rows, limit, seen if named else seen._replace(hints=(*seen.hints, said)))

    def _mentions(self) -> Mentions:
        return Mentions(self._engine, self.graph(), self._project)

    def tests_for(self, reference: str, *, limit: int = 100, refresh: bool | None = None) -> Rows[NearRow]:
        """The tests that call or use a symbol, its members or its callers, or say a name that no code defines. Raises as `related`."""
        return self._listed(reference, limit, refresh, test_rows, in_tests=True)

    def edges(self, path: str, *, refresh: bool | None = None) -> list[EdgeRow]:
        """All edges that begin in a file, by line; for a test file also the TESTED_BY edges of the symbols that it tests. Raises
        NotFound.
        """
        with self._engine.translating_damage():
            self._refresh_if_stale(refresh)
            graph = self.graph()
            uri = storable(path).removeprefix("./")
            if graph.project.facts(uri) is None:
                raise NotFound(f"no file with symbols at {path!r}", "`daypack code symbols` lists them")
            with self._store.reading():
                return [
                    EdgeRow(edge.line, edge.relation.value, source, target, edge.ambiguous)
                    for edge in sorted(
                        graph.edges_of(uri), key=lambda edge: (edge.line, edge.relation, edge.target)
                    )
                    if (source := row_of(graph, edge.source)) is not None
                    and (target := row_of(graph, edge.target)) is not None
                ]

    @contextmanager
    def _resolved(
        self, reference: str, limit: int, refresh: bool | None
    ) -> Iterator[tuple[CodeGraph, CodePlace, Seen]]:
        """The graph of a single state of the store, the place that a reference means there, and what its reader must know."""
        _check("limit", limit, LONGEST_LISTING)
        with self._engine.translating_damage():
            seen = self._look(refresh)
            graph = self.graph()
            with self._store.reading():
                handler = handler_meant(reference, self._mentions(), graph)
            if handler:
                seen = seen._replace(
                    hints=(*seen.hints, ("info", f"{reference.strip()} is handled at {handler}"))
                )
                reference = handler
            try:
                place = resolve_reference(graph, self._project, reference, self._spellings)
            except NotFound as missing:
                if seen.state is None:
                    raise
                _, stale = seen.hints[0]
                raise NotFound(str(missing).partition("; ")[0], stale) from None
            with self._store.reading():
                yield graph, place, seen

    def _look(self, refresh: bool | None) -> Seen:
        """Read changed files again, and say what was not read."""
        return self._worktree.seen(self._store, self._refresh_if_stale(refresh))

    # ------------------------------------------------------------ map

    def map(
        self,
        *,
        budget: int = 2_000,
        tokenizer: Tokenizer | str = Tokenizer.O200K,
        focus: Sequence[str] = (),
        refresh: bool | None = None,
    ) -> CodeMap:
        """The repository in at most `budget` tokens: files with the signatures of their symbols, by personalised PageRank.

        The most called and used symbols come first. A focus is a file or folder at which the ranking starts. A larger
        budget adds symbols and removes none. Raises BadBudget, and NotFound for a focus without files.
        """
        limit = Budget(budget, member(Tokenizer, tokenizer))
        check_limits("", limit)
        with self._engine.translating_damage():
            seen = self._look(refresh)
            graph = self.graph()
            with self._store.reading(), collecting_later():
                paths = [self._indexed(path) for path in focus]
                focused = [path for path in paths if path not in ("", ".")]
                ranked = ranked_symbols(graph, self._all_weights(graph), focused, budget)
                return fitted_map(graph, ranked, budget, tokens.counter(limit.tokenizer), seen)

    def ranks(self, *, refresh: bool | None = None) -> dict[str, float]:
        """File → the share of all rank, in [0, 1], that its symbols have; files without symbols are missing."""
        with self._engine.translating_damage():
            self._refresh_if_stale(refresh)
            graph = self.graph()
            if self._ranks is None or self._ranks[0] is not graph:
                with self._store.reading(), collecting_later():
                    self._ranks = (graph, file_ranks(graph, self._all_weights(graph)))
            return self._ranks[1]

    def _all_weights(self, graph: CodeGraph) -> Weights:
        """The edges of the project. Those of a large project take seconds, so they are kept until the next write."""
        if self._weights is None or self._weights[0] is not graph:
            self._weights = (graph, weights_of(graph, self._project.uris, self._engine.stopping.check))
        return self._weights[1]


def _lies_in(uri: str, path: str) -> bool:
    globs = globs_below(path)
    return not globs or uri == globs[0] or uri.startswith(globs[1])


def _check(name: str, value: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value <= most:
        raise InputError(f"{name} {value!r} is not a whole number from 0 to {most:,}")
