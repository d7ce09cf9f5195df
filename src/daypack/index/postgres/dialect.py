"""A statement of SQLite as one of PostgreSQL.

Statements are written once, in words that both understand. This module does the rest, by rule and by token, never by
name of a statement:

    ?, ?2                                        →  $1, $2
    json_each(?) AS w                            →  unnest($1::text[]) AS w(value); a list is bound as an array
    json_each(e.tags) AS t                       →  json_array_elements_text(CAST(e.tags AS json)) AS t(value), without \\u0000
    INSERT OR IGNORE, OR REPLACE                 →  ON CONFLICT DO NOTHING, DO UPDATE SET each column
    a CROSS JOIN b ON …, INDEXED BY              →  JOIN: the order of a join is a hint to SQLite alone
    max(a, b), min(a, b)                         →  greatest, least
    substr(a, b, c)                              →  substr with numbers of 32 bits
    LIKE                                         →  ILIKE: by column of collation "C" both ignore the case of ASCII alone
    REGEXP                                       →  ~, with the pattern in PostgreSQL's form
    LIMIT -1                                     →  no limit
    group_concat, char, lower, json, json_object, sum, x'00', CAST types, and the column "end"

By the style of the house keywords are in capitals, so `end` in small letters is the column.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

from daypack.index.postgres.tables import VALUES, Table, tables

_TOKEN = re.compile(
    r"""[xX]'[0-9a-fA-F]*' | '(?:[^']|'')*' | "(?:[^"]|"")*" | \?\d* | \d+(?:\.\d+)?(?:[eE][+-]?\d+)? | [A-Za-z_]\w*
      | ->> | \|\| | <> | != | <= | >= | == | \S""",
    re.VERBOSE,
)
_NAMES = {"char": "chr", "lower": "ascii_lower", "json_object": "json_build_object"}
_TYPES = {"INTEGER": "bigint", "REAL": "double precision", "BLOB": "bytea", "TEXT": "text"}
_COMPARISONS = frozenset(("=", "==", ">", "<", ">=", "<="))
_AFTER_A_JOIN = frozenset(
    ("ON", "JOIN", "CROSS", "LEFT", "FULL", "WHERE", "GROUP", "ORDER", "LIMIT", "UNION", "SET", "RETURNING")
)
ESCAPE = (
    "\U0010ffff"  # a code point that is reserved for programs and stands for no character; with 0 it is a NUL
)
_NUL_IN_JSON = rf"'(?<!\\)((?:\\\\)*)\\u0000', '\1{ESCAPE}0'"
_UNTYPED = frozenset(table for table, column in VALUES if VALUES[table, column] == "bytea")


class Kind(Enum):
    """The form in which a parameter is bound."""

    PLAIN = "plain"
    LIST = "list"  # JSON, as an array of texts
    COMPARABLE = "comparable"  # of a column without a type
    COMPARABLES = "comparables"  # JSON, as an array of such
    PATTERN = "pattern"


class Translated(NamedTuple):
    """A statement in PostgreSQL's words. `places` are, for $1, $2, …, the number of the parameter and its kind; `number` is
    the column that numbers the rows that it inserts, "" for none; `copied` are table and columns of a plain INSERT.
    """

    text: str
    places: tuple[tuple[int, Kind], ...]
    number: str = ""
    copied: tuple[str, tuple[str, ...]] | None = None


def tokens_of(statement: str) -> list[str]:
    """The words, numbers, quoted texts and signs of a statement."""
    return _TOKEN.findall(statement)


def closing(tokens: Sequence[str], opening: int) -> int:
    """The position of the parenthesis that closes the one at `opening`."""
    depth = 0
    for at in range(opening, len(tokens)):
        depth += (tokens[at] == "(") - (tokens[at] == ")")
        if not depth:
            return at
    raise ValueError("a parenthesis is not closed")


@lru_cache(maxsize=4096)
def translated(statement: str) -> Translated:
    """The statement for PostgreSQL. Raises ValueError for one that does not parse."""
    return _Translation(tokens_of(statement)).result()


class _Translation:
    """One statement on its way through the rules."""

    def __init__(self, tokens: list[str]) -> None:
        self._tokens = tokens
        self._places: dict[tuple[int, Kind], int] = {}
        self._asked = 0  # parameters without a number so far
        self._untyped = not _UNTYPED.isdisjoint(tokens)

    def result(self) -> Translated:
        tokens = self._tokens
        text, number, copied = "", "", None
        if "INTO" in tokens[:4] and tokens[0] == "INSERT":
            text, number, copied = self._insert()
        else:
            text = self._words(0, len(tokens))
        return Translated(text, tuple(self._places), number, copied)

    # ------------------------------------------------------------ parameters

    def _bind(self, mark: str, kind: Kind = Kind.PLAIN) -> str:
        if mark == "?":
            index, self._asked = self._asked, self._asked + 1
        else:
            index = int(mark[1:]) - 1
        return f"${self._places.setdefault((index, kind), len(self._places)) + 1}"

    # ------------------------------------------------------------ INSERT

    def _insert(self) -> tuple[str, str, tuple[str, tuple[str, ...]] | None]:
        """The text, `number` and `copied` of Translated."""
        insert = _insert_of(self._tokens)
        name, columns, table = insert.name, insert.columns, insert.table
        listed = ", ".join(f'"{column}"' for column in columns)
        head = f"INSERT INTO {name}" + (f" ({listed})" if columns else "")
        values = self._values(insert.values_begin, insert.values_end, name, columns)
        rest = self._words(insert.values_end, len(self._tokens))
        rows = " ".join(filter(None, (values, rest)))
        number = table.number if table and table.number not in columns else ""
        return f"{head} {rows}{_on_conflict(insert)}", number, ((name, columns) if insert.is_plain else None)

    def _values(self, begin: int, end: int, name: str, columns: Sequence[str]) -> str:
        """VALUES ( … ), of which one may go into a column without a type."""
        out, column, depth = [], 0, 0
        for at in range(begin, end):
            word = self._tokens[at]
            depth += (word == "(") - (word == ")")
            if word == "," and depth == 1:
                column += 1
            if word.startswith("?"):
                kind = (
                    Kind.COMPARABLE
                    if depth == 1 and name in _UNTYPED and (name, columns[column]) in VALUES
                    else Kind.PLAIN
                )
                out.append(self._bind(word, kind))
            elif depth > 1 or not word.startswith("?"):
                out.append(_word(word))
        return " ".join(out)

    # ------------------------------------------------------------ everything else

    def _words(self, at: int, end: int) -> str:
        out: list[str] = []
        while at < end:
            at = self._step(at, out)
        return " ".join(out)

    def _step(self, at: int, out: list[str]) -> int:
        """Translate what begins at a position; returns the position behind it."""
        tokens = self._tokens
        word = tokens[at]
        after = tokens[at + 1] if at + 1 < len(tokens) else ""
        if word.startswith("?"):
            out.append(self._bind(word))
        elif after == "(" and (rule := getattr(self, f"_of_{word}", None)) is not None:
            return int(rule(at, closing(tokens, at + 1), out))
        elif word == "CROSS" and after == "JOIN":
            if self._has_condition(at + 2):
                return at + 1
            out.append(word)
        elif word == "INDEXED":
            return at + 3
        elif word == "REGEXP":
            out += ["~", self._bind(after, Kind.PATTERN)]
            return at + 2
        elif word == "LIMIT":
            return self._limit(at + 1, out)
        elif self._untyped and word == "value" and (moved := self._compared(at, out)):
            return moved
        else:
            out.append(_word(word))
        return at + 1

    def _has_condition(self, at: int) -> bool:
        """True when ON follows a join before anything else does."""
        depth = 0
        for word in self._tokens[at:]:
            depth += (word == "(") - (word == ")")
            if depth < 0:
                return False
            if not depth and word in _AFTER_A_JOIN:
                return word == "ON"
        return False

    def _limit(self, at: int, out: list[str]) -> int:
        word = self._tokens[at]
        if word == "-":
            out += ["LIMIT", "ALL"]
            return at + 2
        out += ["LIMIT", f"NULLIF({self._bind(word)}, -1)" if word.startswith("?") else word]
        return at + 1

    def _compared(self, at: int, out: list[str]) -> int:
        """`value` of a column without a type beside parameters; 0 without a parameter beside it."""
        tokens = self._tokens
        sign = tokens[at + 1 : at + 3]
        if len(sign) == 2 and sign[0] in _COMPARISONS and sign[1].startswith("?"):
            out += ["value", sign[0], self._bind(sign[1], Kind.COMPARABLE)]
            return at + 3
        if sign != ["IN", "("]:
            return 0
        end = closing(tokens, at + 2)
        inside = tokens[at + 3 : end]
        if inside[0] == "SELECT":
            mark = next(word for word in inside if word.startswith("?"))
            out.append(f"value = ANY ({self._bind(mark, Kind.COMPARABLES)}::bytea[])")
        else:
            marks = [self._bind(word, Kind.COMPARABLE) for word in inside if word != ","]
            out.append(f"value IN ({', '.join(marks)})")
        return end + 1

    # ------------------------------------------------------------ functions

    def _of_json_each(self, at: int, end: int, out: list[str]) -> int:
        inner = self._tokens[at + 2 : end]
        if len(inner) == 1 and inner[0].startswith("?"):
            out.append(f"unnest({self._bind(inner[0], Kind.LIST)}::text[])")
        else:
            without_nul = f"regexp_replace({self._words(at + 2, end)}, {_NUL_IN_JSON}, 'g')"
            out.append(f"json_array_elements_text(CAST({without_nul} AS json))")
        named = self._tokens[end + 1 : end + 2] == ["AS"]
        out.append(f"AS {self._tokens[end + 2] if named else 'json_each'}(value)")
        return end + 3 if named else end + 1

    def _of_json(self, at: int, end: int, out: list[str]) -> int:
        out.append(f"CAST({self._words(at + 2, end)} AS json)")
        return end + 1

    def _of_sum(self, at: int, end: int, out: list[str]) -> int:
        out.append(f"CAST(sum({self._words(at + 2, end)}) AS bigint)")
        return end + 1

    def _of_group_concat(self, at: int, end: int, out: list[str]) -> int:
        comma = self._comma(at + 2, end)
        between = self._words(comma + 1, end) if comma else "','"
        out.append(f"string_agg(CAST({self._words(at + 2, comma or end)} AS text), {between})")
        return end + 1

    def _of_max(self, at: int, end: int, out: list[str]) -> int:
        name = {"max": "greatest", "min": "least"}[self._tokens[at]]
        out.append(f"{name if self._comma(at + 2, end) else self._tokens[at]}({self._words(at + 2, end)})")
        return end + 1

    _of_min = _of_max

    def _of_substr(self, at: int, end: int, out: list[str]) -> int:
        """Positions are numbers of 32 bits there, and parameters and columns are numbers of 64."""
        parts, begin = [], at + 2
        while comma := self._comma(begin, end):
            parts.append(self._words(begin, comma))
            begin = comma + 1
        text, *numbers = [*parts, self._words(begin, end)]
        out.append(f"substr({', '.join([text, *(f'CAST({one} AS integer)' for one in numbers)])})")
        return end + 1

    def _comma(self, at: int, end: int) -> int:
        """The position of the first comma of a call itself, 0 without one."""
        depth = 0
        for place in range(at, end):
            word = self._tokens[place]
            depth += (word == "(") - (word == ")")
            if word == "," and not depth:
                return place
        return 0


class _Insert(NamedTuple):
    """An INSERT: its table and columns, the word behind OR, and the positions of `VALUES ( … )`, which are equal without it;
    `is_plain` when parameters are its only values and nothing follows.
    """

    name: str
    table: Table | None
    columns: tuple[str, ...]
    instead: str
    values_begin: int
    values_end: int
    is_plain: bool


def _insert_of(tokens: Sequence[str]) -> _Insert:
    instead = tokens[2] if tokens[1] == "OR" else ""
    at = tokens.index("INTO") + 1
    name, begin = tokens[at], at + 1
    table = tables().get(name)
    columns = table.columns if table else ()
    if tokens[begin : begin + 1] == ["("]:
        end_of_columns = closing(tokens, begin)
        columns = tuple(word.strip('"') for word in tokens[begin + 1 : end_of_columns] if word != ",")
        begin = end_of_columns + 1
    if list(tokens[begin : begin + 2]) != ["VALUES", "("]:
        return _Insert(name, table, columns, instead, begin, begin, is_plain=False)
    end = closing(tokens, begin + 1) + 1
    only_parameters = set(tokens[begin + 2 : end - 1]) <= {"?", ","}
    is_plain = only_parameters and end == len(tokens) and not instead
    return _Insert(name, table, columns, instead, begin, end, is_plain)


def _on_conflict(insert: _Insert) -> str:
    """The clause for the word behind OR."""
    if insert.instead == "IGNORE":
        return " ON CONFLICT DO NOTHING"
    if insert.instead != "REPLACE":
        return ""
    assert insert.table is not None
    key = insert.table.key
    sets = ", ".join(f'"{column}" = excluded."{column}"' for column in insert.columns if column not in key)
    keys = ", ".join(f'"{column}"' for column in key)
    return f" ON CONFLICT ({keys}) DO " + (f"UPDATE SET {sets}" if sets else "NOTHING")


def _word(word: str) -> str:
    if word == "end":
        return '"end"'
    if word == "LIKE":
        return "ILIKE"
    if word[:2] in ("x'", "X'"):
        return f"'\\x{word[2:-1]}'::bytea"
    return _TYPES.get(word) or _NAMES.get(word) or word
