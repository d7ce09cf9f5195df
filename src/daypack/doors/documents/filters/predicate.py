"""The meaning of a filter for one document: a tree as a function from document to bool.

Semantics are MongoDB's. A condition asks for some value at its path: each value itself and, where it is an
array, each element. Comparisons look at values of the operand's kind only. Equality with null also holds
where the path has no value, and `$ne`, `$nin`, `$not` are plain negations, so they hold where a field is
missing.
"""

from __future__ import annotations

import json
import operator
from collections.abc import Callable
from typing import Any, assert_never

from daypack.doors.documents.filters import language
from daypack.doors.documents.filters.regex import compiled
from daypack.doors.documents.model.values import (
    KINDS,
    MISSING,
    Value,
    ValueKind,
    at_path,
    kind_of,
    order_key,
    reached,
)

Predicate = Callable[[Value], bool]

_ORDER: dict[language.Comparison, Callable[[Any, Any], bool]] = {
    language.Comparison.GT: operator.gt, language.Comparison.GTE: operator.ge, language.Comparison.LT: operator.lt, language.Comparison.LTE: operator.le,
}  # fmt: skip


def predicate(node: language.Node) -> Predicate:
    """The test of a filter. Documents come in the form of `values.cleaned`."""
    match node:
        case language.And(parts):
            tests = [predicate(part) for part in parts]
            return lambda document: all(test(document) for test in tests)
        case language.Or(parts):
            tests = [predicate(part) for part in parts]
            return lambda document: any(test(document) for test in tests)
        case language.Negated(part):
            holds = predicate(part)
            return lambda document: not holds(document)
        case language.Compare(path, comparison, value):
            return _compare(path, comparison, json.loads(value))
        case language.In(path, values):
            operands = [json.loads(value) for value in values]
            keys = {order_key(operand) for operand in operands}
            return _somewhere(path, lambda value: order_key(value) in keys, missing=None in operands)
        case language.Exists(path):
            steps = _steps(path)
            return lambda document: any(value is not MISSING for value in at_path(document, steps))
        case language.HasType(path, types):
            checks = [_TYPES[name] for name in types]
            return _somewhere(path, lambda value: any(check(value) for check in checks))
        case language.Regex(path, pattern, options):
            search = compiled(pattern, options).search
            return _somewhere(path, lambda value: type(value) is str and search(value) is not None)
        case language.Mod(path, divisor, remainder):
            return _leaves(path, divisor, remainder)
        case language.Size(path, count):
            steps = _steps(path)
            return lambda document: any(
                type(value) is list and len(value) == count for value in at_path(document, steps)
            )
        case language.ElemMatch(path, part, by_value):
            return _element(path, predicate(part), by_value=by_value)
        case _:
            assert_never(node)


def _steps(path: str) -> list[str]:
    return path.split(".") if path else []


def _somewhere(path: str, test: Predicate, *, missing: bool = False) -> Predicate:
    """`test` for a value at the path or an element of an array there, unless a number led to the array; `missing` without a
    value.
    """
    if not path:  # an element that $elemMatch examines: its contents are not examined
        return test
    steps = _steps(path)

    def holds(document: Value) -> bool:
        for value, numbered in reached(document, steps):
            if value is MISSING:
                if missing and not numbered:
                    return True
            elif test(value) or (type(value) is list and not numbered and any(map(test, value))):
                return True
        return False

    return holds


def _compare(path: str, comparison: language.Comparison, operand: Value) -> Predicate:
    kind, key = order_key(operand)
    if comparison is language.Comparison.EQ:
        return _somewhere(path, lambda value: order_key(value) == (kind, key), missing=operand is None)
    ordered = _ORDER[comparison]
    if operand is None:  # null equals itself and a missing value
        return _somewhere(path, lambda value: value is None and ordered(0, 0), missing=ordered(0, 0))

    def test(value: Value) -> bool:
        value_kind, value_key = order_key(value)
        return value_kind == kind and ordered(value_key, key)

    return _somewhere(path, test)


def _leaves(path: str, divisor: int, remainder: int) -> Predicate:
    def test(value: Value) -> bool:
        # a double that no whole number of 64 bits holds has no remainder
        return (
            kind_of(value) is ValueKind.NUMBER
            and -(1 << 63) <= value < 1 << 63
            and _remainder(int(value), divisor) == remainder
        )

    return _somewhere(path, test)


def _remainder(number: int, divisor: int) -> int:
    """The remainder of a division that cuts towards zero, as C's."""
    rest = abs(number) % abs(divisor)
    return rest if number >= 0 else -rest


def _element(path: str, test: Predicate, *, by_value: bool) -> Predicate:
    steps = _steps(path)

    def fits(item: Value) -> bool:
        if by_value or kind_of(item) is ValueKind.OBJECT:
            return test(item)
        # an array as a document, whose fields are its numbers; a scalar is none
        return type(item) is list and test({str(number): part for number, part in enumerate(item)})

    return lambda document: any(
        type(value) is list and any(map(fits, value)) for value in at_path(document, steps)
    )


def _of(kind: ValueKind) -> Predicate:
    return lambda value: kind_of(value) is kind


_TYPES: dict[str, Predicate] = {
    "double": lambda value: type(value) is float,
    "long": lambda value: type(value) is int,
    **{name: _of(kind) for name, kind in KINDS.items()},
}
