"""A filter on documents as a condition in SQL: what indexes answer, and, for the rest, the predicate as a
function of SQL.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from daypack.doors.documents.filters.bounds import Bounds, Index, bounds, equality
from daypack.doors.documents.filters.language import Node, parse_filter
from daypack.doors.documents.filters.predicate import Predicate, predicate
from daypack.doors.documents.model.values import canonical, cleaned
from daypack.doors.documents.table import FieldIndex


def where_of(
    node: Node, data: Mapping[str, Any], indexes: Sequence[FieldIndex]
) -> tuple[str, tuple[Any, ...], Bounds | None]:
    """(condition on `document AS d`, parameters, what indexes say of it)."""
    found = bounds(node, _by_path(indexes))
    if found is not None and found.exact:
        return found.condition, found.parameters, found
    test = "document_matches(?, d.body)"
    text = canonical(plain(data))
    if found is None:
        return test, (text,), None
    return f"{found.condition} AND {test}", (*found.parameters, text), found


def led_by(
    node: Node, data: Mapping[str, Any], indexes: Sequence[FieldIndex]
) -> tuple[tuple[int, int, Any] | None, str, tuple[Any, ...]]:
    """(the equality whose entries lead to the documents, condition beside it, parameters); without any, what
    `where_of` says.
    """
    found = equality(node, _by_path(indexes))
    if found is None:
        where, parameters, _ = where_of(node, data, indexes)
        return None, where, parameters
    where, parameters, _ = where_of(found[1], data, indexes)
    return found[0], where, parameters


def _by_path(indexes: Sequence[FieldIndex]) -> dict[str, Index]:
    return {index.path: Index(index.id, index.multi) for index in indexes}


def plain(value: Any) -> Any:
    """A filter or update as JSON can write it: operands of the SDK may be dates and bytes."""
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return cleaned(value)


@lru_cache(maxsize=64)
def _test(text: str) -> Predicate:
    return predicate(parse_filter(json.loads(text)))


def document_matches(text: str, body: str) -> bool:
    """SQL's `document_matches(filter, body)`."""
    return _test(text)(json.loads(body))
