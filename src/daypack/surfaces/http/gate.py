"""The gate of a server on this machine: it checks a caller before the server reads or does anything.

A page in a browser can reach a server on loopback: by another name that leads here (DNS rebinding) or by a
request across origins. So the Host header must be a name of the server, an Origin must be the server's own,
and every request needs the token, which is in a file that only its owner can read. There is no CORS header at
all.
"""

from __future__ import annotations

import asyncio
import ipaddress
import os
import secrets
import stat
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol
from urllib.parse import urlsplit

from daypack.errors import ConfigError, DaypackError
from daypack.surfaces.failures import Failure, failure_of
from daypack.surfaces.http.openapi import PREFIX
from daypack.surfaces.http.problems import CODES, answer, problem_body
from daypack.system import AS_IS, NO_LINK, is_own, others_may

Scope = dict[str, Any]
LOOPBACK = ("127.0.0.1", "localhost", "::1")
TOKEN_BYTES = 32
CALLER = "daypack.caller"
"""The key of a request's scope under which the gate puts the caller that it admitted."""
PROJECT_HEADER = b"daypack-project"
MOST_HEADERS, LONGEST_HEAD = 100, 32 << 10
LARGEST_BODY = 16 << 20  # of any request but
LARGEST_CALL = 4 << 20  # a call of REST
SLOWEST_BODY = 30.0  # seconds from the head of any request to the end of its body


class UnsafeToken(ConfigError, code="unsafe_token"):
    """Others can read the file of the token."""


def cookie_name(port: int) -> str:
    """The name of a browser's cookie. Browsers send the cookies of a host to each of its ports, so two servers share a jar."""
    return f"daypack-{port}"


def is_loopback(host: str) -> bool:
    """True for an address or name that only this machine can reach."""
    try:
        return host in LOOPBACK or ipaddress.ip_address(host).is_loopback
    except ValueError:  # a name
        return False


def read_token(path: Path) -> str:
    """The token in a file; a missing file is made. Raises UnsafeToken for one that others can read."""
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | NO_LINK | AS_IS, 0o600)
    except FileExistsError:
        return stored_token(path)
    with os.fdopen(descriptor, "w") as file:
        token = secrets.token_urlsafe(TOKEN_BYTES)
        file.write(token + "\n")
    return token


_REMADE = "remove it, and a new one is made"
_ASKED = "name the file that holds your token, or ask an administrator of the team for a new one"


def stored_token(path: Path, *, personal: bool = False) -> str:
    """The token in a file that its owner alone can read: that of this server, or a `personal` one, of which there is no other
    copy. Raises UnsafeToken.
    """
    step = _ASKED if personal else _REMADE
    try:
        descriptor = os.open(path, os.O_RDONLY | NO_LINK | AS_IS)
    except OSError as error:
        raise UnsafeToken(f"the token file {path} cannot be read ({error.strerror}); {step}") from error
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise UnsafeToken(f"{path} is not a file with a token; name another")
        if not is_own(status):
            own = "copy it to a file of your own" if personal else step
            raise UnsafeToken(f"the token file {path} belongs to another user; {own}")
        if others_may(status, 0o077):
            closed = f"run `chmod 600 {path}`" if personal else step
            raise UnsafeToken(f"others can read the token file {path}; {closed}")
        with open(descriptor, encoding="utf-8", errors="replace", closefd=False) as file:
            token = file.read(1024).strip()
    finally:
        os.close(descriptor)
    if len(token) < 16:
        raise UnsafeToken(f"the token file {path} holds no token; {step}")
    return token


class Admission(Protocol):
    """The answer to who a caller is."""

    hint: str
    """The way to a token, for a caller without one."""

    async def by_token(self, token: str, project: str) -> object | None:
        """The caller of a bearer token, in the project that the request names; None for a wrong token. Raises
        DaypackError for a caller who is known and may not come in.
        """

    async def by_visit(self, visitor: Any, project: str) -> object | None:
        """The same for a browser that came in before."""


class OneToken:
    """The admission of a server for one person, who has the token of the store."""

    hint = "a bearer token is needed; it is in the token file of the store"

    def __init__(self, token: str) -> None:
        self._token = token.encode()

    async def by_token(self, token: str, project: str) -> object | None:  # noqa: ARG002
        return True if secrets.compare_digest(token.encode(), self._token) else None

    async def by_visit(self, visitor: Any, project: str) -> object | None:  # noqa: ARG002
        return True


