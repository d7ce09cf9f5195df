"""A door as an example: the lines of a text file become notes that are found, cited and checked.

A program registers it before it opens a store, builds a server or runs a command; nothing else is edited.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

from daypack.doors import registry
from daypack.engine.checks import Check, CheckVerdict
from daypack.engine.doors import Door
from daypack.engine.engine import Engine
from daypack.engine.open_store import OpenStore
from daypack.ports import Connection
from daypack.types import IngestReport, Record, RecordKind
from daypack.verbs import Access, Verb

NAME = "notes"


class NotesDoor:
    """Notes, one for each line of a file."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def add(self, file: Path) -> IngestReport:
        lines = enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        return self._engine.ingestion.add(
            Record(f"{file.name}/{number}", line, RecordKind.MEMORY, NAME, f"note:{file.name}/{number}")
            for number, line in lines
            if line.strip()
        )


def note_add(daypack: Any, path: Annotated[str, "A text file with a note on each line."]) -> dict[str, Any]:
    """Keep the lines of a text file as notes."""
    report: IngestReport = daypack.door(NAME).add(Path(path))
    return {"added": report.added}


def check_notes(db: Connection) -> Iterator[Check]:
    blank = db.execute("SELECT count(*) FROM record WHERE door = ? AND trim(text) = ''", (NAME,)).get
    yield Check(NAME, CheckVerdict.DAMAGE if blank else CheckVerdict.OK, f"{blank} notes say nothing")


def open_notes(opened: OpenStore) -> NotesDoor:
    return NotesDoor(opened.engine)


VERBS = (Verb("note_add", NAME, Access.WRITE, note_add, "- an example", {"type": "object"}),)
DOOR = Door(NAME, open_notes, toolset=NAME, verbs=__name__, checks=check_notes)

if __name__ == "__main__":
    registry.register(DOOR)
    from daypack.surfaces.cli.main import main

    main()
