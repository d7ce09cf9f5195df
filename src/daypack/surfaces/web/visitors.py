"""The browsers that a server has admitted to its page."""

from __future__ import annotations

import secrets
import time
from dataclasses import dataclass

from daypack.guard.fences import one_line
from daypack.surfaces.http.gate import Admission
from daypack.team.types import Caller


@dataclass(frozen=True, slots=True)
class Visitor:
    """An admitted browser: its name for users, a number for its revocation, the time of its admission in Unix seconds, and its
    caller.
    """

    id: str
    name: str
    since: float
    caller: object


class Visitors:
    """The admitted browsers. A one-time key or a token admits a browser; its cookie is valid until it is revoked or the server
    ends.
    """

    def __init__(self, admission: Admission, token_file: str = "") -> None:
        """`token_file` is the file with the token of a server that has only one."""
        self.cookies: dict[str, Visitor] = {}
        self.token_file = token_file
        self._admission = admission
        self._key: str | None = None

    def new_key(self) -> str:
        self._key = secrets.token_urlsafe(32)
        return self._key

    def admit(self, key: str, name: str) -> str | None:
        """A cookie in exchange for the key, which is valid once. None for a wrong key."""
        if self._key is None or not secrets.compare_digest(key.encode(), self._key.encode()):
            return None
        self._key = None
        return self._new_cookie(name, True)

    async def admit_by_token(self, token: str, name: str, project: str = "") -> str | None:
        """A cookie in exchange for a token that the server accepts. None for a wrong token. Raises DaypackError for a caller who
        may not enter.
        """
        caller = await self._admission.by_token(token, project)
        return None if caller is None else self._new_cookie(name, caller)

    def beside(self, own: Visitor | None) -> list[Visitor]:
        """The browsers that a visitor may see and revoke: those of the same person."""
        return [one for one in self.cookies.values() if _person(one) == _person(own)]

    def revoke(self, visitor: str, own: Visitor | None) -> None:
        """Revoke a browser, by its id, if `own` may revoke it."""
        known = {one.id for one in self.beside(own)}
        for cookie in [
            cookie for cookie, one in self.cookies.items() if one.id == visitor and visitor in known
        ]:
            del self.cookies[cookie]

    def _new_cookie(self, name: str, caller: object) -> str:
        cookie = secrets.token_urlsafe(32)
        shown = one_line(name, 60) or "a browser without a name"
        self.cookies[cookie] = Visitor(secrets.token_hex(4), shown, time.time(), caller)
        return cookie


def _person(visitor: Visitor | None) -> object:
    caller = visitor.caller if visitor else True
    return caller.person.id if isinstance(caller, Caller) else True
