"""Filter → SQL condition over the table `record`, with bound parameters only."""

from __future__ import annotations

import json
import re
from typing import Any, assert_never

from daypack.errors import FilterError
from daypack.filters import tree
from daypack.system import unicode_forms
from daypack.text.checks import likely_or_all
from daypack.text.storable import is_storable

DEEPEST = 16


# the last character before those that UTF-16 keeps for itself; later ones are rare
_LAST_IN_ORDER = "\ud7ff"


def to_sql(node: tree.Filter) -> tuple[str, list[Any]]:
    """(condition, parameters). Raises FilterError with the path of the faulty node."""
    condition, parameters = _to_sql(node, "filter", 0)
    for value in parameters:
        if isinstance(value, str) and not is_storable(value):
            raise FilterError("", "holds half a surrogate pair, which is not a character")
    return condition, parameters


def _to_sql(node: tree.Filter, path: str, depth: int) -> tuple[str, list[Any]]:
    if depth > DEEPEST:
        raise FilterError(path, f"nested deeper than {DEEPEST} levels")
    match node:
        case tree.OneOf(field, values):
            if field not in tree.FIELDS:
                raise FilterError(
                    path, f"no field {field!r}; {likely_or_all(field, tree.FIELDS, 'fields are')}"
                )
            # SQLite limits the number of variables
            return f"{field} IN (SELECT value FROM json_each(?))", [json.dumps(values, ensure_ascii=False)]
        case tree.Glob(pattern):
            matching = [*map(_matching, unicode_forms(pattern))]
            parameters = [value for _, values in matching for value in values]
            return _balanced([condition for condition, _ in matching], " OR "), parameters
        case tree.Since(time):
            return "time >= ?", [time]
        case tree.Before(time):
            return "time < ?", [time]
        case tree.Tagged(tag):
            return "EXISTS (SELECT 1 FROM json_each(record.tags) WHERE json_each.value = ?)", [tag]
        case tree.Labelled(part):
            return "coalesce(instr(lower(json_extract(metadata, '$.label')), lower(?)), 0) > 0", [part]
        case tree.HoldsCode():
            # The marks count as well: pieces of turns, memories and plain texts have no kind for a fence.
            fence = "EXISTS (SELECT 1 FROM chunk WHERE chunk.record_id = record.id AND chunk.kind = 'fence')"
            marks = "instr(record.text, '```') > 0 OR instr(record.text, '~~~') > 0"
            return f"(kind = 'code' OR {fence} OR {marks})", []
        case tree.All(parts):
            return _joined(parts, " AND ", "TRUE", path, depth)
        case tree.AnyOf(parts):
            return _joined(parts, " OR ", "FALSE", path, depth)
        case tree.Not(part):
            condition, parameters = _to_sql(part, f"{path}.not", depth + 1)
            # A NULL time makes a comparison NULL; an unknown value does not match.
            return f"NOT coalesce({condition}, FALSE)", parameters
        case tree.Where(condition, values):
            return condition, list(values)
        case _:
            assert_never(node)


def _joined(
    parts: tuple[tree.Filter, ...], word: str, empty: str, path: str, depth: int
) -> tuple[str, list[Any]]:
    conditions, parameters = [], []
    for number, part in enumerate(parts):
        condition, values = _to_sql(part, f"{path}[{number}]", depth + 1)
        conditions.append(f"({condition})")
        parameters.extend(values)
    return (_balanced(conditions, word) if conditions else empty), parameters


def _balanced(conditions: list[str], word: str) -> str:
    """Conditions joined in halves: SQLite takes trees of a thousand levels, a chain has one a term."""
    if len(conditions) == 1:
        return conditions[0]
    half = len(conditions) // 2
    return f"({_balanced(conditions[:half], word)}{word}{_balanced(conditions[half:], word)})"


def _matching(pattern: str) -> tuple[str, list[str]]:
    """The condition that a name matches a glob, with its parameters."""
    if (bounds := _bounds(pattern)) is None:
        return "uri REGEXP ?", [glob_regex(pattern)]
    # The expression is tried on names between the bounds alone, which an index finds.
    return "(uri >= ? AND uri < ? AND uri REGEXP ?)", [*bounds, glob_regex(pattern)]


def _bounds(pattern: str) -> tuple[str, str] | None:
    """The first name that may match a glob, and the first behind all that may; None where it begins with a wildcard, in any folder."""
    pattern = pattern.removeprefix("./")
    start = re.split(r"[*?]", pattern, maxsplit=1)[0]
    if start != pattern and "/" not in pattern:
        return None
    start = start.rstrip("/")
    if not start or start[-1] >= _LAST_IN_ORDER:
        return None
    return start, start[:-1] + chr(ord(start[-1]) + 1)


def glob_regex(pattern: str) -> str:
    """A glob as a regular expression over a whole uri, whose time never exceeds the square of its length.

    Every wildcard but the last of its kind takes the first match and never gives it back (an atomic group):
    the rest of the pattern only gains from a longer remainder.
    """
    pattern = pattern.removeprefix("./")
    if "*" not in pattern and "?" not in pattern:
        return rf"^{re.escape(pattern.rstrip('/'))}(/.*)?\Z"
    if "/" not in pattern:
        pattern = f"**/{pattern}"
    first, *rest = re.split(r"((?:^|(?<=/))\*\*+/|\*\*+)", pattern)
    gaps: list[tuple[str, str]] = []  # (the part that crosses folders, the part behind it)
    for gap, text in zip(rest[::2], rest[1::2], strict=True):
        if gaps and not gaps[-1][1]:  # "**/**/" is "**/"
            gaps.pop()
        gaps.append((gap, text))
    out = ["^", _inside(first, fixed=not gaps)]
    for number, (gap, text) in enumerate(gaps, 1):
        if number == len(gaps):
            out.append(("(?:.*/)?" if gap.endswith("/") else ".*") + _inside(text, fixed=True))
        else:
            out.append(f"(?>{'(?:.*?/)??' if gap.endswith('/') else '.*?'}{_inside(text, fixed=False)})")
    return "".join([*out, r"\Z"])


def _inside(text: str, *, fixed: bool) -> str:
    """A run of a glob that does not cross folders by itself; `fixed` when it must end with the uri."""
    names = text.split("/")
    return "/".join(_name(name, fixed=fixed or number < len(names)) for number, name in enumerate(names, 1))


def _name(name: str, *, fixed: bool) -> str:
    first, *rest = (
        "".join("[^/]" if letter == "?" else re.escape(letter) for letter in part) for part in name.split("*")
    )
    if not rest:
        return first
    middle = "".join(f"(?>[^/]*?{part})" for part in rest[:-1])
    return f"{first}{middle}[^/]*{rest[-1]}" if fixed else f"{first}{middle}(?>[^/]*?{rest[-1]})"
