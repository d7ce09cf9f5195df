"""The people of a team server, as `daypack.team` shows them: every change is a line of the log."""

from __future__ import annotations

import json
import re
import secrets
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from daypack.errors import InputError, NotFound
from daypack.guard.fences import one_line
from daypack.index.store import Store
from daypack.ports import Clock, Connection
from daypack.shapes.wording import utc_minute
from daypack.team import secret, table
from daypack.team.errors import NameTaken, NoPerson, NoProject, NotAMember, NoToken, TokenEnded
from daypack.team.types import Act, Caller, Member, Person, Project, Remote, Role, Token
from daypack.text.checks import check_seconds, member
from daypack.types import OWNER, SHARED

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9._-]{0,38}[a-z0-9])?")
OPERATOR = "operator"
"""The person of the log for changes at the terminal of the server."""
RESERVED = frozenset({OWNER, SHARED, OPERATOR, "all", "shared", "team", "global"})
MOST_WRITES = 120  # a minute  # guess: an agent that writes twice a second all the time
MOST_BYTES = 2 << 30  # of a project's store  # guess: some hundred thousand chunks
PROJECTS = "projects"


class Fact(NamedTuple):
    """An act before it is a line of the log."""

    action: str
    person: str
    project: str
    details: Mapping[str, str | int]


