"""Sessions on a server: the limits under which one is opened, and how many of them a process keeps.

One thread uses one session: a read is one transaction, and to wait for another thread's session gains nothing.
A server has many projects, most of them idle, so a process keeps KEPT sessions: the one that rests longest is closed, and
opened again by the next call that needs it.
"""

from __future__ import annotations

import os
import re
import threading
import weakref
from collections import OrderedDict
from typing import TYPE_CHECKING, Any, Protocol

import psycopg
from psycopg.conninfo import conninfo_to_dict

from daypack.errors import StoreError

if TYPE_CHECKING:
    from daypack.types.servers import ServerAddress

KEPT = 32  # of the hundred that a server allows by default
_UNKNOWN = re.compile(r'URI query parameter: "([a-z_]{1,40})"')
OLDEST_SERVER = 150_000  # PostgreSQL 15: an older one cannot inline functions that a schema names
# For what the URL does not say. A server that lost its power is noticed after 30 seconds, not after hours.
_CLIENT = {"connect_timeout": "10", "tcp_user_timeout": "30000", "application_name": "daypack"}
# In milliseconds and seconds, for what neither the server, the user nor the URL sets. A client that stands still inside a write,
# or whose machine is gone, would keep the lock of writers.
_LIMITS = {
    "statement_timeout": 120_000,
    "idle_in_transaction_session_timeout": 300_000,
    "tcp_keepalives_idle": 30,
    "tcp_keepalives_interval": 10,
    "tcp_keepalives_count": 3,
}
_BEGUN = f"""
    SELECT set_config('search_path', quote_ident(%s), false), set_config('jit', 'off', false),
           (SELECT count(set_config(name, value, false)) FROM pg_settings
            JOIN (VALUES {", ".join(f"('{name}', '{value}')" for name, value in _LIMITS.items())}) AS ours(own, value) ON own = name
            WHERE source = 'default'),
           current_setting('server_encoding')"""


def opened(address: ServerAddress, schema: str) -> psycopg.Connection[Any]:
    """A new session, whose tables are those of a schema. Raises StoreError, psycopg.OperationalError."""
    try:
        asked: dict[str, Any] = {**_CLIENT, **conninfo_to_dict(address.conninfo)}
        raw = psycopg.connect(**asked, autocommit=True, client_encoding="utf8", prepare_threshold=3)
    except psycopg.ProgrammingError as error:  # its message quotes the URL
        unknown = _UNKNOWN.search(str(error))
        # Behind an @ a word may be a piece of a password.
        plain = unknown is not None and "@" not in address.conninfo.partition("?")[2]
        why = f"has an unknown option {unknown[1]}" if unknown and plain else "cannot be read"
        raise StoreError(
            f"the URL of the store {address.name} {why}; write postgresql://USER@HOST:PORT/DATABASE"
        ) from None
    try:
        if raw.info.server_version < OLDEST_SERVER:
            raise StoreError(f"the server of {address.name} is older than PostgreSQL 15; upgrade it")
        found = raw.execute(_BEGUN, [schema]).fetchone()
        assert found is not None
        if found[3] != "UTF8":
            raise StoreError(f"the database of {address.name} is not in UTF8; make one that is")
    except BaseException:
        raw.close()
        raise
    return raw


class Resting(Protocol):
    """A user of a session, which closes it when nothing is under way."""

    def rest(self) -> bool:
        """Close the session, and tell whether it was: False while it is in use."""


class Kept:
    """The users of the sessions of this process, the one that rests longest first."""

    def __init__(self, most: int = KEPT) -> None:
        self.most = most
        self._lock = threading.Lock()
        self._begin()

    def _begin(self) -> None:
        self._users: OrderedDict[int, weakref.ref[Resting]] = OrderedDict()
        self._pid = os.getpid()

    def use(self, user: Resting) -> None:
        """Note that a session is in use, and close those of others that are too many; one that is in use stays."""
        with self._lock:
            if self._pid != os.getpid():  # the sessions are those of the parent
                self._begin()
            self._users[id(user)] = weakref.ref(user)
            self._users.move_to_end(id(user))
            for number, found in [*self._users.items()][: -self.most]:
                one = found()
                if one is None or one.rest():
                    del self._users[number]

    def forget(self, user: Resting) -> None:
        """Note that a user has closed its session itself."""
        with self._lock:
            self._users.pop(id(user), None)
