"""The verbs over HTTP: `POST /v1/VERB` with a JSON object of arguments, and for verbs that only read
`GET /v1/VERB?name=value`; described by `/openapi.json`. Made from the table.

A verb that gives text answers `{"name", "text", "details"}`, one that gives data answers the data, both within the
bounds of the answers to agents. A failure is a problem (RFC 9457) with a status that tells the side at fault: 4xx
the caller, 503 the store. With `Accept: text/event-stream` the answer comes as events, progress first.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Awaitable, Callable, Mapping
from types import MappingProxyType
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from daypack.errors import BadJson
from daypack.ports import Progress
from daypack.shapes.strict_json import read_json
from daypack.surfaces.failures import Failure, failure_of
from daypack.surfaces.host import Host
from daypack.surfaces.http import events, problems
from daypack.surfaces.http.gate import LARGEST_CALL, too_large
from daypack.surfaces.http.jobs import JOBS, Job
from daypack.surfaces.http.openapi import PREFIX, openapi, read_by_get
from daypack.surfaces.mcp.bounds import bounded_answer
from daypack.surfaces.team.seats import Seats
from daypack.surfaces.toolsets import verbs as all_verbs
from daypack.verbs import Access, Answer, Verb
from daypack.verbs.table import Parameter

SLOWEST_BODY = 15.0  # seconds from the first byte of a body to its last
SLOWEST_CALL = 120.0
SLOWEST_JOB = 3600.0
MOST_AT_ONCE = 32  # calls of this server that wait or run
RETRY_SECONDS = 2


class Refused(Exception):
    """A request that is answered with an error before its verb is called."""

    def __init__(self, status: int, code: str, message: str) -> None:
        self.failure = Failure(status, code, message)
        super().__init__(message)


class Calls:
    """The calls of a server that wait or run."""

    def __init__(self) -> None:
        self._running = 0

    def __enter__(self) -> None:
        if self._running >= MOST_AT_ONCE:
            raise Refused(429, "too_busy", f"{MOST_AT_ONCE} calls are waiting already; try again in a moment")
        self._running += 1

    def __exit__(self, *_: object) -> None:
        self._running -= 1

    def headers(self) -> dict[str, str]:
        """The limit and the rest (draft-ietf-httpapi-ratelimit-headers)."""
        left = max(0, MOST_AT_ONCE - self._running)
        policy = f'"calls";q={MOST_AT_ONCE};qu="concurrent-requests"'
        return {"RateLimit-Policy": policy, "RateLimit": f'"calls";r={left}'}


def described(host: Host | Seats, *, version: str) -> dict[str, Any]:
    """The OpenAPI document of what a host offers."""
    return openapi(offered(host), version=version)


def offered(host: Host | Seats) -> dict[str, Verb]:
    """The verbs of a host, and the jobs where it may write and read the files of this machine."""
    return {**host.verbs, **(JOBS if host.local and host.ceiling is not Access.READ else {})}


def routes(hosts: Host | Seats, document: Mapping[str, Any]) -> list[Route]:
    rest = _Rest(hosts, document)
    verbs = (
        Route(
            f"{PREFIX}/{name}",
            rest.answering(verb),
            methods=["GET", "POST"] if read_by_get(verb) else ["POST"],
        )
        for name, verb in offered(hosts).items()
    )
    refused = (
        Route(f"{PREFIX}/{name}", rest.refusing(name), methods=["GET", "POST"])
        for name in all_verbs()
        if name not in hosts.verbs
    )
    return [Route("/health", rest.health), Route("/openapi.json", rest.description), *verbs, *refused]


class _Rest:
    """The endpoints of the verbs that `hosts` offer."""

    def __init__(self, hosts: Host | Seats, document: Mapping[str, Any]) -> None:
        self._hosts, self._document = hosts, document
        self._calls = Calls()

    async def description(self, request: Request) -> Response:  # noqa: ARG002
        return JSONResponse(self._document)

    async def health(self, request: Request) -> Response:  # noqa: ARG002
        if not await self._hosts.is_healthy():
            problem = "the store of the server cannot be read; an administrator finds the reason in the server's log"
            return failed(Failure(503, "unhealthy", problem), {})
        return JSONResponse({"status": "ok", "version": self._document["info"]["version"]})

    def answering(self, verb: Verb) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint of a verb."""

        async def answer(request: Request) -> Response:
            host = self._hosts.of(request.scope)
            try:
                arguments = (
                    _from_query(request, verb) if request.method != "POST" else await read_arguments(request)
                )
                if events.MEDIA_TYPE in request.headers.get("accept", ""):
                    return self._stream(host, verb, arguments)
                with self._calls:
                    found = await self._tried(host, verb, arguments)
            except Refused as refused:
                return failed(refused.failure, self._calls.headers())
            except ClientDisconnect:
                return Response(status_code=400)
            if isinstance(found, Failure):
                return failed(found, self._calls.headers())
            return JSONResponse(found, headers=self._calls.headers())

        return answer

    def refusing(self, name: str) -> Callable[[Request], Awaitable[Response]]:
        """The endpoint of a verb that the server does not offer."""

        async def refuse(request: Request) -> Response:
            host = self._hosts.of(request.scope)
            step = "; `daypack serve --tools all` offers all" if host.lacks_toolset(name) else ""
            return failed(
                Failure(404, "not_offered", host.why_not(name, host.verbs) + step), self._calls.headers()
            )

        return refuse

    def _stream(self, host: Host, verb: Verb, arguments: Mapping[str, Any]) -> Response:
        with self._calls:  # refused now, as long as the status can say so
            pass
        told = events.stream(lambda progress: self._as_events(host, verb, arguments, progress))
        headers = {"Cache-Control": "no-store", **self._calls.headers()}
        return StreamingResponse(told, media_type=events.MEDIA_TYPE, headers=headers)

    async def _as_events(
        self, host: Host, verb: Verb, arguments: Mapping[str, Any], progress: Progress
    ) -> tuple[str, Any]:
        found: Failure | dict[str, Any]
        try:
            with self._calls:
                found = await self._tried(host, verb, arguments, progress)
        except Refused as refused:  # the last free place went to another call since the stream began
            found = refused.failure
        if isinstance(found, Failure):
            return "problem", problems.problem(found.status, found.code, found.message)
        return "result", found

    async def _tried(
        self, host: Host, verb: Verb, arguments: Mapping[str, Any], progress: Progress | None = None
    ) -> Failure | dict[str, Any]:
        try:
            return await _called(host, verb, arguments, progress)
        except TimeoutError:
            problem = f"{verb.name} took too long and was stopped; finished work is stored, ask again"
            return Failure(503, "too_slow", problem)
        except Exception as error:
            failure = failure_of(error, verb.name, offered(self._hosts))
            return Failure(422, failure.code, failure.message) if failure.status == 400 else failure


