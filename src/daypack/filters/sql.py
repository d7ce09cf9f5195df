"""Filter → SQL condition over the table `record`, with bound parameters only."""

from __future__ import annotations

import difflib
import re
from typing import Any, assert_never

from daypack.errors import FilterError
from daypack.filters.tree import FIELDS, All, AnyOf, Before, Filter, Glob, Not, OneOf, Since, Tagged

DEEPEST = 16


def to_sql(node: Filter, *, path: str = "filter", depth: int = 0) -> tuple[str, list[Any]]:
    """(condition, parameters). Raises FilterError with the path of the faulty node."""
    if depth > DEEPEST:
        raise FilterError(path, f"nested deeper than {DEEPEST} levels")
    match node:
        case OneOf(field, values):
            if field not in FIELDS:
                near = difflib.get_close_matches(field, FIELDS, n=1)
                raise FilterError(path, f"no field {field!r}" + (f"; did you mean {near[0]!r}?" if near else f"; fields are {', '.join(FIELDS)}"))
            if not values:
                return "0", []
            return f"{field} IN ({', '.join('?' * len(values))})", list(values)
        case Glob(pattern):
            return "uri REGEXP ?", [glob_regex(pattern)]
        case Since(time):
            return "time >= ?", [time]
        case Before(time):
            return "time < ?", [time]
        case Tagged(tag):
            return "EXISTS (SELECT 1 FROM json_each(record.tags) WHERE json_each.value = ?)", [tag]
        case All(parts):
            return _joined(parts, " AND ", "1", path, depth)
        case AnyOf(parts):
            return _joined(parts, " OR ", "0", path, depth)
        case Not(part):
            condition, parameters = to_sql(part, path=f"{path}.not", depth=depth + 1)
            # A NULL time makes a comparison NULL; what is not known to hold does not hold.
            return f"NOT coalesce({condition}, 0)", parameters
        case _:
            assert_never(node)


def _joined(parts: tuple[Filter, ...], word: str, empty: str, path: str, depth: int) -> tuple[str, list[Any]]:
    conditions, parameters = [], []
    for number, part in enumerate(parts):
        condition, values = to_sql(part, path=f"{path}[{number}]", depth=depth + 1)
        conditions.append(f"({condition})")
        parameters.extend(values)
    return (word.join(conditions) or empty), parameters


def glob_regex(pattern: str) -> str:
    """A glob as a linear regular expression over a whole uri."""
    pattern = pattern.removeprefix("./")
    if not any(char in pattern for char in "*?["):
        return rf"^{re.escape(pattern.rstrip('/'))}(/.*)?$"
    out = ["^"]
    position = 0
    if "/" not in pattern:
        out.append("(.*/)?")
    while position < len(pattern):
        if pattern.startswith("**/", position):
            out.append("(.*/)?")
            position += 3
        elif pattern.startswith("**", position):
            out.append(".*")
            position += 2
        elif pattern[position] == "*":
            out.append("[^/]*")
            position += 1
        elif pattern[position] == "?":
            out.append("[^/]")
            position += 1
        else:
            out.append(re.escape(pattern[position]))
            position += 1
    return "".join([*out, "$"])
