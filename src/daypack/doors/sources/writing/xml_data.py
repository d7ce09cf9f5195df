"""XML as structured data, so that its values have paths: `catalog.book[1].title`.

    <book id="7"><title>Tides</title><note>High <b>and</b> low</note></book>
    {"book": {"@id": "7", "title": "Tides", "note": "High and low"}}

Elements of one name are a list. An element with words between its elements is its words.
"""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

DEEPEST = 32


def data_of_xml(text: str) -> dict[str, Any] | None:
    """The data of an XML text; None where it is not well-formed, declares entities or nests too deep."""
    if "<!ENTITY" in text:
        return None
    try:
        root = ElementTree.fromstring(text)  # noqa: S314 (without declared entities there is nothing to expand)
        return {_name(root.tag): _value(root, 1)}
    except (ElementTree.ParseError, ValueError, _TooDeepError):
        return None


class _TooDeepError(Exception):
    """Elements nest deeper than DEEPEST."""


def _name(tag: str) -> str:
    """The name without its namespace."""
    return tag.rpartition("}")[2]


def _value(element: Element, depth: int) -> Any:
    if depth > DEEPEST:
        raise _TooDeepError
    children = [child for child in element if isinstance(child.tag, str)]
    fields: dict[str, Any] = {f"@{_name(name)}": value for name, value in element.attrib.items()}
    words = " ".join(element.text.split()) if element.text else ""
    if words or any(child.tail and child.tail.strip() for child in children):
        words = " ".join("".join(element.itertext()).split())
        return {**fields, "text": words} if fields else words
    of_name: dict[str, list[Any]] = {}
    for child in children:
        of_name.setdefault(_name(child.tag), []).append(_value(child, depth + 1))
    fields |= {name: values[0] if len(values) == 1 else values for name, values in of_name.items()}
    return fields or None
