"""The entry of the records door."""

from __future__ import annotations

from typing import TYPE_CHECKING

from daypack.engine.doors import Door

if TYPE_CHECKING:
    from daypack.doors.records.door import RecordsDoor
    from daypack.engine.open_store import OpenStore


def _open(opened: OpenStore) -> RecordsDoor:
    from daypack.doors.records.door import RecordsDoor

    return RecordsDoor(opened.engine)


DOOR = Door("records", _open, content="texts that programs add")
