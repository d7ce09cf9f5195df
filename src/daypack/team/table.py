"""The tables of a team: rows in, nouns out, inside the transaction of the caller."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from daypack.index import meta, sql
from daypack.index.audit import AuditLog
from daypack.ports import Connection
from daypack.team.types import Act, Member, Person, Project, Remote, Role, Token

AUDIT = AuditLog("team_audit", ("person", "project", "details"))
_PERSON = "id, name, added_at, removed_at, writes"
_PROJECT = "id, name, added_at, bytes"
_LISTED = (
    "SELECT t.id, p.name, coalesce(j.name, ''), t.role, t.made_at, t.expires_at, t.revoked_at FROM team_token AS t"
    " JOIN team_person AS p ON p.id = t.person_id LEFT JOIN team_project AS j ON j.id = t.project_id"
)


def add_person(db: Connection, name: str, *, now: float, writes: int) -> None:
    row = {"name": name, "added_at": now, "writes": writes}
    sql.insert(db, "team_person", row)


def find_person(db: Connection, name: str) -> Person | None:
    return sql.row(db, Person._make, f"SELECT {_PERSON} FROM team_person WHERE name = ?", (name,))


def people(db: Connection) -> list[Person]:
    return sql.rows(db, Person._make, f"SELECT {_PERSON} FROM team_person ORDER BY name")


def change_person(db: Connection, person: Person) -> None:
    db.execute(
        "UPDATE team_person SET removed_at = ?, writes = ? WHERE id = ?",
        (person.removed_at, person.writes, person.id),
    )


def add_project(db: Connection, name: str, *, now: float, most_bytes: int) -> None:
    sql.insert(db, "team_project", {"name": name, "added_at": now, "bytes": most_bytes})


def find_project(db: Connection, name: str) -> Project | None:
    return sql.row(db, Project._make, f"SELECT {_PROJECT} FROM team_project WHERE name = ?", (name,))


def projects(db: Connection) -> list[Project]:
    return sql.rows(db, Project._make, f"SELECT {_PROJECT} FROM team_project ORDER BY name")


def change_project(db: Connection, project: Project) -> None:
    db.execute("UPDATE team_project SET bytes = ? WHERE id = ?", (project.bytes, project.id))


def put_member(db: Connection, person: Person, project: Project, role: Role) -> None:
    row = {"person_id": person.id, "project_id": project.id, "role": role.value}
    sql.insert(db, "team_member", row, instead="OR REPLACE")


def drop_member(db: Connection, person: Person, project: Project) -> bool:
    db.execute("DELETE FROM team_member WHERE person_id = ? AND project_id = ?", (person.id, project.id))
    return bool(db.changes())


def members(db: Connection) -> list[Member]:
    """The members of every project, by project and name."""
    statement = (
        "SELECT p.name, j.name, m.role FROM team_member AS m JOIN team_person AS p ON p.id = m.person_id"
        " JOIN team_project AS j ON j.id = m.project_id WHERE p.removed_at IS NULL ORDER BY j.name, p.name"
    )
    return sql.rows(db, lambda row: Member(row[0], row[1], Role(row[2])), statement)


def memberships(db: Connection, person_id: int) -> list[tuple[Project, Role]]:
    """The projects of a person with their role in each, by name."""
    statement = (
        f"SELECT {', '.join('j.' + name for name in _PROJECT.split(', '))}, m.role FROM team_member AS m"
        " JOIN team_project AS j ON j.id = m.project_id WHERE m.person_id = ? ORDER BY j.name"
    )
    return [(Project(*row[:-1]), Role(row[-1])) for row in db.execute(statement, (person_id,))]


def add_token(db: Connection, row: dict[str, Any]) -> None:
    sql.insert(db, "team_token", row)


def tokens(db: Connection) -> list[Token]:
    """Every token, by person, the newest last."""
    return sql.rows(db, _token, f"{_LISTED} ORDER BY p.name, t.made_at, t.id")


def _token(row: Any) -> Token:
    token_id, person, project, role, *moments = row
    return Token._make((token_id, person, project, Role(role), *moments))


def revoke_token(db: Connection, token_id: str, *, now: float) -> bool:
    """Revoke a token; False for an unknown one. One that was revoked keeps its moment."""
    db.execute("UPDATE team_token SET revoked_at = coalesce(revoked_at, ?) WHERE id = ?", (now, token_id))
    return bool(db.changes())


def revoke_tokens_of(db: Connection, person: Person, *, now: float) -> None:
    db.execute(
        "UPDATE team_token SET revoked_at = ? WHERE person_id = ? AND revoked_at IS NULL", (now, person.id)
    )


class KeptToken(NamedTuple):
    """A token in its stored form, with its person. `project_id` is None for all projects of the person."""

    salt: bytes
    hash: bytes
    project_id: int | None
    role: Role
    expires_at: float | None
    revoked_at: float | None
    person: Person


def find_token(db: Connection, token_id: str) -> KeptToken | None:
    statement = (
        f"SELECT t.salt, t.hash, t.project_id, t.role, t.expires_at, t.revoked_at, {', '.join('p.' + n for n in _PERSON.split(', '))}"
        " FROM team_token AS t JOIN team_person AS p ON p.id = t.person_id WHERE t.id = ?"
    )
    return sql.row(
        db,
        lambda row: KeptToken._make((*row[:3], Role(row[3]), *row[4:6], Person._make(row[6:]))),
        statement,
        (token_id,),
    )


_REMOTE = "remote:"


def put_remote(db: Connection, remote: Remote) -> None:
    meta.put(db, _REMOTE + remote.name, json.dumps(remote))


def drop_remote(db: Connection, name: str) -> bool:
    return meta.drop(db, _REMOTE + name)


def remotes(db: Connection) -> list[Remote]:
    statement = "SELECT value FROM meta WHERE substr(key, 1, 7) = 'remote:' ORDER BY key"
    return sql.rows(db, lambda row: Remote._make(json.loads(row[0])), statement)


def acts(db: Connection, *, person: str, limit: int) -> list[Act]:
    """The latest acts, of one person or of all, the newest first."""
    where, given = ("WHERE person = ? ", (person,)) if person else ("", ())
    statement = (
        f"SELECT id, at, action, person, project, details FROM team_audit {where}ORDER BY id DESC LIMIT ?"
    )
    return sql.rows(db, lambda row: Act._make((*row[:5], json.loads(row[5]))), statement, (*given, limit))
