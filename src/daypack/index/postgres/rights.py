"""The rights of the session's user to the tables of a store, as the server has them at the moment."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from daypack.index.postgres.tables import TEXTS

if TYPE_CHECKING:
    import psycopg

# Each by itself: of a list with commas, one right is enough.
MAY_NOT_WRITE = " OR ".join(
    f"NOT has_table_privilege(to_regclass('record'), '{right}')" for right in ("INSERT", "UPDATE", "DELETE")
)
"""A condition, which is null before the tables are made."""
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
