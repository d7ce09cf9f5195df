"""Records and chunks in the tables of a server."""

from __future__ import annotations

from daypack.index.postgres.database import ServerDatabase
from daypack.index.store import Store


class ServerStore(Store, ServerDatabase):
    """The verbs of a store over the database of a server."""
