"""XML that other programs write, told by its first element."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

# Before it are instructions, comments and a type without a part in brackets, which alone could define entities. Each has
# one end: a text of comments alone takes no steps back.
_FIRST = re.compile(
    r"\A\s*+(?:<\?[^<>]*+(?<=\?)>\s*+|(?><!--[\s\S]{0,2000}?-->)\s*+|<!DOCTYPE [^<>\[]*+>\s*+){0,6}+<([\w:-]+)"
)


def root_of(text: str, *names: str) -> Element | None:
    """The root of XML whose first element has one of these names; None for another text, and for XML that is damaged or may
    define entities, which may be bombs.
    """
    first = _FIRST.match(text)
    if first is None or first[1] not in names:
        return None
    from xml.etree import ElementTree  # 2 ms, only in projects with such files

    try:
        return ElementTree.fromstring(text)  # noqa: S314 - no entities are defined
    except (ElementTree.ParseError, ValueError):
        return None