class Team:
    """Users, projects, members and tokens, and the log of their acts."""

    def __init__(self, store: Store, clock: Clock) -> None:
        self._store, self._clock = store, clock

    def folder_of(self, project: Project) -> Path:
        """The folder of a project's own store."""
        return self._store.folder / PROJECTS / project.name

    # ------------------------------------------------------------ people and projects

    def add_person(self, name: str, *, writes: int = MOST_WRITES) -> Person:
        """Add a user, who may begin `writes` writes a minute. Raises InputError, NameTaken."""
        name = _checked("user", name)
        with self._store.writing() as db:
            if (known := table.find_person(db, name)) is not None:
                raise NameTaken("user", name, removed=known.removed_at is not None)
            table.add_person(db, name, now=self._clock(), writes=_positive("writes", writes))
            self._log(db, "add user", OPERATOR, "", {"user": name, "writes": writes})
            return _present(db, name)

    def change_person(self, name: str, *, writes: int) -> Person:
        """Set the quota of a user. Raises NoPerson, InputError."""
        with self._store.writing() as db:
            person = _present(db, name)._replace(writes=_positive("writes", writes))
            table.change_person(db, person)
            self._log(db, "change user", OPERATOR, "", {"user": name, "writes": writes})
            return person

    def remove_person(self, name: str) -> Person:
        """Remove a user: every token is revoked, and their private content stays until it is deleted. The name is
        never given again. Raises NoPerson.
        """
        now = self._clock()
        with self._store.writing() as db:
            person = _present(db, name)._replace(removed_at=now)
            table.change_person(db, person)
            table.revoke_tokens_of(db, person, now=now)
            self._log(db, "remove user", OPERATOR, "", {"user": name})
            return person

    def people(self) -> tuple[Person, ...]:
        """Every user, removed ones included, by name."""
        with self._store.reading() as db:
            return tuple(table.people(db))

    def add_project(self, name: str, *, most_bytes: int = MOST_BYTES) -> Project:
        """Add a project, whose store holds at most `most_bytes`. Raises InputError, NameTaken."""
        name = _checked("project", name)
        with self._store.writing() as db:
            if table.find_project(db, name) is not None:
                raise NameTaken("project", name)
            table.add_project(db, name, now=self._clock(), most_bytes=_positive("bytes", most_bytes))
            self._log(db, "add project", OPERATOR, name, {"bytes": most_bytes})
            return _project(db, name)

    def change_project(self, name: str, *, most_bytes: int) -> Project:
        """Set the quota of a project. Raises NoProject, InputError."""
        with self._store.writing() as db:
            project = _project(db, name)._replace(bytes=_positive("bytes", most_bytes))
            table.change_project(db, project)
            self._log(db, "change project", OPERATOR, name, {"bytes": most_bytes})
            return project

    def projects(self) -> tuple[Project, ...]:
        """Every project, by name."""
        with self._store.reading() as db:
            return tuple(table.projects(db))

    # ------------------------------------------------------------ roles

    def put_member(self, name: str, project: str, role: Role | str) -> Member:
        """Give a user a role in a project, in place of an earlier one. Raises NoPerson, NoProject, InputError."""
        chosen = member(Role, role)
        with self._store.writing() as db:
            table.put_member(db, _present(db, name), _project(db, project), chosen)
            self._log(db, "put member", OPERATOR, project, {"user": name, "role": chosen.value})
            return Member(name, project, chosen)

    def drop_member(self, name: str, project: str) -> None:
        """End a membership, which counts from the next request on. Raises NoPerson, NoProject, NotFound."""
        with self._store.writing() as db:
            if not table.drop_member(db, _present(db, name), _project(db, project)):
                raise NoPerson(f"{name} in {project}")
            self._log(db, "drop member", OPERATOR, project, {"user": name})

    def members(self) -> tuple[Member, ...]:
        """The members of every project, by project and name."""
        with self._store.reading() as db:
            return tuple(table.members(db))

    # ------------------------------------------------------------ tokens

    def make_token(
        self, name: str, *, project: str = "", role: Role | str = Role.ADMIN, seconds: float | None = None
    ) -> tuple[Token, str]:
        """(a new token of a user, its text, which is shown once and kept nowhere). `project` limits it to one project,
        `role` is the highest that it grants, and it ends after `seconds`. Raises NoPerson, NoProject, and InputError also for
        a project that the user is not a member of.
        """
        most, now = member(Role, role), self._clock()
        token_id, own, salt = (
            secrets.token_hex(secret.ID_BYTES),
            secrets.token_urlsafe(secret.SECRET_BYTES),
            secrets.token_bytes(secret.SALT_BYTES),
        )
        if seconds is not None:
            check_seconds("seconds", seconds)
            if not abs(seconds) <= sys.float_info.max:  # also for NaN, after which a token would never end
                raise InputError(
                    "a token needs a finite number of seconds; write 12h, 30d or 2w, or leave it out for one without end"
                )
            if seconds <= 0:
                raise InputError(
                    f"a token that ends after {seconds:g} seconds never counts; write 12h, 30d or 2w"
                )
        expires = None if seconds is None else now + seconds
        with self._store.writing() as db:
            person, within = _present(db, name), _project(db, project) if project else None
            if within is not None and within.id not in {
                joined.id for joined, _ in table.memberships(db, person.id)
            }:
                raise InputError(
                    f"{name} is not a member of {project}; run `daypack team member add {name} {project}` first"
                )
            row = {
                "id": token_id, "person_id": person.id, "project_id": within.id if within else None,
                "role": most.value, "salt": salt, "hash": secret.hashed(own, salt), "made_at": now, "expires_at": expires,
            }  # fmt: skip
            table.add_token(db, row)
            self._log(
                db, "make token", OPERATOR, project, {"user": name, "token": token_id, "role": most.value}
            )
        return Token(token_id, name, project, most, now, expires, None), secret.written(token_id, own)

    def tokens(self) -> tuple[Token, ...]:
        """Every token, without its secret, by person."""
        with self._store.reading() as db:
            return tuple(table.tokens(db))

    def revoke_token(self, token_id: str) -> None:
        """Revoke a token, from the next request on. Raises NoToken."""
        with self._store.writing() as db:
            if not table.revoke_token(db, token_id, now=self._clock()):
                raise NoToken(one_line(token_id, 40))
            self._log(db, "revoke token", OPERATOR, "", {"token": token_id})

    def caller(self, token: str, project: str = "") -> Caller | None:
        """The person of a token in a project, by name, or in the only one that they have; None for a wrong token. Raises
        TokenEnded, NotAMember.
        """
        parsed = secret.parsed(token)
        if parsed is None:
            return None
        with self._store.reading() as db:
            stored = table.find_token(db, parsed.id)
            if not secret.is_secret_of(
                parsed.secret, *((stored.salt, stored.hash) if stored else secret.NOBODYS)
            ):
                return None
            return None if stored is None else self._caller(db, parsed.id, stored, project)

    def caller_again(self, caller: Caller, project: str) -> Caller | None:
        """The same person at a later request, in a project by name; None for a token that is gone. Raises TokenEnded, NotAMember."""
        with self._store.reading() as db:
            stored = table.find_token(db, caller.token)
            return None if stored is None else self._caller(db, caller.token, stored, project)

    def _caller(self, db: Connection, token: str, stored: table.KeptToken, project: str) -> Caller:
        if stored.person.removed_at is not None:
            raise TokenEnded(f"is of {stored.person.name}, who has left the team")
        if stored.revoked_at is not None:
            raise TokenEnded(f"was revoked on {utc_minute(stored.revoked_at)}")
        if stored.expires_at is not None and stored.expires_at <= self._clock():
            raise TokenEnded(f"expired on {utc_minute(stored.expires_at)}")
        among = [
            (joined, role)
            for joined, role in table.memberships(db, stored.person.id)
            if stored.project_id in (None, joined.id)
        ]
        chosen = [item for item in among if item[0].name == project] if project else among
        if len(chosen) != 1:
            raise NotAMember(one_line(project, 60), [joined.name for joined, _ in among])
        ((chosen_project, role),) = chosen
        return Caller(stored.person, chosen_project, role.within(stored.role), token)

    # ------------------------------------------------------------ the teams that this store follows

    def put_remote(self, remote: Remote) -> Remote:
        """Follow a team under a name, in place of an earlier one of that name. Raises InputError."""
        _checked("team", remote.name)
        with self._store.writing() as db:
            table.put_remote(db, remote)
        return remote

    def drop_remote(self, name: str) -> None:
        """Follow a team no more. Raises NotFound."""
        with self._store.writing() as db:
            if not table.drop_remote(db, name):
                raise NotFound(f"no team named {one_line(name, 60)}", "`daypack team remote list` lists them")

    def remotes(self) -> tuple[Remote, ...]:
        """The teams that this store follows, by name."""
        with self._store.reading() as db:
            return tuple(table.remotes(db))

    # ------------------------------------------------------------ the log

    def note(self, facts: Iterable[Fact]) -> None:
        """Write lines of the log, in one transaction."""
        with self._store.writing() as db:
            for fact in facts:
                self._log(db, *fact)

    def acts(self, *, person: str = "", limit: int = 100) -> tuple[Act, ...]:
        """The latest acts of a person, or of all: names, counts and outcomes, no text."""
        with self._store.reading() as db:
            return tuple(table.acts(db, person=person, limit=limit))

    def broken_lines(self) -> int:
        """The lines of the log that were changed, or that follow one that was taken out."""
        with self._store.reading() as db:
            return table.AUDIT.broken_lines(db)

    def _log(
        self, db: Connection, action: str, person: str, project: str, details: Mapping[str, Any]
    ) -> None:
        written = json.dumps(dict(details), ensure_ascii=False, sort_keys=True)
        table.AUDIT.append(db, self._clock(), action, person, project, written)


def _checked(what: str, name: str) -> str:
    if not _NAME.fullmatch(name):
        raise InputError(
            f"{one_line(repr(name), 60)} is not a name of a {what}; write 1 to 40 letters a-z, digits, and . _ - between them"
        )
    if name in RESERVED:
        raise InputError(f"the name {name!r} has a meaning of its own here; choose another")
    return name


def _positive(what: str, number: int) -> int:
    if number < 1:
        raise InputError(f"{what} {number} allows nothing; write 1 or more")
    return number


def _present(db: Connection, name: str) -> Person:
    person = table.find_person(db, name)
    if person is None or person.removed_at is not None:
        raise NoPerson(one_line(name, 60))
    return person


def _project(db: Connection, name: str) -> Project:
    stored = table.find_project(db, name)
    if stored is None:
        raise NoProject(one_line(name, 60))
    return stored
