"""A wall around a schema: a login role of its own owns it, and has no right anywhere else.

A statement with a fault, or one of an attacker, that runs in a session of that role finds no other schema, whatever it says: the role
is a member of no role, so SET ROLE leads nowhere, and RESET ROLE leads back to itself. The server's user who makes the role is a
member of it, for copies and migrations.
"""

from __future__ import annotations

import hmac
from collections.abc import Iterator
from hashlib import blake2b, sha256
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from daypack.errors import StoreError
from daypack.index import meta
from daypack.index.postgres.store import ServerStore
from daypack.types.servers import ServerAddress

if TYPE_CHECKING:
    import psycopg

KEY = "walls"  # the row of `meta` with the secret from which the passwords of roles are made
_SHOWN = 40  # characters of the schema in the name of its role
_OBJECTS = """
    SELECT format('ALTER TABLE %%s OWNER TO %%s', c.oid::regclass, %(role)s::regrole) FROM pg_class AS c
    WHERE c.relnamespace = %(schema)s::regnamespace AND c.relkind IN ('r', 'v', 'm', 'p') AND c.relowner != %(role)s::regrole
    UNION ALL
    SELECT format('ALTER ROUTINE %%s OWNER TO %%s', p.oid::regprocedure, %(role)s::regrole) FROM pg_proc AS p
    WHERE p.pronamespace = %(schema)s::regnamespace AND p.proowner != %(role)s::regrole"""
_RIGHTS = """
    SELECT r.rolsuper OR r.rolcreaterole OR r.rolcreatedb OR r.rolreplication OR r.rolbypassrls
        OR EXISTS (SELECT 1 FROM pg_auth_members AS m WHERE m.member = r.oid) FROM pg_roles AS r WHERE r.rolname = %s"""


class NoWall(StoreError, code="no_wall"):
    """No role of its own can be made for a schema."""

    def __init__(self, path: str, why: str, mend: str) -> None:
        self.path = path
        super().__init__(f"the projects of {path} cannot be kept apart by roles of their own: {why}; {mend}")


def check_may_build(team: ServerAddress) -> None:
    """Raise NoWall where the user of the URL may not make roles."""
    with ServerStore.open(team, create=False) as store, store.reading() as db:
        statement = (
            "SELECT current_user, rolsuper OR rolcreaterole FROM pg_roles WHERE rolname = current_user"
        )
        name, may = db.execute(statement).get
    if not may:
        raise NoWall(
            team.name,
            f"its user {name} may not make roles",
            f'run `ALTER ROLE "{name}" CREATEROLE` as a superuser',
        )


def walled(team: ServerAddress, project: ServerAddress, fresh: bytes) -> ServerAddress:
    """The address of a project's schema by the role that owns it; both are made where they are missing. `fresh` becomes the
    secret of the team where it has none. Raises NoWall and StoreError.
    """
    with ServerStore.open(team, create=False) as store, store.writing() as db:
        meta.put_once(db, KEY, fresh.hex())
        key = bytes.fromhex(meta.value_of(db, KEY) or "")
        raw: psycopg.Connection[Any] = db.raw  # type: ignore[attr-defined]
        role = role_of(raw.info.dbname, project.schema)
        password = hmac.new(key, role.encode(), sha256).hexdigest()
        for statement in _statements(raw, team, project.schema, role, password):
            raw.execute(statement.encode())
        for (statement,) in raw.execute(
            _OBJECTS, {"role": f'"{role}"', "schema": f'"{project.schema}"'}
        ).fetchall():
            raw.execute(statement.encode())
        return _as_role(project, role, password, raw.info.dbname)


def role_of(database: str, schema: str) -> str:
    """The name of the role of a schema. Roles belong to the whole server, so that of another database is another one."""
    mark = blake2b(f"{database}\0{schema}".encode(), digest_size=4).hexdigest()
    return f"{schema[:_SHOWN]}.{mark}"


def _statements(
    raw: psycopg.Connection[Any], team: ServerAddress, schema: str, role: str, password: str
) -> Iterator[str]:
    """The statements that make a role and its schema, or renew its password."""
    # Hashed here: a server may write statements into its log.
    secret = raw.pgconn.encrypt_password(password.encode(), role.encode(), b"scram-sha-256").decode()
    rights = raw.execute(_RIGHTS, [role]).fetchone()
    if rights is not None and rights[0]:
        raise NoWall(
            team.name,
            f"the role {role} has other rights",
            "take them away, or drop that role and start again",
        )
    made = "ALTER" if rights else "CREATE"
    yield f"{made} ROLE \"{role}\" LOGIN NOINHERIT PASSWORD '{secret}'"
    yield f'GRANT "{role}" TO CURRENT_USER'
    there = raw.execute(
        "SELECT nspowner::regrole::text FROM pg_namespace WHERE nspname = %s", [schema]
    ).fetchone()
    if there is None:
        yield f'CREATE SCHEMA "{schema}" AUTHORIZATION "{role}"'
    elif there[0] != f'"{role}"':
        yield f'ALTER SCHEMA "{schema}" OWNER TO "{role}"'
    yield f'REVOKE ALL ON SCHEMA "{schema}" FROM PUBLIC'


def _as_role(project: ServerAddress, role: str, password: str, database: str) -> ServerAddress:
    base, _, query = project.url.partition("?")
    scheme, _, rest = base.partition("://")
    authority, _, path = rest.partition("/")
    options = [part for part in query.split("&") if not part.startswith(("user=", "password="))]
    named = path or any(part.startswith("dbname=") for part in options)
    login = f"{quote(role, safe='')}:{password}@{authority.rpartition('@')[2]}"
    url = f"{scheme}://{login}/{path if named else quote(database, safe='')}?{'&'.join(options)}"
    return ServerAddress(url, project.folder)
