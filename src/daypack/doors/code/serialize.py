"""Answers of the code door as plain data: Context Pack v1 in its envelope {status, hints, data, meta}, and
listings of symbols and edges.

The schema is beside this file (context_pack.schema.json), and every answer follows it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby
from typing import Any

from daypack.doors.code.types import CodeItem, CodeMap, CodePack, NearRow, ProjectState, Rows, Seen, SymbolRow
from daypack.errors import DaypackError
from daypack.guard.fences import one_line
from daypack.shapes.plain import pick, pick_set
from daypack.verbs.results import facts

VERSION = 1


def envelope(
    data: Mapping[str, Any], *, hints: Sequence[tuple[str, str]] = (), meta: Mapping[str, Any] | None = None
) -> dict[str, Any]:
    return {
        "status": "ok",
        "hints": [{"type": kind, "text": text} for kind, text in hints],
        "data": dict(data),
        "meta": dict(meta or {}),
    }


def error_envelope(error: DaypackError) -> dict[str, Any]:
    """The envelope of an error. The next step at the end of the message is also its hint."""
    message = " ".join(str(error).split())
    what, _, step = message.partition("; ")
    hints = [{"type": "action", "text": step}] if what else []
    return {
        "status": "error",
        "message": message,
        "hints": hints,
        "data": {},
        "meta": {},
        "error": {"code": error.code, "message": message, "hint": step if what else "", "next_actions": []},
    }


def pack_to_dict(pack: CodePack) -> dict[str, Any]:
    """A pack in its envelope."""
    meta: dict[str, Any] = {
        "timings_ms": dict(pack.timings),
        "trust": {
            "anchors_not_found": list(pack.anchors_missing),
            "retrieval_mode": "lexical" if pack.model_id == "lexical" else "hybrid",
        },
    }
    if isinstance(pack.state, ProjectState):
        meta["index_state"] = state_to_dict(pack.state)
    if pack.empty_reason:
        meta["empty_reason"] = pack.empty_reason
    if pack.trace:
        meta["trace"] = dict(pack.trace)
    found = envelope(pack_data(pack), hints=pack.hints, meta=meta)
    if pack.next_actions:
        found["next_actions"] = [
            {"tool": tool, "args": argument, "reason": reason} for tool, argument, reason in pack.next_actions
        ]
    return found


def pack_data(pack: CodePack) -> dict[str, Any]:
    return {
        "version": VERSION,
        **pick(pack, "query model_id profile"),
        "items": [item_to_dict(item) for item in pack.items],
        "budget": pick(pack, "max_chars used_chars truncated dropped_items") | pick_set(pack, "min_chars"),
    }


def item_to_dict(item: CodeItem) -> dict[str, Any]:
    names = "id role file start_line end_line score imports content type"
    found = pick(item, names) | {"score": round(item.score, 6)}
    if item.symbol:
        found["symbol"] = item.symbol
    if item.variant != "full":
        found["variant"] = item.variant
    if item.relationship:
        found |= {"relationship": list(item.relationship), "distance": item.distance, "related_to": item.of}
    return found | pick_set(item, "ambiguous changed")


def state_to_dict(state: ProjectState) -> dict[str, Any]:
    """The state of the project that the answer used, as plain data."""
    git = pick(state, "head=git_head branch=git_branch dirty=git_dirty") if state.git_head else None
    return {
        "project_watermark": {"git": git, **pick(state, "files bytes newest_mtime_ns=newest_ns")},
        "watermark": state.watermark,
        "stale": bool(state.stale_reasons),
        **pick(state, "stale_files stale_reasons"),
    }


_HINT = facts("type:t text:t")
_BUDGET = facts("max_chars:i used_chars:i truncated:b dropped_items:i min_chars?:i")
_ITEM = facts(
    "id:t role:t file:t start_line:i end_line:i score:n imports:[t] content:t type:t symbol?:t variant?:t "
    "relationship?:[t] distance?:i related_to?:t ambiguous?:b changed?:b"
)
_SYMBOL = "symbol:t type:t file:t start_line:i end_line:i signature?:t doc?:t"
_NEAR = facts(f"{_SYMBOL} relationship:[t] distance:i relevance?:n at?:t ambiguous?:b through?:t")


def enveloped(names: str, **members: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of an envelope around data with these facts."""
    return facts("status:t hints:[hint] data:data meta:o", hint=_HINT, data=facts(names, **members))


PACK = enveloped(
    "version:i query:t model_id:t profile:t items:[item] budget:budget", item=_ITEM, budget=_BUDGET
)
SYMBOLS = enveloped("symbols:[symbol]", symbol=facts(_SYMBOL))


def near_schema(name: str) -> dict[str, Any]:
    return enveloped(f"{name}:[near]", near=_NEAR)


# ---------------------------------------------------------------- listings


def symbols_to_dict(rows: Sequence[SymbolRow]) -> dict[str, Any]:
    return _listed({"symbols": [symbol_to_dict(row) for row in rows]}, rows)


def near_to_dict(rows: Sequence[NearRow], name: str) -> dict[str, Any]:
    """The symbols near a symbol, under the key `name`: related, callers or tests."""
    return _listed({name: [near_row_to_dict(row) for row in rows]}, rows)


