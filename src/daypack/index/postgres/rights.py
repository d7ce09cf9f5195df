"""The rights of the session's user to the tables of a store, as the server has them at the moment."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from daypack.index.postgres.tables import TEXTS, tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    import psycopg

# Each right by itself: of a list with commas, one is enough.
_LACKS_ONE = " OR ".join(
    f"NOT has_table_privilege(c.oid, '{right}')" for right in ("INSERT", "UPDATE", "DELETE")
)
# Other programs may have tables in the schema.
_OWN = ", ".join(f"'{name}'" for name in tables())
_NUMBERS = ", ".join(f"'{name}_{table.number}_seq'" for name, table in tables().items() if table.number)
MAY_NOT_WRITE = f"""(SELECT bool_or(CASE c.relkind WHEN 'S' THEN NOT has_sequence_privilege(c.oid, 'UPDATE') ELSE {_LACKS_ONE} END)
    FROM pg_class AS c JOIN pg_class AS r ON r.relnamespace = c.relnamespace
    WHERE r.oid = to_regclass('record') AND (c.relkind = 'r' AND c.relname IN ({_OWN}) OR c.relkind = 'S' AND c.relname IN ({_NUMBERS})))"""
"""A condition, which is null before the tables are made: true where a question or a write would fail at one of them."""
_MAINTAINED = 170_000  # PostgreSQL 17: the right to rewrite a table can be granted


def may_rewrite(raw: psycopg.Connection[Any]) -> bool:
    """True for a user whose VACUUM (FULL) rewrites every table that holds texts; it passes over others with a warning."""
    table = (
        "has_table_privilege(c.oid, 'MAINTAIN')"
        if raw.info.server_version >= _MAINTAINED
        else "pg_has_role(c.relowner, 'USAGE')"
    )
    statement = f"""SELECT pg_has_role(d.datdba, 'USAGE') OR bool_and({table}) FROM pg_class AS c
        JOIN pg_database AS d ON d.datname = current_database()
        WHERE c.oid IN (SELECT to_regclass(name) FROM unnest(%s::text[]) AS name) GROUP BY d.datdba"""
    return raw.execute(statement.encode(), [[*TEXTS]]).fetchone() == (True,)


@contextmanager
def keep_grants(raw: psycopg.Connection[Any]) -> Iterator[None]:
    """Grant the rights of others again to tables that the block drops and makes."""
    before = _grants(raw)
    yield
    for statement in sorted(before - _grants(raw)):
        raw.execute(statement.encode())


def _grants(raw: psycopg.Connection[Any]) -> set[str]:
    """The statements that grant others their rights to the tables of a store."""
    statement = f"""SELECT format('GRANT %s ON %I TO %s%s', a.privilege_type, c.relname,
            CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END,
            CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END)
        FROM pg_class AS c JOIN pg_class AS r ON r.relnamespace = c.relnamespace, aclexplode(c.relacl) AS a
        WHERE r.oid = to_regclass('record') AND c.relname IN ({_OWN}) AND a.grantee != c.relowner"""
    return {row[0] for row in raw.execute(statement.encode()).fetchall()}
