"""Outlines as nested lists of Markdown: what Roam and Logseq export as JSON, and OPML, which Workflowy, Dynalist and readers of
feeds write.

    ## Heron

    Status:: *watched*
    - nests in the mill
      - since spring
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from daypack.doors.reading.notes.exported import Notes
from daypack.doors.reading.pages.xml_texts import root_of
from daypack.shapes.loose_json import object_of, objects_of, parsed, text_of

if TYPE_CHECKING:
    from xml.etree.ElementTree import Element

_HEAD = 8_000  # characters, in which the first block of an export begins
_DEEPEST = 12  # levels that are indented; a list has hardly more
_QUOTED = 300  # characters of a block that are shown where another refers to it
_MOST_REFERENCES = 10_000  # of a graph; in one of a person are fewer. guess
_REFERENCE = re.compile(r"\(\(([\w-]{6,40})\)\)")
_ALIAS = re.compile(r"\[([^\[\]\n]{1,200})\]\(\(\([\w-]{6,40}\)\)\)")  # a reference with words of its own
_TASK = re.compile(r"\{\{(?:\[\[)?(TODO|DONE)(?:\]\])?\}\}\s?|\A(TODO|LATER|NOW|DOING|DONE)\s")
_DONE = "DONE"

_Item = tuple[int, str]
"""The level of an entry, from 0, and its text."""


def render_graph(text: str) -> Notes | None:
    """The pages of a graph of Roam or Logseq as Markdown; None for other JSON."""
    if '"children"' not in text[:_HEAD] or not any(
        key in text[:_HEAD] for key in ('"string"', '"page-name"')
    ):
        return None  # most files of JSON, which need not be parsed
    data = parsed(text, None)
    pages = objects_of(data if isinstance(data, list) else object_of(data).get("blocks"))
    known = dict[str, str]()
    if text.count("((") <= _MOST_REFERENCES:
        known = {text_of(block.get(key)): _said(block) for block in _blocks(pages) for key in ("uid", "id")}
    parts = list[str]()
    for page in pages:
        title = " ".join((text_of(page.get("title")) or text_of(page.get("page-name"))).split())
        children = objects_of(page.get("children"))
        if not title or not all("string" in child or "content" in child for child in children):
            return None
        lines = _lines(_items(children), known)
        parts += [f"## {title}", "\n".join(lines)]
    has_blocks = any(parts[1::2])  # other lists of titles and children hold none
    return Notes("\n\n".join(filter(None, parts)) + "\n", "") if has_blocks else None


def render_opml(text: str) -> Notes | None:
    """An outline of OPML as Markdown; None for other XML, and for one that is damaged or defines entities."""
    root = root_of(text, "opml")
    if root is None:
        return None
    title = " ".join((root.findtext("head/title") or "").split())
    body = root.find("body")
    lines = [*_lines(_entries(body), {})] if body is not None else []
    head = [f"# {title}", ""] if title else []
    return Notes("\n".join([*head, *lines]) + "\n", title) if lines else None


def _said(block: Mapping[str, Any]) -> str:
    return text_of(block.get("string")) or text_of(block.get("content"))


def _blocks(pages: Iterable[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    waiting = [*pages]
    while waiting:
        yield (block := waiting.pop())
        waiting += objects_of(block.get("children"))


def _items(blocks: list[Mapping[str, Any]]) -> Iterator[_Item]:
    waiting = [(0, block) for block in reversed(blocks)]
    while waiting:
        level, block = waiting.pop()
        yield level, _said(block)
        waiting += [(level + 1, child) for child in reversed(objects_of(block.get("children")))]


def _entries(body: Element) -> Iterator[_Item]:
    waiting = [(0, entry) for entry in reversed(body.findall("outline"))]
    while waiting:
        level, entry = waiting.pop()
        said = entry.get("text") or entry.get("title") or ""
        address = entry.get("xmlUrl") or entry.get("htmlUrl") or entry.get("url") or ""
        if entry.get("_complete") == "true":
            said = f"[x] {said}"
        yield (
            level,
            "\n".join(filter(None, (f"{said}: <{address}>" if address else said, entry.get("_note")))),
        )
        waiting += [(level + 1, child) for child in reversed(entry.findall("outline"))]


def _lines(items: Iterable[_Item], known: Mapping[str, str]) -> Iterator[str]:
    for level, said in items:
        said = _TASK.sub(lambda found: "[x] " if _DONE in (found[1], found[2]) else "[ ] ", said.strip())
        said = _ALIAS.sub(r"\1", said)
        said = _REFERENCE.sub(lambda found: known.get(found[1], found[0])[:_QUOTED], said)
        indent = "  " * min(level, _DEEPEST)
        first, *others = said.split("\n")
        if said:
            yield f"{indent}- {first}"
            yield from (f"{indent}  {line}".rstrip() for line in others)
