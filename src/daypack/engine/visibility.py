"""Visibility: the records that exist for one viewer. Hidden records show in no answer, statistic or count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from daypack.engine.doors import Asked, Door, Happened
from daypack.ports import Condition, Connection, Viewer


class Visibility(NamedTuple):
    """The conditions of all doors for one viewer."""

    viewer: Viewer
    doors: tuple[Door, ...]

    def hidden_ids(self, db: Connection) -> list[int]:
        """Ids of the records that the viewer may not see."""
        return [
            row[0]
            for where, parameters in self._hiding(db)
            for row in db.execute(f"SELECT id FROM record WHERE {where}", parameters)
        ]

    def visible(self, db: Connection) -> tuple[str, list[Any]]:
        """The condition over the table `record` that visible records meet, and its parameters."""
        hiding = self._hiding(db)
        where = " AND ".join(f"NOT ({condition})" for condition, _ in hiding) or "TRUE"
        return where, [parameter for _, parameters in hiding for parameter in parameters]

    def happened(self, db: Connection, record_ids: Sequence[int]) -> dict[int, Happened]:
        """Record id → facts of the events among some records, as the doors say: see `Door.happened`."""
        found: dict[int, Happened] = {}
        for door in self.doors:
            if door.happened is not None:
                found |= door.happened(db, record_ids)
        return found

    def left_off(self, db: Connection, scope: str, session: str) -> list[int]:
        """Ids of the records with the last words and the open work of a session, as the doors say: see `Door.left_off`."""
        return [
            record_id
            for door in self.doors
            if door.left_off is not None
            for record_id in door.left_off(db, scope, session)
        ]

    def asides(self, db: Connection, asked: Asked) -> list[int]:
        """Ids of the records that do not answer a query, as the doors say: see `Door.asides`."""
        return [
            record_id
            for door in self.doors
            if door.asides is not None
            for record_id in door.asides(db, asked)
        ]

    def sessions_that_ask(self, db: Connection, now: float) -> set[tuple[str, str]]:
        """(scope, name) of the sessions that ask at a time, as the doors say: see `Door.sessions_that_ask`."""
        return {
            session
            for door in self.doors
            if door.sessions_that_ask is not None
            for session in door.sessions_that_ask(db, now)
        }

    def open_work(self, db: Connection) -> list[int]:
        """Ids of the records that say what is still to be done, as the doors say."""
        return [
            record_id for door in self.doors if door.open_work is not None for record_id in door.open_work(db)
        ]

    def _hiding(self, db: Connection) -> list[Condition]:
        conditions = (door.hides(db, self.viewer) for door in self.doors if door.hides is not None)
        return [condition for condition in conditions if condition is not None]
