"""JSON values of documents: their kinds, their written form, and one order over all kinds.

A document is plain JSON data in Python. Values of other kinds are written as MongoDB's Extended JSON and kept
in one form:

    null  true  5  5.0  "text"  [ ]  { }                  as JSON has them; integers have 64 bits, doubles are finite
    {"$oid": "24 hex digits"}                             ObjectId
    {"$date": 1790812800000}                              milliseconds since 1970
    {"$binary": {"base64": "…", "subType": "00"}}         bytes

`cleaned` brings any other spelling of these to this one ($numberLong, dates as text …), and `canonical`
writes it: without blanks, fields in their order, a double always with a point or an exponent, invisible
characters by their number. Reading what was written and writing it again gives the same bytes.
"""

from __future__ import annotations

import base64
import binascii
import enum
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple, TypeAlias

from daypack.errors import BadDocument, InputError
from daypack.shapes.strict_json import DEEPEST
from daypack.text.checks import in_utc
from daypack.text.storable import is_storable, storable

Value: TypeAlias = Any
"""One of the ten kinds, as plain JSON data in the form that `cleaned` gives."""

LARGEST_INT = (1 << 63) - 1
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


class ValueKind(enum.IntEnum):
    """The kinds in their order; integers and doubles are one kind to every comparison."""

    NULL = 0
    NUMBER = 1
    STRING = 2
    OBJECT = 3
    ARRAY = 4
    BINARY = 5
    OBJECT_ID = 6
    BOOLEAN = 7
    DATE = 8


KINDS = {
    "number": ValueKind.NUMBER, "string": ValueKind.STRING, "object": ValueKind.OBJECT, "array": ValueKind.ARRAY, "binData": ValueKind.BINARY, "objectId": ValueKind.OBJECT_ID,
    "bool": ValueKind.BOOLEAN, "date": ValueKind.DATE, "null": ValueKind.NULL,
}  # fmt: skip
"""The kinds by their names in `$type`."""

# ---------------------------------------------------------------- cleaning


def check_characters(text: str, where: str, fault: Callable[[str, str], InputError]) -> None:
    """Raise `fault(path, problem)` for a text that no store can hold."""
    if not is_storable(text):
        raise fault(storable(where), "holds half a surrogate pair, which is not a character")


def cleaned(value: Any) -> Value:
    """A value in the one form, also of datetime, date (its midnight in UTC) and bytes. Raises BadDocument with the path."""
    try:
        return _cleaned(value, 0)
    except _Unfit as trouble:
        raise BadDocument(".".join(reversed(trouble.path)), trouble.problem) from None


class _Unfit(Exception):
    def __init__(self, problem: str) -> None:
        self.problem = problem
        self.path: list[str] = []  # innermost first


def _cleaned(value: Any, depth: int) -> Value:
    kind = type(value)
    if kind is str or value is None or kind is bool:
        return value
    if kind is int:
        return _integer(value)
    if kind is float:
        return _double(value)
    if isinstance(value, Mapping):
        return _cleaned_object(value, depth)
    if isinstance(value, (list, tuple)):
        if depth == DEEPEST:
            raise _Unfit(f"is nested deeper than {DEEPEST} levels")
        items = []
        for number, item in enumerate(value):
            try:
                items.append(_cleaned(item, depth + 1))
            except _Unfit as trouble:
                trouble.path.append(str(number))
                raise
        return items
    if isinstance(value, date):
        moment = value if isinstance(value, datetime) else datetime.combine(value, time())
        return {"$date": _milliseconds(in_utc(moment))}
    if isinstance(value, (bytes, bytearray)):
        return _binary(bytes(value), "00")
    if isinstance(value, (bool, int, float, str)):  # subclasses, as of numpy or an enum
        return _cleaned(
            next(plain for plain in (bool, int, float, str) if isinstance(value, plain))(value), depth
        )
    raise _Unfit(f"is of the kind {kind.__name__}, which JSON does not have")


def _cleaned_object(value: Mapping[Any, Any], depth: int) -> Value:
    if depth == DEEPEST:
        raise _Unfit(f"is nested deeper than {DEEPEST} levels")
    cleaned_items = {}
    for key, item in value.items():
        if type(key) is not str:
            raise _Unfit(f"has the key {key!r}, which is not a string")
        if key in _EXTENDED:
            return _extended(value)
        if "\0" in key:
            raise _Unfit(f"has a key with a NUL character, {key!r}")
        try:
            cleaned_items[key] = _cleaned(item, depth + 1)
        except _Unfit as trouble:
            trouble.path.append(key)
            raise
    return cleaned_items


