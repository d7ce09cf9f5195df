"""The verbs of code, for agents that read and change a repository."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any, Literal

from daypack.doors.code import serialize as code_data
from daypack.errors import InputError
from daypack.settings import LARGEST_AGENT_BUDGET
from daypack.types import EmptyReason, SymbolKind, Task
from daypack.types.modes import VectorModeName
from daypack.verbs.table import (
    AGENTS,
    TERMINAL,
    VECTORS,
    Access,
    Answer,
    Choices,
    Flag,
    Positional,
    Range,
    Verb,
)

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.doors.code.types import CodeMap, CodePack, NearRow, SymbolRow
    from daypack.types import Pack

Globs = list[str] | None
Reference = Annotated[
    str,
    "A name (Cart, Cart.total), path:line, path:Name, a file, or a route (POST /orders/{id}).",
    Positional(metavar="REF"),
]
Steps = Annotated[Literal["direct", "extended", "deep"], "Up to one, two or three steps away."]
Refresh = Annotated[
    bool | None,
    TERMINAL,
    "Answer from the store, without checking the disk.",
    Flag("--no-refresh", default=True, seed="--refresh=true"),
]
Most = Range(0, 1000)
Text = Annotated[str, "A stack trace, also in JSON, or output of a failing test.", Positional(read="stdin")]
Change = Annotated[
    str,
    "A diff (`git diff`), names, also of packages, path:line, path:Name or a route.",
    Positional(metavar="DIFF|REF", read="stdin"),
]
Budget = Annotated[
    int,
    "Maximum o200k tokens of the answer.",
    Range(0, LARGEST_AGENT_BUDGET),
    Flag("--budget -b", "Maximum tokens of the answer.", read="tokens"),
]


def code_pack(
    daypack: Daypack,
    query: Annotated[
        str, "A question, an identifier, a path, a quotation or an error's text.", Positional(read="query")
    ],
    path: Annotated[str, AGENTS, "Only code in this folder or file; neighbours may be elsewhere."] = "",
    paths: Annotated[
        Globs,
        TERMINAL,
        "Only code in this folder or file, or matching; neighbours may be elsewhere.",
        Flag("--path", metavar="GLOB", retired="--include"),
    ] = None,
    max_chars: Annotated[
        int, "Maximum characters of all items together.", Range(0, 1_000_000), Flag(range=Range(0, math.inf))
    ] = 20_000,
    budget: Annotated[
        int | None,
        TERMINAL,
        "Instead of characters: the common pack, limited to code and to this many tokens.",
        Flag("--budget -b", read="tokens"),
    ] = None,
    limit: Annotated[
        int, "Number of found items, without their neighbours.", Range(0, 100), Flag("--limit -n", range=Most)
    ] = 10,
    max_related_per_primary: Annotated[
        int, "Number of neighbours of each item.", Range(0, 12), Flag(advanced=True)
    ] = 3,
    strategy: Steps = "extended",
    related_mode: Annotated[
        Literal["explore", "focus"],
        "focus: only neighbours with words of the query.",
        Flag(help="explore: all neighbours; focus: only those with words of the query.", advanced=True),
    ] = "explore",
    prefer: Annotated[
        Literal["none", "code", "docs"],
        "The kind of text that ranks higher.",
        Flag(help="code or docs: the other counts half.", seed="--prefer-code=code --prefer-docs=docs"),
    ] = "none",
    include: Annotated[Globs, AGENTS, "Only files that match."] = None,
    exclude: Annotated[Globs, "No files that match.", Flag(metavar="GLOB")] = None,
    anchor_policy: Annotated[
        Literal["auto", "off"],
        "off: show code also for unknown names.",
        Flag(
            help="auto: an unknown name, path or quotation gives an empty pack; off: the nearest code instead.",
            advanced=True,
        ),
    ] = "auto",
    profile: Annotated[
        str,
        "fast, quality, or one of the store's own.",
        Flag(help="fast, quality, or a TOML file of your own.", metavar="NAME"),
    ] = "quality",
    vectors: Annotated[
        VectorModeName | None,
        TERMINAL,
        f"{VECTORS} [default: by the profile]",
        Flag(retired="--lexical=none"),
    ] = None,
    trace: Annotated[
        bool,
        "Add the candidates, in meta.trace.",
        Flag("--explain", "Add the candidates and their signals, in `meta.trace`.", seed="--trace"),
    ] = False,
    refresh: Refresh = None,
) -> CodePack | Pack:
    """Source code for a task with its neighbours in the graph: symbols, callers, users, subclasses and tests,
    as Context Pack v1 within a number of characters.
    """
    if budget is not None:
        narrow: dict[str, Any] = {"source": paths} if paths else {}
        return daypack.pack(
            query, budget=budget, door="code", vectors=vectors or "auto", refresh=refresh, **narrow
        )
    found = daypack.code.pack(
        query,
        path=path,
        max_chars=max_chars,
        limit=limit,
        max_related_per_primary=max_related_per_primary,
        strategy=strategy,
        related_mode=related_mode,
        prefer=prefer,
        include=paths or include or (),
        exclude=exclude or (),
        anchor_policy=anchor_policy,
        profile=profile,
        vectors=vectors,
        trace=trace,
        refresh=refresh,
    )
    if found.empty_reason == EmptyReason.EMPTY_QUERY:
        raise InputError("the query has no words; ask for code by a name, a path or what it does")
    return found


def code_trace(daypack: Daypack, text: Text, budget: Budget = 2000, refresh: Refresh = None) -> Pack:
    """Find the code at fault for a traceback, stack trace or the output of a failed test: functions of its
    frames, and code near its words.
    """
    return daypack.pack(text, budget=budget, task=Task.TRACE, refresh=refresh)


def code_impact(daypack: Daypack, text: Change, budget: Budget = 2000, refresh: Refresh = None) -> Pack:
    """Changes that go with a diff or a renamed symbol: what else must change, callers, twins, tests, pages
    (docs), configuration.
    """
    return daypack.pack(text, budget=budget, task=Task.IMPACT, refresh=refresh)


def code_tests(daypack: Daypack, text: Change, budget: Budget = 2000, refresh: Refresh = None) -> Pack:
    """Choose which tests to run, and to read, for a diff, patch or changed names."""
    return daypack.pack(text, budget=budget, task=Task.TESTS, refresh=refresh)


def code_uses(
    daypack: Daypack,
    text: Annotated[
        str,
        "A name (Cart, Cart.total, a package), path:line, path:Name or a route.",
        Positional(metavar="REF"),
    ],
    budget: Budget = 1000,
    refresh: Refresh = None,
) -> Pack:
    """Examples of how a symbol is used: real calls of it from different files and modules, programs before
    tests.
    """
    return daypack.pack(text, budget=budget, task=Task.USES, refresh=refresh)


def _pack_answer(found: Pack) -> Answer:
    from daypack.shapes import answers

    return Answer(found.text, answers.pack_to_dict(found))


def code_map(
    daypack: Daypack,
    budget: Annotated[
        int,
        "Maximum o200k tokens of the map.",
        Range(0, LARGEST_AGENT_BUDGET),
        Flag("--budget -b", "Maximum tokens of the map.", read="tokens"),
    ] = 2000,
    focus: Annotated[
        list[str] | None,
        "Files and folders to start the ranking from.",
        Flag(help="A file or folder to start the ranking from.", metavar="PATH"),
    ] = None,
    refresh: Refresh = None,
) -> CodeMap:
    """Outline of the repository at a glance, in a number of tokens: files, and the classes and functions in
    them that matter most.
    """
    return daypack.code.map(budget=budget, focus=focus or (), refresh=refresh)


def _map_answer(found: CodeMap) -> Answer:
    details = code_data.map_to_dict(found)["data"]
    del details["text"]
    if not found.text and found.symbols:
        from daypack.shapes.wording import counted

        details["hint"] = f"Nothing fits in {counted(found.limit, 'token')}; ask with a larger budget."
    return Answer(found.text, details)


def symbols(
    daypack: Daypack,
    name: Annotated[str, "Part of the name, in any case; empty for all.", Positional()] = "",
    path: Annotated[str, "Only code in this folder or file.", Flag(metavar="PATH")] = "",
    kind: Annotated[str, "Only this.", Choices(("", *(kind.value for kind in SymbolKind)))] = "",
    limit: Annotated[int, "Maximum number of symbols.", Most, Flag("--limit -n", default=100)] = 50,
    refresh: Refresh = None,
) -> list[SymbolRow]:
    """Definitions of a class, function or other symbol by name: where it is defined, with signature, place
    and docstring; equal names first.
    """
    return daypack.code.symbols(name, path=path, kind=kind, limit=limit, refresh=refresh)


def related(
    daypack: Daypack,
    reference: Reference,
    strategy: Annotated[Steps, Flag(help="Maximum number of steps.")] = "extended",
    limit: Annotated[
        int, "Maximum number of symbols.", Most, Flag("--limit -n", "Maximum number of symbols.")
    ] = 20,
    refresh: Refresh = None,
) -> list[NearRow]:
    """The neighbours of a symbol, file or route's handler in the graph: callers, callees, base classes, members, tests, pages."""
    return daypack.code.related(reference, strategy=strategy, limit=limit, refresh=refresh)


