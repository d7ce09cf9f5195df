"""The scope of a query: the records that its arguments, its session and its project admit, and the engine that sees them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from daypack.doors.memories.spaces import seeing_then
from daypack.doors.sessions import current
from daypack.engine.engine import Engine
from daypack.engine.filter_arguments import FilterArguments, filter_from_arguments
from daypack.engine.open_store import OpenStore
from daypack.errors import FilterError, InputError, NotFound
from daypack.guard.fences import one_line
from daypack.index import census
from daypack.text.checks import check_names, did_you_mean
from daypack.types import EmptyReason, Found, Pack, SearchResult

if TYPE_CHECKING:
    from datetime import datetime

    from daypack.engine.sharing import Sharing
    from daypack.filters import Filter
    from daypack.ports import Revise

LONGEST_SLIP = 300  # characters of a sentence on the slip of a filter


def moment_of(text: str, now: datetime) -> float:
    """Unix seconds of a date as people write it: 2026-10-01, yesterday, 3 days ago. Raises BadDate."""
    from daypack.query.times import dates  # few questions name one

    return dates.moment_of(text, now)


def end_of(text: str, now: datetime) -> float:
    """Unix seconds of the end of the time that people write: of the day for 2026-10-01 and yesterday. Raises BadDate."""
    from daypack.query.times import dates  # few commands name one

    return dates.end_of(text, now)


def asks_what_happened(query: str, engine: Engine) -> bool:
    """True for a question that holds nothing but a time or words for events."""
    from daypack.query.times.happenings import happenings_of
    from daypack.text.languages import language_of

    return happenings_of(query.strip(), engine.now(), language_of(query)) is not None


class QueryScope(NamedTuple):
    """The engine that answers a query, and its filter."""

    engine: Engine
    filter: Filter | None
    others_left_out: bool  # the filter leaves out the sessions but the current one
    others_missed: bool  # these sessions have events, and nothing else narrows the query
    own: bool  # the engine is that of the project that the store was opened for
    revised: Revise | None = None  # the order that a question about another time wants


def base_filter(
    opened: OpenStore,
    call: Callable[..., Any],
    filter: Filter | Mapping[str, Any] | None,
    narrow: FilterArguments,
) -> Filter | None:
    """The filter of a query, made of JSON where it is not one yet. JSON applies to documents, to other records, or to both,
    as `door` admits them. The other arguments of the `call` are only checked here. Raises FilterError, InputError and
    BadDate.
    """
    check_names(call.__name__, narrow, [*FilterArguments.__annotations__, *_named(call)])
    base: Filter | None
    if isinstance(filter, Mapping):
        documents, others = _filtered(opened, narrow)
        base = opened.door("docs").condition(filter, documents=documents, others=others)
    else:
        base = _checked(filter)
    filter_from_arguments(base, opened.engine.doors, opened.engine.now(), **narrow)
    if (language := narrow.get("language")) is not None:
        _check_language(opened.engine, str(language))
    return base


def _named(call: Callable[..., Any]) -> list[str]:
    return [one.name for one in inspect.signature(call).parameters.values() if one.kind is one.KEYWORD_ONLY]


def _filtered(opened: OpenStore, narrow: FilterArguments) -> tuple[bool, bool]:
    """(true when a filter of JSON applies to documents, true when it applies to other records)."""
    names = narrow.get("door")
    if names is None:
        doors = [door.name for door in opened.engine.doors]
    else:
        doors = [names] if isinstance(names, str) else [*names]
    return "docs" in doors, doors != ["docs"]


def slip_of(
    opened: OpenStore,
    filter: Filter | Mapping[str, Any] | None,
    narrow: FilterArguments,
    answer: Pack | SearchResult,
) -> str:
    """The likely slip of filters that nothing passed, as a clause: in JSON, or an argument that no record passes; "" for
    other answers.
    """
    if answer.empty_reason is not EmptyReason.FILTERED_OUT:
        return ""
    slip = ""
    if isinstance(filter, Mapping):
        documents, others = _filtered(opened, narrow)
        slip = opened.door("docs").slip(filter, documents=documents, others=others)
    if not slip:
        from daypack.api.unmatched import unmatched_arguments  # few answers are empty

        slip = unmatched_arguments(opened, _from_root(opened, narrow))
    return one_line(slip, LONGEST_SLIP)


def _from_root(opened: OpenStore, narrow: FilterArguments) -> FilterArguments:
    """The arguments with paths that are relative to the root."""
    rest = narrow.copy()
    if (source := narrow.get("source")) is not None:
        globs = [source] if isinstance(source, str) else source
        paths = [opened.engine.name_of(one, opened.root) for one in globs]
        rest["source"] = ["**" if path == "." else path for path in paths]
    return rest


def _checked(filter: Filter | None) -> Filter | None:
    """The filter itself. Raises FilterError for a value of another type."""
    if filter is not None:
        from daypack.filters import Filter as Node

        if not isinstance(filter, Node):
            raise FilterError("", f'must be an object such as {{"status": "open"}}, not {filter!r:.60}')
    return filter


def _check_language(engine: Engine, language: str) -> None:
    """Raise InputError for a language that neither Daypack nor the store knows."""
    from daypack.doors.reading.languages import LANGUAGES, PLAIN, detect_language

    if language in LANGUAGES:
        return
    with engine.translating_damage(), engine.store.reading() as db:
        stored = census.languages(db, engine.visibility.visible(db))
    if language in stored:
        return
    word, known = language.lower(), {*LANGUAGES, *stored}
    by_ending = detect_language(f"x.{word}", "")[0] if word.isalnum() else ""
    near = word if word in known else by_ending if by_ending != PLAIN else ""
    there = f"the store has {', '.join(stored)}" if stored else "no record in the store has a language"
    raise InputError(
        f"no language {language!r}; {f'did you mean {near}?' if near in known else did_you_mean(word, sorted(known), there)}"
    )


def project_scope(opened: OpenStore, name: str | None) -> str:
    """The requested project's scope, "" for all and in an unshared store. Raises InputError."""
    if not opened.shared:
        if name is not None:
            raise InputError(
                "this store belongs to one project; DAYPACK_PROJECT_DIR makes one that several share"
            )
        return ""
    return _sharing(opened).scope_of(name)


