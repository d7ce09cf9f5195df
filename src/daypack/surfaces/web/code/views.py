"""The repository as a map, its symbols by name, and one symbol between its callers, callees and tests."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from starlette.routing import Route

from daypack.doors.code.references import SeveralMeant
from daypack.guard.fences import one_line
from daypack.shapes.wording import counted, minute
from daypack.surfaces.web.code.lines import lines_of
from daypack.surfaces.web.figures import neighbours
from daypack.surfaces.web.figures.neighbours import Group, Near
from daypack.surfaces.web.figures.treemap import Part, tree, treemap
from daypack.surfaces.web.frame import Frame
from daypack.types import SymbolKind

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.doors.code.types import NearRow, SymbolRow

# most symbols of a search, neighbours at a side of the picture, and rows of a list
FOUND, DRAWN, LISTED = 60, 9, 100
MAPPED = 12  # symbols with the highest ranks
LONGEST_SOURCE = 400  # lines shown of a symbol
COLOURS = {"age": "last change", "rank": "rank"}
KINDS = ("", *SymbolKind)
USERS = ("called_by", "used_by", "extended_by", "imported_by", "linked_by")
TOLD = {"": "", "contains": "holds", "contained_in": "in", "tested_by": "test"}


def routes(frame: Frame) -> list[Route]:
    return [
        frame.reading_page("/code", "code/code.html", read_facts, meanwhile=_meanwhile),
        frame.reading_page("/code/symbol", "code/symbol.html", look_at_symbol, here="/code"),
    ]


def _meanwhile(given: Mapping[str, str]) -> Mapping[str, str] | None:
    """The map by age, shown instead of the map by rank until the ranks are computed, once for each state of the store."""
    is_map = not given.get("name", "").strip() and given.get("kind", "") not in KINDS[1:]
    return {**given, "colour": "age"} if is_map and given.get("colour") == "rank" else None


def symbol_url(row: SymbolRow) -> str:
    if row.kind == "file":
        return f"/code?{urlencode({'path': row.file})}"
    if not row.in_graph:
        return f"/get?{urlencode({'ref': row.reference, 'around': 6})}"
    return f"/code/symbol?{urlencode({'ref': f'{row.file}:{row.line}'})}"


def read_facts(daypack: Daypack, given: Mapping[str, str]) -> dict[str, Any]:
    """`given` may hold a part of a `name`, a `kind`, a folder or file as `path`, and one of COLOURS as `colour`.
    Raises DaypackError.
    """
    name, path = given.get("name", "").strip(), given.get("path", "").strip("/")
    kind = given.get("kind", "") if given.get("kind", "") in KINDS else ""
    colour = given.get("colour", "") if given.get("colour", "") in COLOURS else "age"
    files = daypack.files.listing()
    is_file = any(one.uri == path for one in files)
    facts: dict[str, Any] = {
        "name": name, "path": path, "kind": kind, "kinds": KINDS, "colour": colour, "colours": COLOURS,
        "files": len(files), "url": symbol_url, "is_file": is_file, "steps": _steps(path, colour),
    }  # fmt: skip
    if name or kind or is_file:
        found = daypack.code.symbols(name, path=path, kind=kind, limit=FOUND + 1)
        return facts | {"symbols": found[:FOUND], "more": len(found) > FOUND}
    by_rank = colour == "rank"
    values = daypack.code.ranks() if by_rank else {one.uri: one.changed_at for one in files}
    sized = [(one.uri, one.tokens, values.get(one.uri, 0.0)) for one in files]
    root = tree(sized, path, (lambda a, b: a + b) if by_rank else max)
    if root is None:
        return facts

    def told(part: Part) -> str:
        value = f"{part.value:.1%} of the rank" if by_rank else f"changed {minute(part.value)}"
        many = f"{part.files:,} files, " if part.files > 1 else ""
        return one_line(f"{part.path}: {many}{counted(part.size, 'token')}, {value}", 300)

    focus = [path] if path else []
    shown = daypack.code.map(budget=40 * MAPPED, focus=focus).shown[:MAPPED] if by_rank else ()
    return facts | {
        "tokens": root.size,
        "pictures": [
            ("wide", 1000, 520, treemap(root, 1000, 520, told)),
            ("tall", 360, 480, treemap(root, 360, 480, told)),
        ],
        "best": shown,
        "inside": lambda at: f"/code?{urlencode({'path': at, 'colour': colour})}",
    }


def _steps(path: str, colour: str) -> list[tuple[str, str]]:
    """(name, address) for each folder above a path, beginning with the whole repository."""
    names = path.split("/") if path else []
    steps = [("all files", f"/code?{urlencode({'colour': colour})}")]
    for number, name in enumerate(names, 1):
        steps.append((name, f"/code?{urlencode({'path': '/'.join(names[:number]), 'colour': colour})}"))
    return steps


def look_at_symbol(daypack: Daypack, given: Mapping[str, str]) -> dict[str, Any]:
    """`given` names a symbol as `ref`, as the commands take it. Raises DaypackError."""
    reference = given.get("ref", "").strip()
    facts: dict[str, Any] = {"ref": reference, "url": symbol_url}
    if not reference:
        return facts
    try:
        symbol = daypack.code.symbol(reference)
    except SeveralMeant as several:
        return facts | {"error": str(several), "choices": several.rows[:FOUND]}
    near = daypack.code.related(reference, strategy="direct", limit=LISTED)
    by_label: dict[str, list[NearRow]] = {}
    for row in near:
        by_label.setdefault(row.relationship[0], []).append(row)
    tests = _once(daypack.code.tests_for(reference, limit=LISTED))
    tested = {row.symbol.reference for row in tests}
    callers = [
        row
        for row in daypack.code.callers(reference, limit=LISTED)
        if row.symbol.reference not in tested and row.symbol.reference != symbol.reference
    ]
    others = [row for label in ("imported_by", "linked_by") for row in by_label.get(label, [])]
    users = _once([*callers, *others])
    members = by_label.get("contains", [])
    used = [
        row for row in near if row.relationship[0] not in (*USERS, "contains", "contained_in", "tested_by")
    ]
    groups = (
        _group("", by_label.get("contained_in", [])),
        _group("Used by", users),
        _group("Uses", [*used, *members]),
        _group("Tests", tests),
    )
    source = daypack.get(symbol.reference)
    lines = lines_of(source.text, symbol.file, first=source.span.start_line)
    return facts | {
        "symbol": symbol, "callers": callers, "used": used, "members": members, "tests": tests, "others": others,
        "pictures": [("wide", neighbours.wide(symbol.name, *groups)), ("tall", neighbours.tall(symbol.name, *groups))],
        "lines": lines[:LONGEST_SOURCE], "rest": max(0, len(lines) - LONGEST_SOURCE), "state": source.state,
        "alone": not any(group.near for group in groups),
    }  # fmt: skip


def _once(rows: Sequence[NearRow]) -> list[NearRow]:
    """The first row of each symbol."""
    found: dict[str, NearRow] = {}
    for row in rows:
        found.setdefault(row.symbol.reference, row)
    return [*found.values()]


def _group(title: str, rows: Sequence[NearRow]) -> Group:
    shown = [
        Near(
            row.symbol.name.rpartition("/")[2],
            TOLD.get(how := row.relationship[0], how.replace("_", " ")),
            one_line(f"{how.replace('_', ' ')}: {row.symbol.name}, {row.at or row.symbol.reference}", 300),
            symbol_url(row.symbol),
        )
        for row in rows[:DRAWN]
    ]
    return Group(title, shown, len(rows) - len(shown))