def callers(
    daypack: Daypack,
    reference: Reference,
    limit: Annotated[
        int, "Maximum number of callers.", Most, Flag("--limit -n", "Maximum number of callers.", default=100)
    ] = 50,
    refresh: Refresh = None,
) -> list[NearRow]:
    """Callers of a function: who calls a symbol, its users and subclasses, with lines; resolved through
    imports, ambiguous ones marked; for a file those in other files. Ask before you change it.
    """
    return daypack.code.callers(reference, limit=limit, refresh=refresh)


def tests_for(
    daypack: Daypack,
    reference: Reference,
    limit: Annotated[
        int, "Maximum number of tests.", Most, Flag("--limit -n", "Maximum number of tests.", default=100)
    ] = 50,
    refresh: Refresh = None,
) -> list[NearRow]:
    """Tests that cover or exercise one symbol: those that call or use it, its members, or, when none does,
    its callers.
    """
    return daypack.code.tests_for(reference, limit=limit, refresh=refresh)


def _verb(name: str, call: Any, cli: str, result: Any, plain: Any, brief: Any = None) -> Verb:
    return Verb(name, "code", Access.READ, call, cli, result, looks=True, plain=plain, brief=brief)


def _near(name: str, call: Any, cli: str, listed: str) -> Verb:
    plain = partial(code_data.near_to_dict, name=listed)
    return _verb(name, call, cli, code_data.near_schema(listed), plain, code_data.brief_near)


VERBS = (
    _verb("code_pack", code_pack, "code pack", code_data.PACK, code_data.pack_to_dict),
    _verb("code_trace", code_trace, "code trace", None, _pack_answer),
    _verb("code_impact", code_impact, "code impact", None, _pack_answer),
    _verb("code_tests", code_tests, "code tests", None, _pack_answer),
    _verb("code_uses", code_uses, "code uses", None, _pack_answer),
    _verb("code_map", code_map, "code map", None, _map_answer),
    _verb("symbols", symbols, "code symbols", code_data.SYMBOLS, code_data.symbols_to_dict),
    _near("related", related, "code related", "related"),
    _near("callers", callers, "code callers", "callers"),
    _near("tests_for", tests_for, "code tests-for", "tests"),
)
