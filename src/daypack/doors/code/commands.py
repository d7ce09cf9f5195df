"""The commands of `daypack code`: packs and the map, and listings of symbols."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any, Literal

from daypack.doors.code import serialize as code_data
from daypack.doors.code.types import CodePack
from daypack.doors.code.verbs import VERBS, Refresh, RelatedMode, Steps
from daypack.text.paths import globs_below
from daypack.types.modes import VectorModeName
from daypack.verbs.command import BadUsage, Command, Screen
from daypack.verbs.table import VECTORS, Flag, Positional, Range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from daypack.api import Daypack
    from daypack.doors.code.types import CodeMap, NearRow, SymbolRow
    from daypack.errors import DaypackError
    from daypack.types import Pack

UNBOUNDED = float("inf")


def pack(
    daypack: Daypack,
    query: Annotated[str, Positional(read="query")],
    path: Annotated[
        list[str] | None,
        "Only code in this folder or file, or matching; neighbours may be elsewhere.",
        Flag(metavar="GLOB", retired="--include"),
    ] = None,
    max_chars: Annotated[int, "Maximum characters of all items together.", Range(0, UNBOUNDED)] = 20_000,
    budget: Annotated[
        int | None,
        "Instead of characters: the common pack, limited to code and to this many tokens.",
        Flag("--budget -b", read="tokens"),
    ] = None,
    limit: Annotated[
        int, "Number of found items, without their neighbours.", Range(0, 1000), Flag("--limit -n")
    ] = 10,
    max_related_per_primary: Annotated[
        int, "Number of neighbours of each item.", Range(0, 12), Flag(advanced=True)
    ] = 3,
    strategy: Steps = "extended",
    related_mode: Annotated[
        RelatedMode,
        "explore: all neighbours; focus: only those with words of the query.",
        Flag(advanced=True),
    ] = "explore",
    prefer: Annotated[
        Literal["code", "docs"] | None,
        "code or docs: the other counts half.",
        Flag(seed="--prefer-code=code --prefer-docs=docs"),
    ] = None,
    exclude: Annotated[list[str] | None, "No files that match.", Flag(metavar="GLOB")] = None,
    anchor_policy: Annotated[
        Literal["auto", "off"],
        "auto: an unknown name, path or quotation gives an empty pack; off: the nearest code instead.",
        Flag(advanced=True),
    ] = "auto",
    profile: Annotated[str, "fast, quality, or a TOML file of your own.", Flag(metavar="NAME")] = "quality",
    vectors: Annotated[
        VectorModeName | None, f"{VECTORS} [default: by the profile]", Flag(retired="--lexical=none")
    ] = None,
    trace: Annotated[
        bool, "Add the candidates and their signals, in `meta.trace`.", Flag("--explain", seed="--trace")
    ] = False,
    refresh: Refresh = True,
) -> CodePack | Pack:
    """Pack the code that QUERY means, with its neighbours in the graph, as one JSON object (Context Pack v1).

    QUERY is a question, an identifier, a path, a quotation or an error's text.
    """
    paths = [glob for one in path or () for glob in globs_below(one)]
    if budget is not None:
        narrow: dict[str, Any] = {"source": paths} if paths else {}
        return daypack.pack(
            query, budget=budget, door="code", vectors=vectors or "auto", refresh=refresh, **narrow
        )
    return daypack.code.pack(
        query,
        max_chars=max_chars,
        limit=limit,
        max_related_per_primary=max_related_per_primary,
        strategy=strategy,
        related_mode=related_mode,
        prefer=prefer or "none",
        include=paths,
        exclude=exclude or (),
        anchor_policy=anchor_policy,
        profile=profile,
        vectors=vectors,
        trace=trace,
        refresh=refresh,
    )


def pack_screen(
    found: CodePack | Pack | DaypackError,
    as_json: Annotated[bool, "The answer is JSON anyhow.", Flag("--json", advanced=True)] = False,  # noqa: ARG001
) -> Screen:
    """A pack, or an error, in the envelope; a common pack as its text."""
    from daypack.errors import DaypackError

    if isinstance(found, DaypackError):
        return Screen(_json(code_data.error_envelope(found)), found.exit_status)
    if isinstance(found, CodePack):
        return Screen(_json(code_data.pack_to_dict(found)), 0 if found.items else 1)
    return flow_screen(found)


def _json(data: Any) -> str:
    return json.dumps(data) + "\n"


def _enveloped(error: DaypackError, _arguments: dict[str, Any]) -> DaypackError:
    """The error, for the envelope: programs then parse errors and answers alike."""
    return BadUsage(f"{error}; see `daypack code pack --help`") if isinstance(error, BadUsage) else error


def symbols(
    daypack: Daypack,
    name: Annotated[str, Positional()] = "",
    path: Annotated[str, "Only code in this folder or file.", Flag(metavar="PATH")] = "",
    kind: Annotated[
        str,
        "Only this: function, method, class, struct, enum, interface, impl, type, const, variable.",
        Flag(metavar="KIND"),
    ] = "",
    limit: Annotated[int, "Maximum number of symbols.", Range(0, 1000), Flag("--limit -n")] = 100,
    refresh: Refresh = True,
) -> list[SymbolRow]:
    """List definitions whose names contain NAME, in any case: equal names first."""
    return daypack.code.symbols(name, path=path, kind=kind, limit=limit, refresh=refresh)


def listing_screen(rows: Sequence[SymbolRow | NearRow]) -> Screen:
    return _listed(rows, "no symbol found; try a shorter name, or `daypack search` with other words")


def related_screen(rows: Sequence[NearRow]) -> Screen:
    return _listed(rows, "the symbol has no neighbours; `daypack search NAME` finds its mentions")


def callers_screen(rows: Sequence[NearRow]) -> Screen:
    return _listed(rows, "nothing calls or uses the symbol; `daypack search NAME` finds its mentions")


def tests_screen(rows: Sequence[NearRow]) -> Screen:
    return _listed(rows, "no test calls or uses the symbol; `daypack code callers REF` lists its users")


def _listed(rows: Sequence[SymbolRow | NearRow], nothing: str) -> Screen:
    hints = (*code_data.left_out(rows, "--limit"), *code_data.seen_by(rows).hints)
    more = [text for _, text in hints]
    return Screen(code_data.listing(rows), 0 if rows else 1, hints=(*more, *(() if rows else (nothing,))))


def map_screen(found: CodeMap) -> Screen:
    notes = (
        () if found.text or not found.symbols else ("nothing fits this budget; ask with a larger --budget",)
    )
    return Screen(found.text, notes=notes)


VERB = {verb.name: verb for verb in VERBS}


def _flow(name: str, help_: str) -> Command:
    return Command(VERB[name], flow_screen, plain=_plain_pack, opens="indexed", help=help_)


def flow_screen(found: Pack) -> Screen:
    """A common pack as its text."""
    from daypack.shapes.wording import text_and_remarks

    text, remarks = text_and_remarks(found)
    return Screen(text, 0 if found.excerpts else 1, notes=tuple(remarks), paint="pack")


def _plain_pack(found: Pack) -> Any:
    return json.loads(found.to("json"))


COMMANDS = (
    Command(pack, pack_screen, "code pack", opens="indexed", rescue=_enveloped, seeds=("context-pack",)),
    Command(symbols, listing_screen, "code symbols", code_data.symbols_to_dict, opens="indexed"),
    Command(
        VERB["related"],
        related_screen,
        opens="indexed",
        help="List the neighbours of REF, the most relevant first.\n\n"
        "REF is a name (Cart, Cart.total), path:line, path:Name, or the path of a file.",
    ),
    Command(
        VERB["callers"],
        callers_screen,
        opens="indexed",
        help="List the callers, users and subclasses of REF, with lines; for a file those in other files, and its importers. Uncertain "
        "matches come last.",
    ),
    Command(
        VERB["tests_for"],
        tests_screen,
        opens="indexed",
        help="List the tests that call or use REF, its members, or, when none does, its callers.",
    ),
    _flow(
        "code_trace",
        "Pack the code at fault for TEXT, a stack trace or the output of a failing test; - reads standard input.",
    ),
    _flow(
        "code_impact",
        "Pack the other places that must change with a diff or with names; - reads a diff from standard input.",
    ),
    _flow("code_tests", "Pack the tests to run for a diff or for names; - reads a diff from standard input."),
    _flow("code_uses", "Pack real calls of REF from different files."),
    Command(
        VERB["code_map"],
        map_screen,
        plain=code_data.map_to_dict,
        opens="indexed",
        help="Map the repository in a number of tokens: files, and in them the symbols that matter "
        "most, with signatures.",
    ),
)
