"""YAML: groups of neighbouring entries of one document, named after the keys that lead to them.

    kind: Deployment             a manifest is known by its kind and name:   Deployment cart.spec.containers.redis
    metadata: {name: cart}       an item of a list by its `name` or `id`, else by the value of its first line
    spec:
      containers:
        # keeps the baskets      a comment belongs to the key below it
      - name: redis
        command: |
          port: 6379             the text of a block scalar has no keys

The cutter looks at lines alone, so a template of a manifest is cut as the manifest is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from daypack.chunk.data import DEPTH_LIMIT, Entry, grouped
from daypack.chunk.imports import NOTICE_CHARACTERS, notice_end
from daypack.chunk.sizing import PIECE_TOKENS, Draft, Drafts, characters, split_runs
from daypack.types import PieceKind

LABEL_LIMIT = 80
_NAMES = ("name", "id")
_LINE = re.compile(
    r"(?P<indent>[ ]*)(?P<dash>-(?=[ \t\r\n]|\Z)[ \t]*)?"
    r"(?:(?P<key>\"[^\"\n]{1,80}\"|'[^'\n]{1,80}'|[^\s#\-:,\[\]{}&*!|>'\"%@`][^\n:#]{0,80}?|<<)[ ]*:(?=[ \t\r\n]|\Z))?"
    r"[ \t]*(?P<value>[^\r\n]*)"
)
# A line that explains or guards the key below it: a comment, the beginning of a condition of a template.
_LEAD = re.compile(r"[ ]*(?:#|\{\{-?[ ]*(?:if|range|with|define|/\*))")
_BLOCK = re.compile(r"(?:[&!]\S+[ ]+)*[|>][-+0-9]{0,2}[ \t]*(?:#.*)?")
_SCALAR = re.compile(r"\"([^\"]*)\"|'([^']*)'|([^&*!|>{\[#\"'%@`,].*?)(?=[ ]+#|[ ]*$)")


class Head(NamedTuple):
    """The first line of an entry. `start` is before its lead; half a step of `indent` keeps an item of a list below a key
    with the same indentation.
    """

    start: int
    indent: int
    key: str
    value: str
    is_item: bool


def cut_yaml(text: str) -> Drafts:
    """Keys of the top level, large ones opened by indentation; a piece never spans two documents."""
    limit = characters(text, PIECE_TOKENS)
    documents = [document for document in _documents(text) if document]
    if not documents:
        return Drafts(
            Draft(start, end, PieceKind.ROW) for start, end in split_runs(text, 0, len(text), limit)
        )
    return Drafts(_drafts(text, documents, limit))


def _drafts(text: str, documents: list[list[Head]], limit: int) -> Iterator[Draft]:
    start = section = 0
    notice = notice_end(text)
    if NOTICE_CHARACTERS <= notice < len(text):  # answers do not need it
        yield Draft(0, notice, PieceKind.FRONT_MATTER)
        start = notice
    for number, heads in enumerate(documents):
        end = documents[number + 1][0].start if number + 1 < len(documents) else len(text)
        entries = entries_of(heads, start, end, _identity(heads), limit, 0)
        is_list = min(heads, key=lambda head: head.indent).is_item if heads else False
        for draft in grouped(text, entries, limit, end, is_list=is_list):
            yield draft._replace(section=section + draft.section)
        start, section = end, section + len(entries)


def _documents(text: str) -> Iterator[list[Head]]:
    """The heads of each document; the first head of a document begins at its separator."""
    heads: list[Head] = []
    begin = -1  # of a document whose first head has not come
    lead, lead_indent = -1, -1  # of the lines directly above
    for start, end, line in _lines(text):
        column = len(line["indent"])
        if text.startswith("---", start) and not line["key"]:
            yield heads
            heads, begin, lead = [], start, -1
        elif not text[start:end].strip():
            lead = -1
        elif _LEAD.match(text, start, end):
            if lead < 0 or column != lead_indent:
                lead, lead_indent = start, column
        else:
            if line["key"] or line["dash"]:
                first = lead if lead >= 0 and lead_indent == column else start
                if not heads and begin >= 0:
                    first, begin = begin, -1
                heads.append(_head(line, first))
            lead = -1
    yield heads


def _lines(text: str) -> Iterator[tuple[int, int, re.Match[str]]]:
    """The lines outside of block scalars: their places, and their parts."""
    scalar = -1  # the column that the text of a block scalar is beyond
    end = 0
    while end < len(text):
        start, newline = end, text.find("\n", end)
        end = len(text) if newline < 0 else newline + 1
        match = _LINE.match(text, start, end)
        if match is None:  # never: every part of the pattern may be empty
            continue
        column = len(match["indent"])
        if scalar >= 0 and (column > scalar or not text[start:end].strip()):
            continue
        yield start, end, match
        scalar = -1
        if (match["key"] or match["dash"]) and _BLOCK.fullmatch(match["value"]):
            scalar = column + len(match["dash"] or "") if match["key"] else column


def _head(match: re.Match[str], start: int) -> Head:
    scalar = _SCALAR.match(match["value"])
    value = next((group for group in scalar.groups() if group), "") if scalar else ""
    return Head(
        start,
        2 * len(match["indent"]) + (1 if match["dash"] else 0),
        (match["key"] or "").strip(" \"'"),
        value[:LABEL_LIMIT],
        bool(match["dash"]),
    )


def _identity(heads: list[Head]) -> tuple[str, ...]:
    """`("Deployment cart",)` for a manifest that says its kind and its name, `("Deployment",)` where a template computes the
    name, () for other documents.
    """
    kind = name = ""
    inside = is_manifest = False
    for head in heads:
        if head.indent == 0:
            inside = head.key == "metadata"
            is_manifest = is_manifest or inside
            kind = head.value if head.key == "kind" else kind
        elif inside and head.key == "name" and not name:
            name = head.value
    return (f"{kind} {name}".strip(),) if kind and is_manifest else ()


def entries_of(
    heads: list[Head], start: int, end: int, path: tuple[str, ...], limit: int, depth: int
) -> list[Entry]:
    """The entries with the smallest indentation; large ones are opened down to DEPTH_LIMIT levels."""
    if not heads:
        return []
    least = min(head.indent for head in heads)
    outer = [index for index, head in enumerate(heads) if head.indent == least]
    entries: list[Entry] = []
    for order, index in enumerate(outer):
        following = outer[order + 1] if order + 1 < len(outer) else len(heads)
        first = start if order == 0 else heads[index].start
        stop = heads[following].start if following < len(heads) else end
        inner = heads[index + 1 : following]
        label = _item_label(heads[index], inner) if heads[index].is_item else heads[index].key
        own = (*path, label) if label else path
        opened = stop - first > limit and depth < DEPTH_LIMIT
        entries.append(
            Entry(first, own, entries_of(inner, 0, stop, own, limit, depth + 1) if opened and inner else [])
        )
    return entries


def _item_label(head: Head, inner: list[Head]) -> str:
    """The value of `name` or `id` of an item, else the value of its first line."""
    if head.key in _NAMES and head.value:
        return head.value
    least = min((inner_head.indent for inner_head in inner), default=0)
    for name in _NAMES:
        for inner_head in inner:
            if inner_head.indent == least and inner_head.key == name and inner_head.value:
                return inner_head.value
    return head.value
