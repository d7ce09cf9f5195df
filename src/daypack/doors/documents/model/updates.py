"""MongoDB's update operators on one document: checked once, applied to any number of documents.

    {"$set": {"status": "archived"}, "$inc": {"revision": 1}, "$push": {"log": {"$each": ["archived"]}}}

Every operator either behaves as in MongoDB or raises BadUpdate; no update is applied in part.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from daypack.doors.documents.model.values import (
    LARGEST_INT,
    Value,
    ValueKind,
    check_characters,
    cleaned,
    field_named,
    is_signed,
    kind_of,
    order_key,
)
from daypack.errors import BadDocument, BadUpdate
from daypack.shapes.strict_json import canonical

OPERATORS = (
    "$set",
    "$unset",
    "$inc",
    "$mul",
    "$min",
    "$max",
    "$rename",
    "$push",
    "$addToSet",
    "$pull",
    "$pop",
)
MOST_PADDING = 1000  # nulls that setting an element behind the end of an array may insert

Matcher = Callable[[Any, str], Callable[[Value], bool]]
"""(condition of a $pull, its path) → the test of an element. Raises FilterError."""


@dataclass(frozen=True, slots=True)
class Step:
    """One operator on one path."""

    operator: str
    path: str
    operand: Any
    test: Callable[[Value], bool] | None = None  # of $pull


# ---------------------------------------------------------------- checking


def parse_update(
    data: Any, matcher: Matcher, perhaps: Callable[[str, Sequence[str], str], str]
) -> tuple[Step, ...]:
    """The steps of an update.

    `perhaps` says what a misspelt operator may mean. Raises BadUpdate with the path of the faulty token.
    """
    if not isinstance(data, Mapping) or not data:
        raise BadUpdate("", 'takes an object of operators, as {"$set": {"status": "open"}}')
    steps: list[Step] = []
    for operator, fields in data.items():
        if operator not in OPERATORS:
            if not str(operator).startswith("$"):
                raise BadUpdate(
                    str(operator),
                    f'is not an operator; to set a field, write {{"$set": {{{json.dumps(operator)}: …}}}}',
                )
            meant = perhaps(str(operator), OPERATORS, "; operators are")
            raise BadUpdate(str(operator), f"unknown operator {operator!r}{meant}")
        if not isinstance(fields, Mapping) or not fields:
            raise BadUpdate(operator, 'takes an object of fields, as {"status": …}')
        for path, operand in fields.items():
            where = f"{operator}.{path}"
            _check_path(path, where)
            steps.append(_step(operator, path, operand, where, matcher))
    _check_conflicts(steps)
    return tuple(steps)


def _check_path(path: Any, where: str) -> None:
    if not isinstance(path, str) or "\0" in path or "" in path.split("."):
        raise BadUpdate(where, "is not a path; write field or field.inner")
    check_characters(path, where, BadUpdate)
    if path.startswith("$"):
        raise BadUpdate(where, "a field's name does not begin with $; write field or field.inner")
    if is_signed(path):
        raise BadUpdate(
            where, "positional operators are not supported; name the element by its number, as items.0.price"
        )
    if path.split(".")[0] == "_id":
        raise BadUpdate(where, "the _id of a document never changes")


def _step(operator: str, path: str, operand: Any, where: str, matcher: Matcher) -> Step:
    test = None
    match operator:
        case "$unset":
            operand = None
        case "$inc" | "$mul":
            operand = _value(operand, where)
            if kind_of(operand) is not ValueKind.NUMBER:
                raise BadUpdate(where, "takes a number")
        case "$rename":
            if not isinstance(operand, str):
                raise BadUpdate(where, "takes the new path as a string")
            _check_path(operand, where)
        case "$push":
            operand = _modified(operand, where, ("$each", "$position", "$slice"))
        case "$addToSet":
            operand = _modified(operand, where, ("$each",))
        case "$pull":
            test = matcher(operand, where)
        case "$pop":
            if operand not in (1, -1) or isinstance(operand, bool):
                raise BadUpdate(where, "takes 1 for the last element or -1 for the first")
        case _:
            operand = _value(operand, where)
    return Step(operator, path, operand, test)


def _value(operand: Any, where: str) -> Value:
    try:
        value = cleaned(operand)
    except BadDocument as error:
        raise BadUpdate(f"{where}.{error.path}" if error.path else where, error.problem) from None
    check_characters(canonical(value), where, BadUpdate)
    return value


def _modified(operand: Any, where: str, known: Sequence[str]) -> dict[str, Any]:
    """The values to add, as {"each": […], "position": …, "slice": …}."""
    if not isinstance(operand, Mapping) or "$each" not in operand:
        return {"each": [_value(operand, where)]}
    modifiers: dict[str, Any] = {}
    for name, value in operand.items():
        if name not in known:
            raise BadUpdate(
                f"{where}.{name}", f"is not supported beside $each; choose from {', '.join(known)}"
            )
        if name == "$each":
            if not isinstance(value, (list, tuple)):
                raise BadUpdate(f"{where}.$each", "takes an array")
            modifiers["each"] = [_value(item, f"{where}.$each") for item in value]
        elif type(value) is not int:
            raise BadUpdate(f"{where}.{name}", "takes a whole number")
        else:
            modifiers[name[1:]] = value
    return modifiers


def _check_conflicts(steps: Sequence[Step]) -> None:
    paths = [(step.path, step.operator) for step in steps] + [
        (step.operand, step.operator) for step in steps if step.operator == "$rename"
    ]
    paths.sort(key=lambda item: item[0].split("."))
    for (path, operator), (next_path, _) in pairwise(paths):
        if next_path.split(".")[: path.count(".") + 1] == path.split("."):
            moved = any(
                step.operator == "$rename" and {step.path, step.operand} == {path, next_path}
                for step in steps
            )
            raise BadUpdate(
                f"{operator}.{path}",
                "a field cannot move into itself or into the field that holds it; rename it to another path"
                if moved
                else f"and another operator would change {next_path!r} at once; plan one after the other",
            )


# ---------------------------------------------------------------- applying


def apply_update(steps: Sequence[Step], document: Value) -> Value:
    """The document after the update, a new value. Raises BadUpdate where a step does not fit the document."""
    after = json.loads(canonical(document))
    for step in steps:
        _apply(step, after)
    try:
        return cleaned(after)
    except BadDocument as error:
        raise BadUpdate(error.path, error.problem) from None


def _apply(step: Step, document: Value) -> None:
    where = f"{step.operator}.{step.path}"
    match step.operator:
        case "$unset":
            _remove(document, step.path)
        case "$rename":
            removed = _remove(document, step.path, through_arrays=False, where=where)
            if removed is not _NOTHING:
                _assign(document, step.operand, lambda _: removed, where)
        case "$pull" | "$pop" if _holder(document, step.path) is None:
            pass  # nothing to do for a path without a value
        case _:
            _assign(document, step.path, lambda old: _changed(step, old, where), where)


def _changed(step: Step, old: Any, where: str) -> Value:
    """The value that an operator puts in place of another."""
    operand = step.operand
    match step.operator:
        case "$set":
            return operand
        case "$min" | "$max":
            best = min if step.operator == "$min" else max
            return operand if old is _NOTHING else best(old, operand, key=order_key)
        case "$inc":
            return operand if old is _NOTHING else _in_range(_number(old, where) + operand, where)
        case "$mul":
            zero = type(operand)(0)
            return zero if old is _NOTHING else _in_range(_number(old, where) * operand, where)
        case "$push":
            return _pushed(_array(old, where), operand)
        case "$addToSet":
            return _with_members(_array(old, where), operand["each"])
    return _reduced(_array(old, where), step)


class _Nothing:
    pass


_NOTHING: Any = _Nothing()


def _position(name: str) -> int | None:
    return int(name) if name.isdigit() and name.isascii() and len(name) < 10 else None


def _names(document: Value, path: str) -> list[str]:
    """The steps of a path as the document names its fields, some of them with dots."""
    steps, names = path.split("."), list[str]()
    value: Any = document
    while steps:
        name = field_named(value, steps, 0) if type(value) is dict else None
        position = _position(steps[0]) if type(value) is list else None
        if name is not None:
            value = value[name]
        elif position is not None and position < len(value):
            value = value[position]
        else:
            value = None
        names.append(name or steps[0])
        del steps[: 1 + names[-1].count(".")]
    return names


def _holder(document: Value, path: str) -> tuple[Any, Any] | None:
    """(container, key) of the value at a path; None without one."""
    value: Any = document
    for name in _names(document, path):
        container = value
        if type(value) is list:
            position = _position(name)
            if position is None or position >= len(value):
                return None
            key: Any = position
        elif type(value) is dict and kind_of(value) is ValueKind.OBJECT and name in value:
            key = name
        else:
            return None
        value = container[key]
    return container, key


def _remove(document: Value, path: str, *, through_arrays: bool = True, where: str = "") -> Any:
    holder = _holder(document, path)
    if holder is None:
        return _NOTHING
    container, key = holder
    value = container[key]
    if type(container) is list:
        if not through_arrays:
            raise BadUpdate(where, "elements of arrays cannot be renamed")
        container[key] = None  # as in MongoDB: the others keep their places
    else:
        del container[key]
    return value


def _assign(document: Value, path: str, change: Callable[[Any], Value], where: str) -> None:
    """Replace the value at a path by `change(value)`, making the objects on the way."""
    names = _names(document, path)
    container: Any = document
    for depth, name in enumerate(names):
        last = depth == len(names) - 1
        if type(container) is list:
            position = _position(name)
            if position is None:
                raise BadUpdate(
                    where, f"{'.'.join(names[:depth])!r} is an array; name an element by its number"
                )
            if position > len(container) + MOST_PADDING:
                raise BadUpdate(where, f"the array has {len(container):,} elements")
            there = position < len(container)
            value = container[position] if there else _NOTHING if last else {}
            if last:
                value = change(value)
            container.extend([None] * (position + 1 - len(container)))
            container[position] = value
        elif type(container) is dict and kind_of(container) is ValueKind.OBJECT:
            if last:
                container[name] = change(container.get(name, _NOTHING))
                return
            value = container.setdefault(name, {})
        else:
            raise BadUpdate(
                where, f"{'.'.join(names[:depth])!r} is {canonical(container)[:40]}, which has no fields"
            )
        container = value


def _number(old: Any, where: str) -> Any:
    if kind_of(old) is not ValueKind.NUMBER:
        raise BadUpdate(where, f"its value is not a number: {canonical(old)[:40]}")
    return old


def _in_range(value: Any, where: str) -> Any:
    if type(value) is int and not -LARGEST_INT - 1 <= value <= LARGEST_INT:
        raise BadUpdate(where, "the result has more than 64 bits")
    return value


def _array(old: Any, where: str) -> list[Any]:
    if old is _NOTHING:
        return []
    if type(old) is not list:
        raise BadUpdate(where, f"its value is not an array: {canonical(old)[:40]}")
    return old


def _pushed(array: list[Any], operand: Mapping[str, Any]) -> list[Any]:
    position = operand.get("position", len(array))
    if position < 0:
        position = max(0, len(array) + position)
    array = [*array[:position], *operand["each"], *array[position:]]
    if "slice" not in operand:
        return array
    count = operand["slice"]
    return array[:count] if count >= 0 else array[count:]


def _with_members(array: list[Any], items: Sequence[Value]) -> list[Any]:
    array = [*array]
    known = set(map(order_key, array))
    for item in items:
        if order_key(item) not in known:
            known.add(order_key(item))
            array.append(item)
    return array


def _reduced(array: list[Any], step: Step) -> list[Any]:
    if step.operator == "$pop":
        return array[:-1] if step.operand == 1 else array[1:]
    assert step.test is not None
    return [item for item in array if not step.test(item)]