def _integer(value: int) -> int:
    if not -LARGEST_INT - 1 <= value <= LARGEST_INT:
        raise _Unfit("is an integer of more than 64 bits; write it as a double (1e20) or as a string")
    return value


def _double(value: float) -> float:
    if not math.isfinite(value):
        raise _Unfit(f"is {value}, and only finite numbers can be kept; write null or a string")
    return value


def _extended(value: Mapping[Any, Any]) -> Value:
    """An Extended JSON value of any spelling in Daypack's form."""
    match dict(value):
        case {"$oid": str(digits)} if len(value) == 1 and OBJECT_ID.fullmatch(digits):
            return {"$oid": digits.lower()}
        case {"$oid": _} if len(value) == 1:
            raise _Unfit("is not an ObjectId; $oid takes 24 hex digits")
        case {"$numberLong": str(digits)} | {"$numberInt": str(digits)} if len(
            value
        ) == 1 and _INTEGER.fullmatch(digits):
            return _integer(int(digits))
        case {"$numberDouble": str(digits)} if len(value) == 1:
            try:
                return _double(float(digits))
            except ValueError:
                raise _Unfit(f"is not a double: {digits!r}") from None
        case {"$date": moment} if len(value) == 1:
            return {"$date": _date(moment)}
        case {"$binary": {"base64": str(data), "subType": str(subtype)}} if len(value) == 1:
            return _binary(_bytes(data), subtype)
        case {"$binary": str(data)} if len(value) == 1:
            return _binary(_bytes(data), "00")
        case {"$binary": str(data), "$type": str(subtype)} if len(value) == 2:
            return _binary(_bytes(data), subtype)
    name = next(str(key) for key in value if key in _EXTENDED)
    if name in TYPED:
        raise _Unfit(f"is not a {name} as Extended JSON writes it")
    raise _Unfit(f"has the field {name!r}, a type that is not kept; the types are {', '.join(TYPED)}")


TYPED = ("$oid", "$date", "$numberLong", "$numberInt", "$numberDouble", "$binary")
_EXTENDED = {
    *TYPED, "$numberDecimal", "$timestamp", "$regularExpression", "$uuid", "$minKey", "$maxKey", "$code", "$symbol", "$dbPointer", "$undefined",
}  # fmt: skip
"""Fields that make an object a value of Extended JSON. Others with a sign, as `$ref`, are fields as any."""
OBJECT_ID = re.compile(r"[0-9a-fA-F]{24}")
_INTEGER = re.compile(r"-?[0-9]{1,19}")


def _date(moment: Any) -> int:
    match moment:
        case bool():
            pass
        case int():
            return _integer(moment)
        case {"$numberLong": str(digits)} if len(moment) == 1 and _INTEGER.fullmatch(digits):
            return _integer(int(digits))
        case str():
            try:
                date = datetime.fromisoformat(moment)
            except ValueError:
                raise _Unfit(
                    f"is not a valid date: {moment!r}; write 2026-10-01T14:00:00Z or milliseconds"
                ) from None
            return _milliseconds(in_utc(date))
    raise _Unfit("is not a $date; it takes milliseconds or a text as 2026-10-01T14:00:00Z")


_LAST = 253_402_300_800_000  # milliseconds at the end of 9999


def with_dates(value: Value) -> Value:
    """The data with dates as texts, {"$date": "2026-10-01T14:00:00Z"}, as people and models read them: a second spelling that
    `cleaned` takes back. Dates before 1970 and after 9999 stay numbers.
    """
    match value:
        case {"$date": int(moment)} if len(value) == 1 and 0 <= moment < _LAST:
            text = (_EPOCH + timedelta(milliseconds=moment)).isoformat(timespec="milliseconds")
            return {"$date": text.replace("+00:00", "Z").replace(".000Z", "Z")}
        case Mapping():
            return {name: with_dates(item) for name, item in value.items()}
        case list() | tuple():
            return [with_dates(item) for item in value]
    return value


def _milliseconds(date: datetime) -> int:
    return (date - _EPOCH) // timedelta(milliseconds=1)


def _bytes(data: str) -> bytes:
    try:
        return base64.b64decode(data, validate=True)
    except (binascii.Error, ValueError):
        raise _Unfit("is not a $binary: its text is not base64") from None


def _binary(data: bytes, subtype: str) -> Value:
    if not re.fullmatch(r"[0-9a-fA-F]{1,2}", subtype):
        raise _Unfit(f"has the subType {subtype!r}; it takes two hex digits")
    return {"$binary": {"base64": base64.b64encode(data).decode(), "subType": subtype.lower().zfill(2)}}


# ---------------------------------------------------------------- kinds and order


