"""The filter language of JSON documents: the part of MongoDB's that a single document can answer.

    {"status": "published", "year": {"$gte": 2020}, "$or": [{"tags": "tea"}, {"author.name": {"$regex": "^An"}}]}

`parse_filter` turns it into a tree of a few node kinds and refuses unknown operators, with the exact token,
its path and a suggestion. `predicate` evaluates a tree for a document, `sql` answers the parts that indexes
cover.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from daypack.doors.documents.model.values import TYPED, check_characters, cleaned, is_signed
from daypack.errors import BadDocument, FilterError
from daypack.shapes.strict_json import canonical

DEEPEST = 16
MOST_NODES = 256
LONGEST_PATTERN = 256

LOGICAL = ("$and", "$or", "$nor")
OPERATORS = (
    "$eq", "$ne", "$gt", "$gte", "$lt", "$lte", "$in", "$nin", "$exists", "$type", "$not", "$regex", "$options", "$mod", "$all", "$size", "$elemMatch",
)  # fmt: skip
TYPES = ("double", "string", "object", "array", "binData", "objectId", "bool", "date", "null", "long", "number")  # fmt: skip


class Comparison(enum.StrEnum):
    EQ = "$eq"
    GT = "$gt"
    GTE = "$gte"
    LT = "$lt"
    LTE = "$lte"


@dataclass(frozen=True, slots=True)
class Compare:
    """Some value at the path, or an element of an array there, is of the operand's kind and compares so."""

    path: str
    comparison: Comparison
    value: str  # canonical JSON, so that a node is a value itself


@dataclass(frozen=True, slots=True)
class In:
    """Some value at the path, or an element of an array there, equals one of these."""

    path: str
    values: tuple[str, ...]  # canonical JSON


@dataclass(frozen=True, slots=True)
class Exists:
    """The path has a value."""

    path: str


@dataclass(frozen=True, slots=True)
class HasType:
    """Some value at the path, or an element of an array there, is of one of these types."""

    path: str
    types: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Regex:
    """Some string at the path, or in an array there, holds a match."""

    path: str
    pattern: str
    options: str


@dataclass(frozen=True, slots=True)
class Mod:
    """Some number at the path, or in an array there, cut to an integer leaves this remainder."""

    path: str
    divisor: int
    remainder: int


@dataclass(frozen=True, slots=True)
class Size:
    """Some value at the path is an array of so many elements."""

    path: str
    count: int


@dataclass(frozen=True, slots=True)
class ElemMatch:
    """One element of an array fulfils the part: as a document, or with `by_value` as the value at ""."""

    path: str
    part: Node
    by_value: bool


