"""Places where roots were last read on this disk: one row of `meta`. A restored or an imported store begins without it."""

from __future__ import annotations

import json
from collections.abc import Mapping

from daypack.index import sql
from daypack.ports import Connection

KEY = "places"


def places_in(db: Connection) -> dict[str, str]:
    """Root → path."""
    found = sql.row(db, lambda row: str(row[0]), "SELECT value FROM meta WHERE key = ?", (KEY,))
    return dict(json.loads(found)) if found else {}


def write_places(db: Connection, places: Mapping[str, str]) -> None:
    if places:
        db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (KEY, json.dumps(places, sort_keys=True)))
    else:
        db.execute("DELETE FROM meta WHERE key = ?", (KEY,))