async def _called(
    host: Host, verb: Verb, arguments: Mapping[str, Any], progress: Progress | None
) -> dict[str, Any]:
    """The answer of a verb within its bounds, as data."""
    if verb is JOBS.get(verb.name):
        given = verb.arguments(arguments)
        work = host.run(
            lambda daypack, step: verb.answer(Job(daypack, step), given), progress=progress, conversation=""
        )
        found: Answer | dict[str, Any] = await asyncio.wait_for(work, SLOWEST_JOB)
    else:
        work = host.call(verb.name, arguments, progress=progress)
        found = await asyncio.wait_for(work, SLOWEST_CALL)
    found = bounded_answer(found, verb, arguments)
    if isinstance(found, Answer):
        return {"name": verb.name, "text": found.text, "details": dict(found.details)}
    return found


def endpoint_of(
    work: Callable[[Request], Awaitable[dict[str, Any]]], name: str
) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint that answers with the data of `work`, or with its failure, which names the call."""

    async def answer(request: Request) -> Response:
        try:
            found = await work(request)
        except Refused as refused:
            return failed(refused.failure)
        except Exception as error:
            return failed(failure_of(error, name))
        return JSONResponse(found, headers={"Cache-Control": "no-store"})

    return answer


async def not_routed(_: Request, error: Exception) -> Response:
    """The problem for a path or method that no route takes."""
    assert isinstance(error, HTTPException)
    allowed = f"; allowed: {(error.headers or {}).get('Allow', '')}" if error.status_code == 405 else ""
    said = f"{problems.ABOUT.get(error.status_code, error.detail).rstrip('.')}{allowed}; /openapi.json lists the paths"
    code = problems.CODES.get(error.status_code, "refused")
    return failed(Failure(error.status_code, code, said), dict(error.headers or {}))


def failed(failure: Failure, headers: Mapping[str, str] = MappingProxyType({})) -> Response:
    """The problem of a failure."""
    seconds = RETRY_SECONDS if failure.seconds is None else math.ceil(failure.seconds)
    later = {"Retry-After": str(seconds)} if failure.status in (429, 503) else {}
    body = problems.problem_body(failure.status, failure.code, failure.message)
    return Response(body, failure.status, {**headers, **later}, problems.MEDIA_TYPE)


def _from_query(request: Request, verb: Verb) -> dict[str, Any]:
    """The arguments in the query of a GET; a list repeats its name. Raises Refused for broken JSON, and for
    another name that is repeated.
    """
    known = {one.name: one for one in verb.parameters}
    return {
        name: _read(known[name], request.query_params.getlist(name)) if name in known else ""
        for name in request.query_params
    }


def _read(parameter: Parameter, texts: list[str]) -> Any:
    """The value that texts of a query stand for; other text stays, and the verb refuses it in words."""
    if parameter.type is list:
        return texts
    if len(texts) > 1:
        raise Refused(422, "bad_input", f"{parameter.name} is given {len(texts)} times; give it once")
    text = texts[0]
    if parameter.type is bool:
        return {"true": True, "false": False}.get(text, text)
    if parameter.type is int and re.fullmatch(r"-?[0-9]{1,18}", text):
        return int(text)
    if parameter.type is float and re.fullmatch(r"-?[0-9]{1,18}(\.[0-9]{1,18})?", text):
        return float(text)
    if parameter.type in (dict, object):
        try:
            return read_json(text, what=parameter.name)
        except BadJson as error:
            raise Refused(422, "bad_input", f"{parameter.name} is not JSON: {error}") from None
    return text


async def read_arguments(request: Request) -> Mapping[str, Any]:
    """The arguments in a request's body. Raises Refused."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("", "application/json"):
        raise Refused(415, "not_json", "send application/json")
    try:
        body = await asyncio.wait_for(_body(request), SLOWEST_BODY)
    except TimeoutError:
        raise Refused(408, "too_slow", f"the body did not arrive within {SLOWEST_BODY:.0f} s") from None
    if body and not kind:  # a call without arguments needs no body, and so no type of one
        raise Refused(415, "not_json", "send application/json")
    try:
        data = read_json((body or b"{}").decode("utf-8-sig"), what="the body")
    except UnicodeDecodeError:
        raise Refused(400, "not_json", "the body is not UTF-8; send JSON in UTF-8") from None
    except BadJson as error:
        raise Refused(400, "not_json", f"the body is not JSON: {error}") from None
    if not isinstance(data, dict):
        raise Refused(400, "not_json", "the body must be a JSON object of arguments")
    return data


async def _body(request: Request) -> bytes:
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > LARGEST_CALL:  # the gate looks at a declared length alone
            raise Refused(413, "too_large", too_large(LARGEST_CALL))
        parts.append(part)
    return b"".join(parts)
