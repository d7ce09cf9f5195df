"""The things that a filter asks about: its paths, its single conditions, and the values that these compare with."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from daypack.doors.documents.filters import language


def fields_of(node: language.Node) -> Iterator[str]:
    """The paths that a filter asks about."""
    match node:
        case language.And(parts) | language.Or(parts):
            for part in parts:
                yield from fields_of(part)
        case language.Negated(part):
            yield from fields_of(part)
        case language.ElemMatch(path, part, by_value=False):
            yield from (f"{path}.{inner}" for inner in fields_of(part))
        case _:
            yield node.path


def operands(node: language.Node) -> list[Any] | None:
    """Values of the types that a single condition can match; None where any type may match."""
    match node:
        case language.Compare(_, _, value):
            examples = [json.loads(value)]
        case language.In(_, values):
            examples = [json.loads(value) for value in values]
        case language.Regex():
            examples = [""]
        case language.Mod():
            examples = [0]
        case language.Size() | language.ElemMatch():
            examples = [[]]
        case _:
            return None
    return None if None in examples else examples


def predicates(data: Mapping[str, Any], where: str = "") -> Iterator[tuple[str, Mapping[str, Any]]]:
    """(path of the token, filter with it alone) of each single condition of a parsed filter's data."""
    for name, condition in data.items():
        here = f"{where}.{name}" if where else name
        if name in language.LOGICAL:
            for number, part in enumerate(condition):
                yield from predicates(part, f"{here}[{number}]")
        elif language.has_operators(condition, here):
            for operator, operand in condition.items():
                if operator != "$options":
                    beside = (
                        {"$options": condition["$options"]}
                        if operator == "$regex" and "$options" in condition
                        else {}
                    )
                    yield f"{here}.{operator}", {name: {operator: operand, **beside}}
        else:
            yield here, {name: condition}
