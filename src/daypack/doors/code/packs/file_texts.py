"""Lines and import statements of the files that packs show."""

from __future__ import annotations

import re
from typing import NamedTuple

from daypack.doors.code.graph.facts import FileFacts
from daypack.index.store import Store
from daypack.ports import FILES

KEPT_CHARACTERS = 8_000_000  # of file texts in memory
MOST_IMPORTS = 10
_WORD = re.compile(r"[\w$]+")


class Imports(NamedTuple):
    """The import statements of a file, and for each name the statement that binds it."""

    statements: tuple[str, ...]
    binding: dict[str, list[int]]

    def needed(self, text: str) -> tuple[str, ...]:
        """The statements whose names occur in a text, in order; at most as many as an item shows."""
        # Each name is searched in the text, because splitting the text into words takes fifty times as long.
        found = {n for name, numbers in self.binding.items() if _says(text, name) for n in numbers}
        return tuple([self.statements[n] for n in sorted(found)[:MOST_IMPORTS]])


NO_IMPORTS = Imports((), {})


def _says(text: str, name: str) -> bool:
    """True when a text contains a name as a whole word."""
    at = text.find(name)
    while at >= 0:
        end = at + len(name)
        if not _WORD.match(text, end) and not (at and _WORD.match(text[at - 1])):
            return True
        at = text.find(name, at + 1)
    return False


def imports_of(facts: FileFacts) -> Imports:
    """The import statements of a file with the names that they bind."""
    binding: dict[str, list[int]] = {}
    for entry in facts.imports:
        if entry.item != "*":
            name = (
                entry.name
                or re.split(r"[./\\:]+", entry.module.strip("./"))[0 if facts.language == "python" else -1]
            )
            if _WORD.fullmatch(name):
                binding.setdefault(name, []).append(entry.statement)
    return Imports(tuple([statement.text for statement in facts.statements]), binding)


class FileTexts:
    """The lines and imports of the files that packs show, in one state of a store. They are kept for later questions."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lines: dict[int, list[str]] = {}
        self._kept = 0  # characters
        self._records: dict[str, int | None] = {}
        self._imports: dict[str, Imports] = {}

    def record(self, uri: str) -> int | None:
        if uri not in self._records:
            stored = self._store.stored_record(FILES, "", uri)
            self._records[uri] = stored.id if stored is not None else None
        return self._records[uri]

    def lines(self, record_id: int) -> list[str]:
        if record_id not in self._lines:
            text = self._store.record_text(record_id)
            if self._kept > KEPT_CHARACTERS:
                self._lines.clear()
                self._kept = 0
            self._kept += len(text)
            self._lines[record_id] = text.split("\n")
        return self._lines[record_id]

    def imports(self, uri: str, facts: FileFacts) -> Imports:
        if uri not in self._imports:
            self._imports[uri] = imports_of(facts)
        return self._imports[uri]
