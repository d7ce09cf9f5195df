"""Nouns of a team: roles, people, projects, tokens, callers, and their acts."""

from __future__ import annotations

import enum
from typing import NamedTuple


class Role(enum.StrEnum):
    """A person's rights in a project: to ask, also to write, also to delete in bulk."""

    READ = "read"
    WRITE = "write"
    ADMIN = "admin"

    def within(self, other: Role) -> Role:
        """The lower of two roles."""
        return min(self, other, key=[*Role].index)


class Person(NamedTuple):
    """`writes` is the number of writes that they may begin in a minute."""

    id: int
    name: str
    added_at: float
    removed_at: float | None
    writes: int


class Project(NamedTuple):
    """`bytes` is the largest size of its store."""

    id: int
    name: str
    added_at: float
    bytes: int


class Member(NamedTuple):
    """A person's role in a project, both by name."""

    person: str
    project: str
    role: Role


class Token(NamedTuple):
    """A personal token without its secret. `project` is "" for all projects of the person; `role` is the highest that
    it grants.
    """

    id: str
    person: str
    project: str
    role: Role
    made_at: float
    expires_at: float | None
    revoked_at: float | None


class Caller(NamedTuple):
    """A person in a project, as a token proved: the identity that every call of a team server is answered for."""

    person: Person
    project: Project
    role: Role
    token: str  # its id


class Remote(NamedTuple):
    """A team server that a store follows: its address, the file of the personal token, and the project, "" for the only
    one.
    """

    name: str
    url: str
    token_file: str
    project: str


class Act(NamedTuple):
    """A line of the log: `details` are names, counts and outcomes, never a text."""

    id: int
    at: float
    action: str
    person: str
    project: str
    details: dict[str, str | int]
