"""Declarations inside declarations, read by their indentation: blocks of nginx, sets of Nix, objects of Jsonnet.

    http {                     ┐ http: the first entries, with the line that opens the block
      # How long to wait       │
      keepalive_timeout 20s;   ┘ a comment belongs to the entry below it
      server { … }             ─ http.server: an entry that is too large is opened

No bracket is counted: text inside strings has brackets of its own, while authors indent what is inside a block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from daypack.chunk.data import grouped
from daypack.chunk.sizing import PIECE_TOKENS, Draft, Drafts, characters
from daypack.chunk.yaml import LABEL_LIMIT, Head, entries_of

_TAB = 4
_COMMENT = re.compile(r"[ \t]*(?:#|//|/?\*)")
# A line that goes on with the entry above it.
_GOES_ON = re.compile(r"[ \t]*(?:[)\]}>|;,+*]|&&|(?:in|then|else|end)\b(?![ \t]*[=:.]))")
_KEY = re.compile(
    r"[ \t]*(?:local[ \t]+|inherit[ \t]+)?(?P<key>\"[^\"\n]+\"|'[^'\n]+'|\[[^\]\n]+\]|[\w$@][\w$@./~\"'-]*)"
    r"(?:\([^()\n]*\))?[ \t]*(?:\+?:{1,3}|=|\?)(?!=)"
)
_BLOCK = re.compile(r"(?P<head>[^\n{]*)\{[ \t]*(?:#[^\n]*)?\r?\n?\Z")
_WORD = re.compile(r"[ \t]*(?P<word>[\w$@][\w$@./~-]*)")


def cut_nested(text: str) -> Drafts:
    """Entries of the outermost block, large ones opened."""
    return Drafts(nested_regions(text))


def nested_regions(text: str) -> list[Draft]:
    """A draft for each group of neighbouring entries, named after the blocks that lead to it."""
    limit = characters(text, PIECE_TOKENS)
    heads = [*_heads(text)]
    if len(heads) > 1 and not heads[0].key and heads[0].indent == heads[1].indent:
        del heads[0]  # the arguments of a function in Nix, above its set
    if not heads:
        return []
    return [*grouped(text, entries_of(heads, 0, len(text), (), limit, 0), limit, len(text))]


def _heads(text: str) -> Iterator[Head]:
    """The first lines of entries; each begins with the comments above it."""
    lead, position = -1, 0
    for line in text.splitlines(keepends=True):
        column = len(line[: len(line) - len(line.lstrip())].expandtabs(_TAB))
        if _COMMENT.match(line):
            lead = position if lead < 0 else lead
        elif _GOES_ON.match(line):
            lead = -1
        elif line.strip():
            yield Head(position if lead < 0 else lead, column, _label(line), "", is_item=False)
            lead = -1
        position += len(line)


def _label(line: str) -> str:
    """The key of a line, or what it says before its brace, or its first word; "" for a bracket alone."""
    if found := _KEY.match(line):
        return found["key"].strip("\"'[]")[:LABEL_LIMIT]
    if found := _BLOCK.match(line):
        return found["head"].strip()[:LABEL_LIMIT]
    word = _WORD.match(line)
    return word["word"][:LABEL_LIMIT] if word and word["word"] != "let" else ""
