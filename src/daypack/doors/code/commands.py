"""The commands of `daypack code`: packs and the map, and listings of symbols."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Sequence
from typing import Any

from daypack.doors.code import serialize as code_data
from daypack.doors.code.types import CodeMap, CodePack, NearRow, SymbolRow
from daypack.doors.code.verbs import VERBS
from daypack.errors import DaypackError
from daypack.types import Pack
from daypack.verbs.command import BadUsage, Command, Screen


def pack_data(found: CodePack | Pack | DaypackError) -> dict[str, Any]:
    """A pack, or an error, in the envelope; a common pack as its shape for programs."""
    if isinstance(found, DaypackError):
        return code_data.error_envelope(found)
    return code_data.pack_to_dict(found) if isinstance(found, CodePack) else _plain_pack(found)


def pack_screen(found: CodePack | Pack | DaypackError) -> Screen:
    """A pack, or an error, as its data; a common pack as its text."""
    if not isinstance(found, (CodePack, DaypackError)):
        return flow_screen(found)
    status = found.exit_status if isinstance(found, DaypackError) else 0 if found.items else 1
    return Screen(json.dumps(pack_data(found)) + "\n", status)


def _enveloped(error: DaypackError, _arguments: dict[str, Any]) -> DaypackError:
    """The error, for the envelope: programs then parse errors and answers alike."""
    return BadUsage(f"{error}; see `daypack code pack --help`") if isinstance(error, BadUsage) else error


def _listing(nothing: str) -> Callable[[Sequence[SymbolRow | NearRow]], Screen]:
    """The screen of a listing, with the hint `nothing` where it is empty."""

    def screen(rows: Sequence[SymbolRow | NearRow]) -> Screen:
        hints = (*code_data.left_out(rows, "--limit"), *code_data.seen_by(rows).hints)
        more = [text for _, text in hints]
        if not rows:
            more.append(code_data.nothing_said(rows, nothing))
        return Screen(code_data.listing(rows), 0 if rows else 1, hints=tuple(more))

    return screen


_NO_MAP = "nothing that is indexed here has a map; `daypack add PATH` indexes code, and `daypack search` finds code of every language"


def map_screen(found: CodeMap) -> Screen:
    if not found.symbols:
        return Screen(found.text, 1, hints=(_NO_MAP,))
    notes = () if found.text else ("nothing fits this budget; ask with a larger --budget",)
    return Screen(found.text, notes=notes)


VERB = {verb.name: verb for verb in VERBS}


def _flow(name: str, help_: str, show: Callable[[Pack], Screen] | None = None) -> Command:
    return Command(VERB[name], show or flow_screen, plain=_plain_pack, opens="indexed", help=help_)


def flow_screen(found: Pack) -> Screen:
    """A common pack as its text."""
    from daypack.shapes.wording import text_and_remarks

    text, remarks = text_and_remarks(found)
    return Screen(text, 0 if found.excerpts else 1, notes=tuple(remarks), paint="pack")


def uses_screen(found: Pack) -> Screen:
    lists = f"`daypack code related {shlex.quote(found.query)}` lists its neighbours"
    return flow_screen(found)._replace(
        hints=() if found.excerpts or not found.stats.weak_because else (lists,)
    )


def _plain_pack(found: Pack) -> Any:
    return json.loads(found.to("json"))


COMMANDS = (
    Command(
        VERB["code_pack"],
        pack_screen,
        plain=pack_data,
        opens="indexed",
        rescue=_enveloped,
        seeds=("context-pack",),
        help="Pack the code that QUERY means, with its neighbours in the graph, as one JSON object (Context Pack v1).\n\n"
        "QUERY is a question, an identifier, a path, a quotation or an error's text.",
    ),
    Command(
        VERB["symbols"],
        _listing("no symbol found; try a shorter name, or `daypack search` with other words"),
        opens="indexed",
        help="List definitions whose names contain NAME, in any case: equal names first.",
    ),
    Command(
        VERB["related"],
        _listing("no neighbours in the graph of code; `daypack search NAME` finds mentions"),
        opens="indexed",
        help="List the neighbours of REF, the most relevant first.\n\n"
        "REF is a name (Cart, Cart.total), path:line, path:Name, the path of a file, or a route (POST /orders).",
    ),
    Command(
        VERB["callers"],
        _listing("nothing calls or uses it; `daypack search NAME` finds mentions"),
        opens="indexed",
        help="List the callers, users and subclasses of REF, with lines; for a file those in other files, and its importers. Uncertain "
        "matches come last, and mentions of names in languages whose calls are not read.",
    ),
    Command(
        VERB["tests_for"],
        _listing("no test calls or uses it; `daypack code callers REF` lists its users"),
        opens="indexed",
        help="List the tests that call or use REF, its members, or, when none does, its callers.",
    ),
    _flow(
        "code_trace",
        "Pack the code at fault for TEXT, a stack trace or the output of a failing test, a compiler or a linter; - reads standard input.",
    ),
    _flow(
        "code_impact",
        "Pack the other places that must change with a diff or with names; - reads a diff from standard input.",
    ),
    _flow("code_tests", "Pack the tests to run for a diff or for names; - reads a diff from standard input."),
    _flow("code_uses", "Pack real calls of REF from different files.", uses_screen),
    Command(
        VERB["code_map"],
        map_screen,
        plain=code_data.map_to_dict,
        opens="indexed",
        help="Map the repository in a number of tokens: files, and in them the symbols that matter "
        "most, with signatures.",
    ),
)
