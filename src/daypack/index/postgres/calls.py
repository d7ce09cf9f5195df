"""Functions of our own in SQL. A server cannot call Python, so the rows that a call would see are asked for first, and the
call becomes a list of the rows for which it holds.

    SELECT … FROM document AS d WHERE document_matches(?, d.body) AND d.collection_id = ?
    1. SELECT d.id, d.body FROM document AS d WHERE TRUE AND d.collection_id = ?      each row is tested here
    2. SELECT … FROM document AS d WHERE d.id IN (…) AND d.collection_id = ?
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from daypack.index.postgres.dialect import closing, tokens_of

Functions = Mapping[str, Callable[..., Any]]
Ask = Callable[[str, Sequence[Any]], list[tuple[Any, ...]]]
_ENDS = frozenset(("ORDER", "GROUP", "LIMIT", "UNION", "RETURNING"))


def answered(
    statement: str, parameters: Sequence[Any], functions: Functions, ask: Ask
) -> tuple[str, Sequence[Any]]:
    """The statement without calls of our functions, and its parameters. A call takes a parameter and an expression over
    the rows of the innermost FROM around it.
    """
    if not any(name in statement for name in functions):
        return statement, parameters
    tokens, values = tokens_of(statement), [*parameters]
    while (at := next((i for i, word in enumerate(tokens) if word in functions), -1)) >= 0:
        end = closing(tokens, at + 1)
        first = tokens[:at].count("?")  # the number of the call's own parameter
        expression = tokens[at + 4 : end]  # behind "name ( ? ,"
        scope = _scope(tokens, at)
        before = tokens[: scope.start].count("?")
        key = "d.id" if "d" in expression else "id"
        others = [*tokens[scope.start : at], "TRUE", *tokens[end + 1 : scope.stop]]
        asked = values[before : before + tokens[scope.start : scope.stop].count("?")]
        del asked[first - before]
        if "NOT" in tokens[scope.start : at]:  # TRUE under a negation would leave rows out
            where = scope.start + _depth_zero(tokens[scope.start : scope.stop], "WHERE")
            others, asked = (
                tokens[scope.start : where],
                values[before : before + tokens[scope.start : where].count("?")],
            )
        said = f"SELECT {key}, {' '.join(expression)} {' '.join(others)}"
        test, given = functions[tokens[at]], values[first]
        held = [row[0] for row in ask(*answered(said, asked, functions, ask)) if test(given, row[1])]
        values[first] = json.dumps(held)
        listed = f"{key} IN ( SELECT CAST ( value AS INTEGER ) FROM json_each ( ? ) )"
        tokens[at : end + 1] = listed.split(" ")
    return " ".join(tokens), values


def _scope(tokens: Sequence[str], at: int) -> slice:
    """From the FROM of the innermost SELECT around a position to the end of its condition."""
    depth, start = 0, 0
    for place in range(at, -1, -1):
        word = tokens[place]
        depth += (word == ")") - (word == "(")
        if word == "FROM" and depth <= 0:
            start = place
            break
    stop, depth = len(tokens), 0
    for place in range(start, len(tokens)):
        word = tokens[place]
        depth += (word == "(") - (word == ")")
        if depth < 0 or (not depth and word in _ENDS):
            stop = place
            break
    return slice(start, stop)


def _depth_zero(tokens: Sequence[str], wanted: str) -> int:
    depth = 0
    for place, word in enumerate(tokens):
        depth += (word == "(") - (word == ")")
        if not depth and word == wanted:
            return place
    return len(tokens)
