"""Failures of people and quotas. Each names the next step; surfaces give them the status of HTTP."""

from __future__ import annotations

from collections.abc import Sequence

from daypack.errors import DaypackError, InputError, NotFound


class NoPerson(NotFound, code="no_person"):
    """No present user has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no user {name!r}", "`daypack team user list` lists them")


class NoProject(NotFound, code="no_project"):
    """No project of the team has this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no project {name!r}", "`daypack team project list` lists them")


class NoToken(NotFound, code="no_such_token"):
    """No token has this ID."""

    def __init__(self, token: str) -> None:
        super().__init__(f"no token {token!r}", "`daypack team token list` lists their IDs")


class NameTaken(InputError, code="name_taken"):
    """Names are given once: a later namesake would own the memories of the first."""

    def __init__(self, what: str, name: str, *, removed: bool = False) -> None:
        why = "was removed, and names are given once" if removed else "exists"
        super().__init__(f"the {what} {name!r} {why}; choose another name")


class Forbidden(DaypackError, code="forbidden"):
    """The caller is known, and may not do this."""


class TokenEnded(DaypackError, code="token_ended"):
    """The token is right, and counts no more."""

    def __init__(self, why: str) -> None:
        super().__init__(f"this token {why}; ask an administrator of the team for a new one")


class RoleTooLow(Forbidden, code="role_too_low"):
    """The verb needs a higher role."""

    def __init__(self, verb: str, needed: str, role: str, project: str) -> None:
        super().__init__(
            f"{verb} needs the role {needed}, and your token grants {role} in {project}; ask an administrator of the team for it"
        )


class NotAMember(Forbidden, code="not_a_member"):
    """The project does not exist, or not for this person: one message serves both, so that it tells neither."""

    def __init__(self, asked: str, projects: Sequence[str]) -> None:
        problem = f"no project {asked!r} of yours" if asked else "this request names no project"
        step = (
            f"name one of yours in the header Daypack-Project: {', '.join(projects)}"
            if projects
            else "ask an administrator of the team to make you a member of one"
        )
        super().__init__(f"{problem}; {step}")


class TooManyWrites(DaypackError, code="too_many_writes"):
    """The caller's quota of writes a minute is used up. `seconds` until the next write is taken."""

    def __init__(self, most: int, seconds: float) -> None:
        self.seconds = seconds
        super().__init__(
            f"{most:,} writes a minute are your quota; try again in {max(1, round(seconds))} s, or ask an administrator of the "
            "team for more"
        )


class ProjectFull(DaypackError, code="project_full"):
    """The store of the project has reached its quota of bytes."""

    def __init__(self, project: str, used: int, most: int) -> None:
        super().__init__(
            f"the project {project} holds {used:,} bytes, and {most:,} are its quota; delete what is not needed, or ask an "
            "administrator of the team for more"
        )