def kind_of(value: Value) -> ValueKind:
    """The kind of a cleaned value."""
    match value:
        case None:
            return ValueKind.NULL
        case bool():
            return ValueKind.BOOLEAN
        case int() | float():
            return ValueKind.NUMBER
        case str():
            return ValueKind.STRING
        case list() | tuple():
            return ValueKind.ARRAY
    return _SPECIAL.get(next(iter(value), ""), ValueKind.OBJECT)


_SPECIAL = {"$oid": ValueKind.OBJECT_ID, "$date": ValueKind.DATE, "$binary": ValueKind.BINARY}


def order_key(value: Value) -> tuple[int, Any]:
    """The key that compares values: keys are equal where MongoDB treats values as equal, and are in its order
    across all kinds.

    Objects compare field by field (kind, name, value), arrays element by element, bytes by length, subtype
    and content.
    """
    kind = type(value)
    if kind is str:
        return (2, value)
    if kind is int or kind is float:
        return (1, value)
    if value is None:
        return (0, 0)
    if kind is bool:
        return (7, value)
    if kind is list:
        return (4, tuple(map(order_key, value)))
    match kind_of(value):
        case ValueKind.OBJECT_ID:
            return (6, value["$oid"])
        case ValueKind.DATE:
            return (8, value["$date"])
        case ValueKind.BINARY:
            data = base64.b64decode(value["$binary"]["base64"])
            return (5, (len(data), int(value["$binary"]["subType"], 16), data))
    return (3, tuple(_field_key(name, item) for name, item in value.items()))


def _field_key(name: str, item: Value) -> tuple[int, str, Any]:
    kind, rest = order_key(item)
    return (kind, name, rest)


def is_signed(path: str) -> bool:
    """True for a path with a sign that stands for no field: an operator or, as in `a.$` and `a.$[]`, a position."""
    return path.startswith("$") or any(step == "$" or step.startswith("$[") for step in path.split("."))


class _Missing(enum.Enum):
    MISSING = enum.auto()


MISSING = _Missing.MISSING
"""The value at a path without a value."""


class Reached(NamedTuple):
    """The end of a path in a document. `numbered` tells that its last step was the number of an element, or that it was the last step
    that could be taken: the rest goes into a scalar.
    """

    value: Any  # or MISSING
    numbered: bool


def at_path(document: Value, path: Sequence[str]) -> list[Any]:
    """The values that `reached` leads to."""
    return [found.value for found in reached(document, path)]


def reached(document: Value, path: Sequence[str]) -> list[Reached]:
    """Every value that a dotted path leads to, as in MongoDB; MISSING for each object that ends before the
    path does.

    An array on the way stands for each of its objects, and for the element that a number names. An array at
    the end is one value. Where an array on the way holds no object, nothing is found, not even MISSING.

    Unlike MongoDB's, a path also leads to a field whose name has dots, where no field inside another has its name.
    """
    values: list[Reached] = []
    _follow(document, path, 0, values, numbered=False)
    return values


def _follow(value: Value, path: Sequence[str], at: int, values: list[Reached], *, numbered: bool) -> None:
    while at < len(path):
        if type(value) is list:
            name = path[at]
            if name.isdigit() and name.isascii() and len(name) < 10 and int(name) < len(value):
                _follow(value[int(name)], path, at + 1, values, numbered=True)
            for item in value:
                if type(item) is dict and kind_of(item) is ValueKind.OBJECT:
                    _follow(item, path, at, values, numbered=False)
            return
        is_object = type(value) is dict and kind_of(value) is ValueKind.OBJECT
        field = field_named(value, path, at) if type(value) is dict else None
        if field is None or (field[:1] == "$" and not is_object):
            values.append(Reached(MISSING, numbered and not is_object))
            return
        value = value[field]
        at += 1 + field.count(".")
        numbered = False
    values.append(Reached(value, numbered))


def field_named(value: Mapping[str, Value], path: Sequence[str], at: int) -> str | None:
    """The field of an object that the next steps of a path name: by one step, or by more where its name has dots."""
    if path[at] in value:
        return path[at]
    longer = (".".join(path[at:end]) for end in range(at + 2, len(path) + 1))
    return next((name for name in longer if name in value), None)


def leaves(value: Value, path: str = "") -> Iterator[tuple[str, Value]]:
    """(dotted path, value) of everything inside a document that is neither object nor array, in order."""
    if type(value) is list:
        for number, item in enumerate(value):
            yield from leaves(item, f"{path}.{number}" if path else str(number))
    elif type(value) is dict and kind_of(value) is ValueKind.OBJECT:
        for name, item in value.items():
            yield from leaves(item, f"{path}.{name}" if path else name)
    else:
        yield path, value
