"""The address of a store on a server: a URL of PostgreSQL, whose password no message shows."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field, replace
from pathlib import Path

from daypack.errors import InputError, StoreBusy, StoreError, StoreReadOnly

SCHEMES = ("postgresql://", "postgres://")
SCHEMA = "daypack"
_NAME = re.compile(r"[a-z_][a-z0-9._-]{0,62}")


def is_server(store: object) -> bool:
    """True for the URL of a server."""
    return isinstance(store, str) and store.startswith(SCHEMES)


@dataclass(frozen=True, slots=True)
class ServerAddress:
    """A store on a server, and the folder on this machine for the files beside it: events that wait, profiles, runs.

    The URL is libpq's, with one option more: `schema` names the tables' schema, by default "daypack".
    """

    url: str = field(repr=False)
    folder: Path
    called: str = (
        ""  # in messages instead of the URL, for readers who may see neither it nor the server's words
    )

    @property
    def conninfo(self) -> str:
        """The URL as libpq takes it."""
        base, options = _base_and_options(self.url)
        return f"{base}?{'&'.join(options)}" if options else base

    @property
    def schema(self) -> str:
        """The name of the tables' schema. Raises StoreError for one that is not a plain name."""
        found = re.search(r"[?&]schema=([^&]*)", self.url)
        name = found[1] if found else SCHEMA
        if not _NAME.fullmatch(name):
            raise StoreError(
                f"the store {self.name} has no usable name: the schema {name!r:.80} must begin with a small letter and hold "
                "those, digits, _, - and . alone, 63 characters at most"
            )
        return name

    @property
    def name(self) -> str:
        """The store in messages: as it is `called`, else the URL without passwords and options."""
        return self.called or shown(self.url)

    @property
    def mend(self) -> str:
        """The step that mends damaged rows, at the end of a message."""
        if self.called:
            return "its administrator can restore a backup"
        return "restore the schema from a backup with `pg_restore`"

    def beside(self, folder: Path) -> ServerAddress:
        """Another store on the server, which has its name from the folder of its files."""
        return replace(self.named(f"{self.schema}.{folder.name}"), folder=folder)

    def named(self, schema: str) -> ServerAddress:
        """The store of another schema on the server."""
        base, options = _base_and_options(self.url)
        return replace(self, url=f"{base}?{'&'.join([*options, f'schema={schema}'])}")

    def __str__(self) -> str:
        return self.name


def _base_and_options(url: str) -> tuple[str, list[str]]:
    """A server's URL before its options, and the options that libpq knows."""
    base, _, query = url.partition("?")
    return base, [part for part in query.split("&") if part and not part.startswith("schema=")]


def shown(url: str) -> str:
    """A server's URL without passwords; of the options only the schema."""
    base, _, query = url.partition("?")
    scheme, _, rest = base.partition("://")
    place, slash, database = rest.partition("/")
    user, at, host = place.rpartition("@")
    schema = next((part for part in query.split("&") if part.startswith("schema=")), "")
    return f"{scheme}://{user.partition(':')[0]}{at}{host}{slash}{database}{'?' if schema else ''}{schema}"


def holds_password(url: str) -> bool:
    """True when a password stands in a server's URL."""
    base, _, query = url.partition("?")
    user = base.partition("://")[2].partition("/")[0].rpartition("@")[0]
    return ":" in user or "password=" in query


def behind(lag: float) -> str:
    """The age of a replica's answers in words, "" where it has every change that it heard of."""
    if not lag:
        return ""
    return f"at most {math.ceil(lag):,} s behind" if lag < math.inf else "behind by an unknown time"


class PasswordShown(InputError, code="password_shown"):
    """A password stands in an argument of a command, where every user of the machine can read it."""

    def __init__(self) -> None:
        super().__init__(
            "a password in a command is visible to every user of this machine; put it into ~/.pgpass, PGPASSWORD or "
            "DAYPACK_STORE, and leave it out of the command"
        )


class StoreUnreachable(StoreError, code="store_unreachable"):
    def __init__(self, path: str, why: str) -> None:
        self.path = path
        away = f"the server of the store {path} does not answer"
        super().__init__(
            f"{away} ({why}); acknowledged writes are safe; check that it runs and "
            f"that the name, the user and the password are right, and run the command again"
            if why
            else f"{away}; acknowledged writes are safe; ask again later, an administrator finds the reason in the server's log"
        )


class OnlyForFiles(StoreError, code="only_for_files"):
    """The operation works on the file of an embedded store, and this store is on a server."""

    def __init__(self, path: str, what: str, schema: str) -> None:
        self.path = path
        named = f"'\"{schema}\"'" if "." in schema else schema  # a bare dot stands between two names
        database = f" '{path.partition('?')[0]}'" if is_server(path) else ""
        super().__init__(
            f"the store {path} is on a server and has no {what}; use PostgreSQL's own tools: "
            f"`pg_dump --format=custom --schema={named} --file=FILE{database}` and `pg_restore`, or copy it into a folder with "
            "`daypack store migrate`; `daypack reindex` rebuilds damaged postings and vectors"
        )


class OnlyAReplica(StoreReadOnly, code="store_is_a_replica"):
    """The server takes its changes from another one, and none from us."""

    def __init__(self, path: str) -> None:
        StoreError.__init__(
            self,
            f"the server of the store {path} is a replica, which answers questions alone; write to its primary",
        )
        self.path = path


class StoreConflict(StoreBusy, code="store_conflict"):
    """The server ended a transaction in favour of another: a read of rows that its primary removes, or one of two writes
    that wait for each other. The server kept no part.
    """

    says = "the server of the store {path} ended the call in favour of another, and undid it; run it again"


class StoreSlow(StoreError, code="store_slow"):
    """A statement took longer than the server or the URL allows."""

    def __init__(self, path: str) -> None:
        self.path = path
        super().__init__(
            f"the server of the store {path} took longer than its statement_timeout allows; nothing of the call was kept; "
            f"ask for less at a time, or raise the limit: ?options=-c%20statement_timeout%3D10min in the URL"
        )
