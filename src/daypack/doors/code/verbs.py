"""The verbs of code, for agents that read and change a repository."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Literal

from daypack.doors.code import serialize as code_data
from daypack.verbs.table import Access, Answer, Range, Verb

if TYPE_CHECKING:
    from daypack.api import Daypack

Globs = list[str] | None
Kinds = Literal[
    "",
    "function",
    "method",
    "class",
    "struct",
    "enum",
    "interface",
    "module",
    "impl",
    "type",
    "const",
    "variable",
]
Reference = Annotated[str, "A name (Cart, Cart.total), path:line, path:Name, or the path of a file."]
Most = Range(0, 1000)


def code_pack(
    daypack: Daypack,
    query: Annotated[str, "A question, an identifier, a path, a quotation or an error's text."],
    path: Annotated[str, "Only what lies in this folder or file; what stands near may lie elsewhere."] = "",
    max_chars: Annotated[int, "The most characters that the items may count.", Range(0, 1_000_000)] = 20_000,
    limit: Annotated[int, "Items that were found, without those near them.", Range(0, 100)] = 10,
    max_related_per_primary: Annotated[int, "Items near each of them.", Range(0, 12)] = 3,
    strategy: Annotated[
        Literal["direct", "extended", "deep"], "Up to one, two or three steps away."
    ] = "extended",
    related_mode: Annotated[
        Literal["explore", "focus"], "focus: only what holds words of the query as well."
    ] = "explore",
    prefer: Literal["none", "code", "docs"] = "none",
    include: Annotated[Globs, "Only files that match."] = None,
    exclude: Annotated[Globs, "No files that match."] = None,
    anchor_policy: Annotated[
        Literal["auto", "off"], "off: show code also when nothing mentions what the query names."
    ] = "auto",
    profile: Annotated[str, "fast, quality, or one of the store's own."] = "quality",
    trace: Annotated[bool, "Say what was considered, in meta.trace."] = False,
) -> dict[str, Any]:
    """Code for a task with what stands near it: symbols, who calls, uses, extends and tests them, as Context
    Pack v1 within a number of characters.
    """
    found = daypack.code.pack(
        query,
        path=path,
        max_chars=max_chars,
        limit=limit,
        max_related_per_primary=max_related_per_primary,
        strategy=strategy,
        related_mode=related_mode,
        prefer=prefer,
        include=include or (),
        exclude=exclude or (),
        anchor_policy=anchor_policy,
        profile=profile,
        trace=trace,
    )
    return code_data.pack_to_dict(found)


def code_map(
    daypack: Daypack,
    budget: Annotated[int, "The most o200k tokens that the map may count.", Range(0, 200_000)] = 2000,
    focus: Annotated[list[str] | None, "ProjectFiles and folders that the reader begins with."] = None,
) -> Answer:
    """The repository in a number of tokens: files, and in them the symbols that matter most, with signatures."""
    found = daypack.code.map(budget=budget, focus=focus or ())
    details = code_data.map_to_dict(found)["data"]
    del details["text"]
    return Answer(found.text, details)


def symbols(
    daypack: Daypack,
    name: Annotated[str, "What the name holds, in any case; empty for all."] = "",
    path: Annotated[str, "Only what lies in this folder or file."] = "",
    kind: Annotated[Kinds, "Only this."] = "",
    limit: Annotated[int, Most] = 50,
) -> dict[str, Any]:
    """Definitions by name, with signature, place and docstring: equal names first."""
    return code_data.symbols_to_dict(daypack.code.symbols(name, path=path, kind=kind, limit=limit))


def related(
    daypack: Daypack,
    reference: Reference,
    strategy: Annotated[
        Literal["direct", "extended", "deep"], "Up to one, two or three steps away."
    ] = "extended",
    limit: Annotated[int, Most] = 20,
) -> dict[str, Any]:
    """What stands near a symbol or file in the graph: callers, callees, bases, members, tests, pages."""
    return code_data.near_to_dict(daypack.code.related(reference, strategy=strategy, limit=limit), "related")


def callers(daypack: Daypack, reference: Reference, limit: Annotated[int, Most] = 50) -> dict[str, Any]:
    """Who calls, uses or extends a symbol, and on which lines; resolved through imports, ambiguous ones
    marked. Ask before you change it.
    """
    return code_data.near_to_dict(daypack.code.callers(reference, limit=limit), "callers")


def tests_for(daypack: Daypack, reference: Reference, limit: Annotated[int, Most] = 50) -> dict[str, Any]:
    """The tests that call or use a symbol, its members, or, when none does, what calls it."""
    return code_data.near_to_dict(daypack.code.tests_for(reference, limit=limit), "tests")


ENVELOPE = {
    "type": "object",
    "properties": {"status": {"type": "string"}, "hints": {"type": "array"}, "data": {"type": "object"}, "meta": {"type": "object"}},
    "required": ["status", "hints", "data", "meta"],
}  # fmt: skip

TOOLSET = "code"
VERBS = (
    Verb("code_pack", TOOLSET, Access.READ, code_pack, "code pack", ENVELOPE, looks=True),
    Verb("code_map", TOOLSET, Access.READ, code_map, "code map", looks=True),
    Verb("symbols", TOOLSET, Access.READ, symbols, "code symbols", ENVELOPE, looks=True),
    Verb("related", TOOLSET, Access.READ, related, "code related", ENVELOPE, looks=True),
    Verb("callers", TOOLSET, Access.READ, callers, "code callers", ENVELOPE, looks=True),
    Verb("tests_for", TOOLSET, Access.READ, tests_for, "code tests-for", ENVELOPE, looks=True),
)