@dataclass(frozen=True, slots=True)
class And:
    """A condition that holds where all its parts hold; without parts, always."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Or:
    """Some part holds; without parts, never."""

    parts: tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Negated:
    """The part does not hold."""

    part: Node


Node: TypeAlias = Compare | In | Exists | HasType | Regex | Mod | Size | ElemMatch | And | Or | Negated


# ---------------------------------------------------------------- parsing


def parse_filter(data: Any, *, fields: Sequence[str] = ()) -> Node:
    """The tree of a filter.

    With `fields`, every path must begin with one. Raises FilterError with the path of the faulty token.
    """
    return _Parser(tuple(fields)).query(data, "", 0)


class _Parser:
    def __init__(self, fields: Sequence[str]) -> None:
        self._fields = fields
        self._nodes = 0

    def _count(self, where: str, depth: int) -> None:
        self._nodes += 1
        if depth > DEEPEST:
            raise FilterError(where, f"nested deeper than {DEEPEST} levels")
        if self._nodes > MOST_NODES:
            raise FilterError(where, f"more than {MOST_NODES} conditions")

    def query(self, data: Any, where: str, depth: int) -> Node:
        """An object of fields and logical operators."""
        self._count(where, depth)
        if not isinstance(data, Mapping):
            raise FilterError(where, f'must be an object such as {{"status": "open"}}, not {_shown(data)}')
        parts = []
        for name, condition in data.items():
            here = f"{where}.{name}" if where else str(name)
            if str(name).startswith("$"):
                parts.append(self._logical(name, condition, here, depth))
            else:
                self._check_path(name, here)
                parts.append(self.condition(name, condition, here, depth + 1))
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _logical(self, name: str, condition: Any, here: str, depth: int) -> Node:
        if name not in LOGICAL:
            if name in OPERATORS:
                raise FilterError(here, f'{name} belongs under a field: {{"FIELD": {{"{name}": …}}}}')
            raise FilterError(
                here, f"unknown operator {name!r}" + perhaps(name, LOGICAL, "; outside a field there are")
            )
        if not isinstance(condition, (list, tuple)) or not condition:
            raise FilterError(here, "takes an array of at least one filter")
        parts = tuple(
            self.query(part, f"{here}[{number}]", depth + 1) for number, part in enumerate(condition)
        )
        match name:
            case "$and":
                return And(parts)
            case "$or":
                return Or(parts)
        return Negated(Or(parts))

    def _check_path(self, name: Any, here: str) -> None:
        if not isinstance(name, str) or "\0" in name:
            raise FilterError(here, "a field is a string without NUL")
        check_characters(name, here, FilterError)
        steps = name.split(".")
        if "" in steps and len(steps) > 1:
            raise FilterError(here, "a dotted path has no empty step")
        if is_signed(name):
            raise FilterError(here, "$ stands for no position in a filter; an array stands for each element")
        if self._fields and steps[0] not in self._fields:
            raise FilterError(
                here, f"no field {steps[0]!r}" + perhaps(steps[0], self._fields, "; fields are")
            )

    def condition(self, path: str, condition: Any, here: str, depth: int) -> Node:
        """The condition on one field: a value that it equals, or an object of operators."""
        self._count(here, depth)
        if not has_operators(condition, here):
            return Compare(path, Comparison.EQ, self._value(condition, here))
        parts = []
        for name, operand in condition.items():
            there = f"{here}.{name}"
            if name == "$options":
                if "$regex" not in condition:
                    raise FilterError(there, "belongs beside $regex only")
                continue
            parts.append(self._operator(path, name, operand, there, depth, condition))
        return parts[0] if len(parts) == 1 else And(tuple(parts))

    def _operator(
        self, path: str, name: str, operand: Any, here: str, depth: int, beside: Mapping[str, Any]
    ) -> Node:
        match name:
            case "$eq" | "$gt" | "$gte" | "$lt" | "$lte":
                return Compare(path, Comparison(name), self._value(operand, here))
            case "$ne":
                return Negated(Compare(path, Comparison.EQ, self._value(operand, here)))
            case "$in":
                return In(path, self._values(operand, here))
            case "$nin":
                return Negated(In(path, self._values(operand, here)))
            case "$exists":
                if type(operand) is not bool and operand not in (0, 1):
                    raise FilterError(here, f"takes true or false, not {_shown(operand)}")
                return Exists(path) if operand else Negated(Exists(path))
            case "$type":
                return HasType(path, _types(operand, here))
            case "$not":
                if not isinstance(operand, Mapping) or not operand or not has_operators(operand, here):
                    raise FilterError(here, 'takes an object of operators, as {"$gt": 5}')
                return Negated(self.condition(path, operand, here, depth + 1))
            case "$regex":
                return Regex(path, *_pattern(operand, beside.get("$options", ""), here))
            case "$mod":
                return Mod(path, *_divisor(operand, here))
            case "$all":
                return self._all(path, operand, here, depth)
            case "$size":
                if type(operand) is float and operand.is_integer():
                    operand = int(operand)
                if type(operand) is not int or operand < 0:
                    raise FilterError(here, f"takes a whole number from 0 on, not {_shown(operand)}")
                return Size(path, operand)
            case "$elemMatch":
                return self._elem_match(path, operand, here, depth)
        raise FilterError(here, f"unknown operator {name!r}" + perhaps(name, OPERATORS, "; operators are"))

    def _all(self, path: str, operand: Any, here: str, depth: int) -> Node:
        if not isinstance(operand, (list, tuple)):
            raise FilterError(here, f"takes an array, not {_shown(operand)}")
        if not operand:
            return Or(())
        parts: list[Node] = []
        for number, item in enumerate(operand):
            there = f"{here}[{number}]"
            if isinstance(item, Mapping) and "$elemMatch" in item:
                if len(item) > 1:
                    raise FilterError(there, "$elemMatch must be alone in an element of $all")
                parts.append(self._elem_match(path, item["$elemMatch"], f"{there}.$elemMatch", depth))
            else:
                parts.append(Compare(path, Comparison.EQ, self._value(item, there)))
        return And(tuple(parts))

    def _elem_match(self, path: str, operand: Any, here: str, depth: int) -> Node:
        if not isinstance(operand, Mapping):
            raise FilterError(here, f"takes an object, not {_shown(operand)}")
        names = [str(name) for name in operand]
        by_value = bool(names) and names[0].startswith("$") and names[0] not in LOGICAL
        fields, self._fields = self._fields, ()  # elements have fields of their own
        try:
            part = (
                self.condition("", operand, here, depth + 1)
                if by_value
                else self.query(operand, here, depth + 1)
            )
            return ElemMatch(path, part, by_value)
        finally:
            self._fields = fields

    def _value(self, operand: Any, here: str) -> str:
        if isinstance(operand, Mapping) and "$regex" in operand:
            raise FilterError(here, "$regex belongs directly under a field")
        try:
            value = canonical(cleaned(operand))
        except BadDocument as error:
            raise FilterError(f"{here}.{error.path}" if error.path else here, error.problem) from None
        if (
            isinstance(operand, Mapping)
            and (name := next(iter(operand), ""))[:1] == "$"
            and name not in TYPED
        ):
            near = perhaps(name, TYPED, "; a value is one of")
            raise FilterError(here, f"has the field {name!r}{near}")
        check_characters(value, here, FilterError)
        return value

    def _values(self, operand: Any, here: str) -> tuple[str, ...]:
        if not isinstance(operand, (list, tuple)):
            raise FilterError(here, f"takes an array, not {_shown(operand)}")
        return tuple(self._value(item, f"{here}[{number}]") for number, item in enumerate(operand))


def has_operators(condition: Any, here: str) -> bool:
    """True for an object of operators, False for a value to equal. Both at once is refused."""
    if not isinstance(condition, Mapping) or not condition:
        return False
    names = [str(name) for name in condition]
    operators = [name for name in names if name.startswith("$")]
    if not operators or names[0] in TYPED:
        return False
    if len(operators) < len(names):
        plain = next(name for name in names if not name.startswith("$"))
        raise FilterError(
            f"{here}.{plain}", f"a field beside the operator {operators[0]}; put one of the two into $and"
        )
    return True


def _types(operand: Any, here: str) -> tuple[str, ...]:
    names = operand if isinstance(operand, (list, tuple)) else [operand]
    if not names:
        raise FilterError(here, "takes the name of a type, or an array of them")
    for name in names:
        if name == "int":
            raise FilterError(
                here, "'int' would never match: integers are 'long'; write long, double or number"
            )
        if not isinstance(name, str) or name not in TYPES:
            near = (
                perhaps(name, TYPES, "; types are")
                if isinstance(name, str)
                else f"; types are {', '.join(TYPES)}"
            )
            raise FilterError(here, f"unknown type {_shown(name)}{near}")
    return tuple(dict.fromkeys(names))


def _pattern(pattern: Any, options: Any, here: str) -> tuple[str, str]:
    if not isinstance(pattern, str):
        raise FilterError(here, f"takes a string, not {_shown(pattern)}")
    if not isinstance(options, str) or set(options) - set("imsx"):
        raise FilterError(
            here.removesuffix("$regex") + "$options", f"takes letters of 'ims', not {_shown(options)}"
        )
    if "x" in options:
        raise FilterError(
            here.removesuffix("$regex") + "$options",
            "x (blanks and comments in the pattern) is not supported; write it without",
        )
    if len(pattern) > LONGEST_PATTERN:
        raise FilterError(
            here, f"the pattern has {len(pattern):,} characters; at most {LONGEST_PATTERN} are allowed"
        )
    check_characters(pattern, here, FilterError)
    options = "".join(sorted(set(options)))
    from daypack.doors.documents.filters.regex import compiled

    problem = compiled(pattern, options)
    if isinstance(problem, str):
        raise FilterError(here, problem)
    return pattern, options


def _divisor(operand: Any, here: str) -> tuple[int, int]:
    if (
        not isinstance(operand, (list, tuple))
        or len(operand) != 2
        or not all(type(item) in (int, float) for item in operand)
    ):
        raise FilterError(here, "takes [divisor, remainder]")
    divisor, remainder = (int(item) if abs(item) < 1 << 63 else 0 for item in operand)
    if not divisor:
        raise FilterError(here, "the divisor is a whole number of 64 bits other than 0")
    return divisor, remainder


def _shown(value: Any) -> str:
    try:
        text = canonical(cleaned(value))
    except BadDocument:
        text = repr(value)
    return text if len(text) <= 40 else f"{text[:39]}…"


def near(word: str, known: Sequence[str]) -> str | None:
    """The nearest of the known words within two edits, and fewer than half of the word's letters; or None."""
    from rapidfuzz.distance import OSA

    scored = [(OSA.distance(word, other, score_cutoff=2), other) for other in known]
    best = min(scored, default=(3, ""), key=lambda item: item[0])
    return best[1] if best[0] <= 2 and 2 * best[0] < len(word.lstrip("$")) else None


def perhaps(word: str, known: Sequence[str], otherwise: str) -> str:
    """The end of a message about an unknown word: the nearest of the known ones, else all."""
    likely = near(word, known)
    return f"; did you mean {likely!r}?" if likely else f"{otherwise} {', '.join(known)}"