def engine_for(opened: OpenStore, project: str) -> Engine:
    """The engine that sees the owner's memories of a project of a shared store, "" for all projects, and the shared
    memories.
    """
    engine = opened.engine
    if not opened.shared or project == opened.shared:
        return engine
    from daypack.doors.memories.door import scopes_in

    scopes = scopes_in(engine, project, owner=opened.owner, own=opened.project)
    return engine.seen_by(engine.visibility.viewer._replace(scopes=scopes))


def found_beyond(opened: OpenStore, reference: str, missing: NotFound) -> Found:
    """The text behind a citation that came from an answer about another time, or from all projects. Raises `missing`."""
    engines = [opened.engine, engine_for(opened, "")] if opened.shared else [opened.engine]
    then = (engine.seen_by(seeing_then(engine.visibility.viewer)) for engine in engines)
    for engine in (*engines[1:], *then):
        with suppress(NotFound):
            return engine.find(reference, suggests=False)
    raise missing


def resolve(
    opened: OpenStore,
    query: str,
    base: Filter | None,
    narrow: FilterArguments,
    wanted_project: str | None,
    *,
    all_sessions: bool,
) -> QueryScope:
    """The scope of a query in the project `wanted_project`. Without `all_sessions` and a named session, it leaves out every session
    but the current one. Raises InputError.
    """
    project = project_scope(opened, wanted_project)
    if opened.shared:
        base = _sharing(opened).filter(base, project)
    session, doors = narrow.get("session"), narrow.get("door")
    within, missed, now = None, False, opened.engine.clock()
    with opened.engine.store.reading() as db:
        if session is None:
            named = doors is not None and current.DOOR in ([doors] if isinstance(doors, str) else doors)
            if not named and not all_sessions:
                within = current.other_sessions(db, project or opened.shared, now)
                free = within is not None and all(value is None for value in narrow.values())
                missed = free and current.other_events(db, project or opened.shared, now)
        elif session != current.ALL:
            scope = project or opened.shared
            within = current.in_session(
                db, lambda name: opened.door("sessions").in_scope(scope).resolve(name), session
            )
    rest = _from_root(opened, narrow)
    rest["session"] = None
    condition = filter_from_arguments(base, opened.engine.doors, opened.engine.now(), **rest)
    if within is not None and condition is not None:
        from daypack.filters import All

        condition = All((condition, within))
    from daypack.doors.memories.finding.then import seen_then  # only questions need it

    sees = engine_for(opened, project)
    asks = seen_then(sees, query, within if condition is None else condition)
    left_out = session is None and within is not None
    return QueryScope(asks.engine, asks.filter, left_out, missed, sees is opened.engine, asks.revised)


ONLY_CURRENT = (
    "Of sessions only the current one was searched; ask again with `session` all, or `sort` timeline."
)


def notes_on(engine: Engine, result: SearchResult, scope: QueryScope, slip: str) -> tuple[str, ...]:
    """The notes of an answer: why it is empty, with the slip of its filter, or that other sessions were left out."""
    if result.candidates:
        return (*result.notes, ONLY_CURRENT) if scope.others_missed else result.notes
    return _notes_on_nothing(engine, result, scope, slip)


def _notes_on_nothing(engine: Engine, result: SearchResult, scope: QueryScope, slip: str) -> tuple[str, ...]:
    """The notes of an empty answer: what was searched, why it found nothing, and what to try."""
    with engine.store.reading() as db:
        total = census.count_chunks(db, engine.visibility.visible(db))
        events = scope.others_left_out and current.any_event(db)
    if not total or result.empty_reason is EmptyReason.EMPTY_QUERY:
        return ()
    searched = result.stats.chunks if result.empty_reason is not EmptyReason.FILTERED_OUT else 0
    notes = [
        f"Searched {searched:,} of {total:,} chunks"
        + (": the filters left out the rest." if scope.filter is not None and searched < total else ".")
    ]
    if slip:
        notes.append(slip[:1].upper() + slip[1:])
    if events and searched < total:
        notes.append(ONLY_CURRENT)
    if result.candidates == () and result.empty_reason is None and searched:
        notes.append("The results are of another kind of content than the requested one.")
    return tuple(notes)


def _sharing(opened: OpenStore) -> Sharing:
    from daypack.engine.sharing import Sharing

    return Sharing(opened.door("files").root, opened.shared, opened.engine.doors)