def brief_near(data: Mapping[str, Any], required: Collection[str] = ()) -> dict[str, Any]:  # noqa: ARG001
    """The answer for agents: the neighbours in one file are one row, by relation, each with the lines of a call or use, its
    name and its own lines.

    {"file": "tests/test_cart.py", "called_by": ["7, 19", "31, 32 test_total:30-34 (ambiguous)"], "calls": ["cents:5-6"]}
    """
    return {**data, "data": {name: _grouped(rows) for name, rows in data["data"].items()}}


def _grouped(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The rows by file and relation, in the order of the first of each."""
    files: dict[str, dict[str, dict[str, dict[str, None]]]] = {}
    for row in rows:
        relations = files.setdefault(row["file"], {})
        lines = relations.setdefault(" › ".join(row["relationship"]), {}).setdefault(_caller(row), {})
        if row.get("at"):
            lines[row["at"].rpartition(":")[2]] = None
    return [
        {
            "file": file,
            **{
                relation: [
                    f"{', '.join(lines)}{caller}".strip() or "(file)" for caller, lines in callers.items()
                ]
                for relation, callers in relations.items()
            },
        }
        for file, relations in files.items()
    ]


def _caller(row: Mapping[str, Any]) -> str:
    """The name of a caller with its own lines, and the limits of its relation; "" for code outside of all symbols."""
    own = "" if row["symbol"] == row["file"] else f" {row['symbol']}:{row['start_line']}-{row['end_line']}"
    through = f" through {row['through']}" if row.get("through") else ""
    return f"{own}{through}{' (ambiguous)' if row.get('ambiguous') else ''}"


_NOTHING = {
    "symbols": "no symbol fits; try a part of the name, or another path or kind",
    "related": "the graph of code has no neighbours of it; search for its name",
    "callers": "nothing in the graph of code calls or uses it; search for its name",
    "tests": "no test in the graph of code calls or uses it; one may reach it through a command or a file: search for its name, or choose tests for a diff",
}


def _listed(data: Mapping[str, Any], rows: Sequence[SymbolRow | NearRow]) -> dict[str, Any]:
    """The envelope of a listing; an agent that reads an empty one must not conclude that nothing uses the code."""
    seen = seen_by(rows)
    nothing = [("info", nothing_said(rows, _NOTHING[name])) for name in data if not rows]
    return envelope(data, hints=(*left_out(rows), *seen.hints, *nothing), meta=_state_of(seen))


def nothing_said(rows: Sequence[SymbolRow | NearRow], otherwise: str) -> str:
    """The hint on a listing without rows, which a limit of 0 explains."""
    return "no row was asked for (limit 0)" if isinstance(rows, Rows) and not rows.asked else otherwise


def seen_by(rows: Sequence[SymbolRow | NearRow]) -> Seen:
    """The remarks on the files behind a listing."""
    return rows.seen if isinstance(rows, Rows) else Seen()


def _state_of(seen: Seen) -> dict[str, Any]:
    return {} if seen.state is None else {"index_state": state_to_dict(seen.state)}


def left_out(rows: Sequence[SymbolRow | NearRow], limit: str = "`limit`") -> tuple[tuple[str, str], ...]:
    """The hint on rows that a limit left out."""
    more = rows.left_out if isinstance(rows, Rows) else 0
    return (("info", f"{more:,} more are left out; ask with a larger {limit}"),) if more else ()


def near_row_to_dict(row: NearRow) -> dict[str, Any]:
    found = symbol_to_dict(row.symbol) | pick(row, "relationship distance")
    return found | pick_set(row, "relevance at ambiguous through")


def symbol_to_dict(row: SymbolRow) -> dict[str, Any]:
    found = pick(row, "symbol=name type=kind file start_line=line end_line")
    return found | pick_set(row, "signature doc")


def map_to_dict(found: CodeMap) -> dict[str, Any]:
    return envelope(
        {
            "text": found.text,
            "budget": pick(found, "limit used=tokens"),
            "shown": len(found.shown),
            **pick(found, "symbols files mass"),
        },
        hints=found.seen.hints,
        meta=_state_of(found.seen),
    )


def listing(rows: Sequence[SymbolRow | NearRow]) -> str:
    """Two lines for each symbol, for people and agents: the symbol, then its relation to the requested symbol with all lines
    on which it has that relation.
    """
    lines = []
    for (symbol, relation), group in groupby(rows, _seen_from):
        what = one_line(symbol.signature or symbol.name, 120)
        # Code outside of all functions belongs to the file.
        lines.append(symbol.file if what == symbol.file else f"{one_line(symbol.reference, 200)}  {what}")
        if relation:
            file = relation[1]
            places = [row.at.rpartition(":")[2] for row in group if isinstance(row, NearRow)]
            lines.append(
                f"    {relation[0]}{f' at {one_line(file, 200)}:' if file else ''}{', '.join(places)}"
            )
    return "\n".join(lines) + "\n" if lines else ""


def _seen_from(row: SymbolRow | NearRow) -> tuple[SymbolRow, tuple[str, str] | None]:
    """(symbol, (its relation to the requested symbol, the file of the relation)); None as the second for a row without one."""
    if isinstance(row, SymbolRow):
        return row, None
    through = f" through {one_line(row.through, 120)}" if row.through else ""
    way = " › ".join(row.relationship) + through + (" (ambiguous)" if row.ambiguous else "")
    return row.symbol, (way, row.at.rpartition(":")[0])
