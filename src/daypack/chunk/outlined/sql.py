"""SQL: a piece for each statement, read by its quotes and semicolons, since no grammar knows every dialect.

    -- who pays                            ┐ table invoices; the comment belongs to the statement below
    CREATE TABLE invoices (…);             ┘
    CREATE INDEX … ON invoices (due);      ┐ rest, named invoices: short statements about one table are grouped
    COMMENT ON COLUMN invoices.due IS '…'; ┘
    CREATE FUNCTION total() … $$ … ; … $$; ─ function total

A semicolon ends no statement inside quotes, comments or dollar quotes, nor between BEGIN and END of a routine.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from daypack.chunk.definitions import NAME_LIMIT, SIGNATURE_LIMIT
from daypack.chunk.regions import RUN_BYTES
from daypack.chunk.sizing import Draft
from daypack.types import PieceKind, SymbolKind

_TOKEN = re.compile(
    r"--[^\n]*|/\*.*?(?:\*/|\Z)"
    r"|'(?:[^'\\]|\\.)*(?:'|\Z)|\"[^\"]*(?:\"|\Z)|`[^`]*(?:`|\Z)"
    r"|\$(?P<tag>\w*)\$.*?(?:\$(?P=tag)\$|\Z)"
    r"|(?P<ends>;[ \t]*(?:--[^\n]*)?)|(?P<separates>^[ \t]*GO[ \t]*$)"
    r"|\b(?P<opens>BEGIN|CASE)\b|\bEND\b(?P<inner>[ \t]+(?:IF|LOOP|WHILE|REPEAT|FOR)\b)?",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_BLANK = re.compile(r"(?:\s|--[^\n]*|/\*.*?(?:\*/|\Z))*", re.DOTALL)
_NAME = r"(?P<name>(?:[\w$#@]+|\"[^\"\n]+\"|`[^`\n]+`|\[[^\]\n]+\])(?:\.(?:[\w$#@]+|\"[^\"\n]+\"|`[^`\n]+`|\[[^\]\n]+\])){0,3})"
_CREATES = re.compile(
    r"CREATE\s+(?:OR\s+(?:REPLACE|ALTER)\s+|(?:GLOBAL|LOCAL|TEMP|TEMPORARY|UNLOGGED|EXTERNAL|FOREIGN|VIRTUAL|RECURSIVE"
    r"|MATERIALIZED|CONSTRAINT|AGGREGATE|DEFINER\s*=\s*\S+|SQL\s+SECURITY\s+\w+)\s+)*"
    r"(?P<kind>TABLE|VIEW|TYPE|DOMAIN|FUNCTION|PROCEDURE|PROC|TRIGGER|AGGREGATE|MACRO)\s+(?:IF\s+NOT\s+EXISTS\s+)?"
    + _NAME,
    re.IGNORECASE,
)
_ABOUT = re.compile(
    r"(?:ALTER\s+(?:TABLE|VIEW|TYPE|FUNCTION|SEQUENCE)\s+(?:IF\s+EXISTS\s+)?(?:ONLY\s+)?"
    r"|DROP\s+(?:TABLE|VIEW|TYPE|FUNCTION)\s+(?:IF\s+EXISTS\s+)?|(?:INSERT|REPLACE|MERGE)\s+(?:IGNORE\s+)?INTO\s+(?:TABLE\s+)?"
    r"|UPDATE\s+(?:ONLY\s+)?|DELETE\s+FROM\s+|COPY\s+|TRUNCATE\s+(?:TABLE\s+)?"
    r"|COMMENT\s+ON\s+(?:TABLE|VIEW|(?P<of>COLUMN))\s+|CREATE\s+(?:UNIQUE\s+)?INDEX\b[^;()]*?\bON\s+(?:ONLY\s+)?)"
    + _NAME,
    re.IGNORECASE,
)
_QUERY_NAME = re.compile(r"--[ \t]*:?name:?[ \t]+(?P<name>\w+)")  # a comment by which tools name a query
_ROUTINE = re.compile(r"CREATE\b[^;(]{0,200}?\b(?:TRIGGER|PROCEDURE|PROC|FUNCTION)\b", re.IGNORECASE)
_DATA_FOLLOWS = re.compile(r"COPY\b.*\bFROM\s+STDIN\b", re.IGNORECASE | re.DOTALL)
_END_OF_DATA = re.compile(r"^\\\.$", re.MULTILINE)
_SIGNATURE = re.compile(r"[^\n(;]*")
_KINDS = {
    "TABLE": SymbolKind.STRUCT,
    "VIEW": SymbolKind.STRUCT,
    "TYPE": SymbolKind.TYPE,
    "DOMAIN": SymbolKind.TYPE,
}


def sql_regions(text: str) -> list[Draft]:
    """The regions of all statements; short neighbours are joined, those that create nothing and those about one table."""
    regions: list[Draft] = []
    for section, (start, end) in enumerate(_statements(text)):
        region = _region(text, start, end, section)
        last = regions[-1] if regions else None
        if (
            last is not None
            and region.symbol is None
            and end - last.start <= RUN_BYTES
            and _goes_on(last, region)
        ):
            names = [name for name in last.name.split(", ") if name]
            if region.name and region.name not in names:
                last = last._replace(name=", ".join((*names, region.name))[:NAME_LIMIT], trail=())
            regions[-1] = last._replace(end=end)
        else:
            regions.append(region)
    return regions


def _goes_on(last: Draft, region: Draft) -> bool:
    """True for a statement that goes with the one above it: an index with its table, an alteration with any other."""
    return last.symbol is None or (
        last.symbol in (SymbolKind.STRUCT, SymbolKind.TYPE) and region.name == last.name
    )


def _statements(text: str) -> Iterator[tuple[int, int]]:
    """The spans of the statements, each with the comments above it; together they are the whole text."""
    start = position = depth = 0
    routine: bool | None = None  # whether BEGIN and END count; None before they were asked for
    while token := _TOKEN.search(text, position):
        position = token.end()
        if token["separates"] or (token["ends"] and depth <= 0):
            head = _BLANK.match(text, start)
            assert head is not None  # it may be empty
            if token["ends"] and _DATA_FOLLOWS.match(text[head.end() : token.end()][:2_000]):
                data_end = _END_OF_DATA.search(text, position)
                position = data_end.end() if data_end else position
            yield start, position
            start, depth, routine = position, 0, None
        elif token["opens"] or token[0][:3].upper() == "END":
            if routine is None:
                head = _BLANK.match(text, start)
                routine = head is not None and _ROUTINE.match(text, head.end()) is not None
            if routine and token["opens"]:
                depth += 1
            elif routine and not token["inner"]:
                depth -= 1
    if text[start:].strip():
        yield start, len(text)


def _region(text: str, start: int, end: int, section: int) -> Draft:
    head = _BLANK.match(text, start, end)
    begin = head.end() if head else start
    if named := _CREATES.match(text, begin, end):
        path = _path(named["name"])
        symbol = _KINDS.get(
            named["kind"].upper(), SymbolKind.METHOD if len(path) > 1 else SymbolKind.FUNCTION
        )
        line = _SIGNATURE.match(text, begin, end)
        signature = " ".join(line[0].split())[:SIGNATURE_LIMIT] if line else ""
        return Draft(start, end, PieceKind.SYMBOL, ".".join(path), path[:-1], signature, symbol, section)
    if query := _QUERY_NAME.search(text, start, begin):
        return Draft(start, end, PieceKind.SYMBOL, query["name"], symbol=SymbolKind.FUNCTION, section=section)
    if about := _ABOUT.match(text, begin, end):
        path = _path(about["name"])
        if about["of"]:
            path = path[:-1]
        return Draft(start, end, PieceKind.BLOCK, ".".join(path), path[:-1], section=section)
    return Draft(start, end, PieceKind.BLOCK, section=section)


def _path(name: str) -> tuple[str, ...]:
    """The parts of a name without their quotes."""
    parts = re.findall(r"\"[^\"]+\"|`[^`]+`|\[[^\]]+\]|[^.]+", name)
    return tuple(part.strip('"`[]')[:NAME_LIMIT] for part in parts)