class Gate:
    """An ASGI application before another: 421 foreign Host, 403 foreign Origin, 401 without token, 413 a large
    body. A body that is larger than its head says, or too slow, ends like a connection that is lost.
    """

    def __init__(
        self,
        app: Any,
        *,
        admission: Admission,
        port: int,
        hosts: Collection[str] = LOOPBACK,
        open_paths: Collection[str] = (),
        visitors: Mapping[str, Any] = MappingProxyType({}),
        entrance: str = "",
        refusal_page: Callable[[Failure], Any] | None = None,
    ) -> None:
        """`hosts` are the names of the server; `open_paths` need no token. `visitors` are the cookies of
        browsers that came in, each with its visitor: asked at every request, so that they may grow. A browser
        without one is led to `entrance`, an open path. `refusal_page` makes the answer, an ASGI application, to a browser whose
        page or form is refused. The scope of an admitted request has its caller as CALLER.
        """
        self._entrance, self._refusal_page, self._cookie = entrance, refusal_page, cookie_name(port)
        self._app, self._admission, self._open, self._visitors = (
            app,
            admission,
            frozenset(open_paths),
            visitors,
        )
        names = {_authority(host) for host in hosts}
        # A proxy with TLS in front is asked by its name alone, and hands that on.
        behind = {_authority(host) for host in hosts if not is_loopback(host)}
        self._secure = {*behind, *(f"{name}:{port}" for name in behind)}
        self._authorities = {f"{name}:{port}" for name in names} | (names if port == 80 else behind)

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and (refusal := await self._refusal(scope)) is not None:
            if self._entrance and refusal.status == 401 and scope["method"] == "GET" and _is_person(scope):
                await _lead_to(send, self._entrance)
            elif self._refusal_page is not None and _is_person(scope):
                await self._refusal_page(refusal)(scope, receive, send)
            else:
                await _refuse(send, refusal)
        elif scope["type"] in ("http", "lifespan"):
            await self._app(scope, _bounded(receive) if scope["type"] == "http" else receive, send)

    async def _refusal(self, scope: Scope) -> Failure | None:
        if (
            len(scope["headers"]) > MOST_HEADERS
            or sum(len(name) + len(value) for name, value in scope["headers"]) > LONGEST_HEAD
        ):
            return _failure(431, "the head of the request is too large")
        headers: dict[bytes, list[bytes]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value)
        hosts, origins = headers.get(b"host", []), headers.get(b"origin", [])
        if len(hosts) != 1 or hosts[0].decode("latin-1").lower() not in self._authorities:
            return _failure(
                421, "this server does not have that name; start it with --host-name HOST to add a name"
            )
        if any(not self._is_own(origin.decode("latin-1")) for origin in origins):
            return _failure(403, "requests from other origins are not answered")
        refusal = None if scope["path"] in self._open else await self._stranger(scope, headers)
        path = scope["path"]
        is_call = path.startswith(f"{PREFIX}/") and not path.startswith(f"{PREFIX}/team/")
        limit = LARGEST_CALL if is_call else LARGEST_BODY
        lengths = headers.get(b"content-length", [])
        if refusal is None and any(not _is_within(limit, length) for length in lengths):
            return _failure(413, too_large(limit))
        return refusal

    async def _stranger(self, scope: Scope, headers: dict[bytes, list[bytes]]) -> Failure | None:
        """The refusal of a caller who is not admitted; the caller of an admitted request is in its scope."""
        given, projects = headers.get(b"authorization", []), headers.get(PROJECT_HEADER, [])
        project = projects[0].decode("latin-1") if len(projects) == 1 else ""
        if len(projects) > 1:
            return _failure(400, "the request names several projects; name one")
        caller: object | None = None
        try:
            if not given and (visitor := self._visitor(headers.get(b"cookie", []))) is not None:
                # A browser sends the cookie whichever page made the request: a request that changes something
                # must prove that it comes from our page.
                if scope["method"] not in ("GET", "HEAD") and not headers.get(b"origin", []):
                    return _failure(403, "a form of another page was sent here")
                caller = await self._admission.by_visit(visitor, project)
            else:
                kind, _, token = given[0].partition(b" ") if len(given) == 1 else (b"", b"", b"")
                if kind.lower() == b"bearer":
                    caller = await self._admission.by_token(token.strip().decode("latin-1"), project)
        except DaypackError as error:
            return failure_of(error, "this request")
        if caller is None:
            return _failure(401, self._admission.hint)
        scope[CALLER] = caller
        return None

    def _visitor(self, cookies: list[bytes]) -> Any | None:
        for part in b";".join(cookies).decode("latin-1").split(";"):
            name, _, value = part.strip().partition("=")
            if name == self._cookie:
                for cookie, visitor in [*self._visitors.items()]:
                    if secrets.compare_digest(value.encode(), cookie.encode()):
                        return visitor
        return None

    def _is_own(self, origin: str) -> bool:
        parts = urlsplit(origin)
        own = self._secure if parts.scheme == "https" else self._authorities if parts.scheme == "http" else ()
        return parts.netloc.lower() in own and origin == f"{parts.scheme}://{parts.netloc}"


def _authority(host: str) -> str:
    return f"[{host}]" if ":" in host else host.lower()


def _failure(status: int, message: str) -> Failure:
    return Failure(status, CODES[status], message)


def too_large(limit: int) -> str:
    return f"a body has at most {limit >> 20} MB"


def _is_within(limit: int, length: bytes) -> bool:
    return length.isdigit() and len(length) < 20 and int(length) <= limit


def _bounded(receive: Any) -> Any:
    """`receive` of a body with an end: beyond its size or its time it reports that the caller disconnected."""
    deadline = asyncio.get_running_loop().time() + SLOWEST_BODY
    size, over = 0, False

    async def bounded() -> dict[str, Any]:
        nonlocal size, over
        if over:
            return dict(await receive())
        try:
            async with asyncio.timeout_at(deadline):
                message: dict[str, Any] = await receive()
        except TimeoutError:
            return {"type": "http.disconnect"}
        size += len(message.get("body", b""))
        over = not message.get("more_body", False)
        return message if size <= LARGEST_BODY else {"type": "http.disconnect"}

    return bounded


def _is_person(scope: Scope) -> bool:
    """True for a browser that opens a page or sends a form."""
    accepted = b",".join(value for name, value in scope["headers"] if name.lower() == b"accept")
    return b"text/html" in accepted


async def _lead_to(send: Any, path: str) -> None:
    headers = [(b"location", path.encode()), (b"content-length", b"0"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _refuse(send: Any, refusal: Failure) -> None:
    body = problem_body(refusal.status, refusal.code, refusal.message)
    headers = []
    # The server reads the rest of a large body for a while: a client that still sends would lose the answer.
    if refusal.status != 413:
        headers.append((b"connection", b"close"))
    if refusal.status == 401:
        headers.append((b"www-authenticate", b'Bearer realm="daypack"'))
    await answer(send, refusal.status, body, more=headers)
