"""The verbs over HTTP: `POST /api/VERB` with a JSON object of arguments, described by `/openapi.json`. Made
from the table.

A verb that gives text answers `{"text", "details"}`, one that gives data answers the data. A failure is
`{"error": {"code", "message"}}` with a status that tells the side at fault: 4xx the caller, 503 the store.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from daypack.errors import BadJson
from daypack.shapes.strict_json import read_json
from daypack.surfaces.failures import Failure, failure_of
from daypack.surfaces.host import Host
from daypack.verbs import Answer, Verb

LARGEST_BODY = 4 << 20
SLOWEST_BODY = 15.0  # seconds from the first byte of a body to its last
SLOWEST_CALL = 120.0
MOST_AT_ONCE = 32  # calls of this server that wait or run
RETRY_SECONDS = 2

ERROR = {
    "type": "object", "required": ["error"], "additionalProperties": False,
    "properties": {"error": {
        "type": "object", "required": ["code", "message"], "additionalProperties": False,
        "properties": {"code": {"type": "string"}, "message": {"type": "string"}},
    }},
}  # fmt: skip
TEXT = {
    "type": "object", "required": ["text", "details"], "additionalProperties": False,
    "properties": {"text": {"type": "string"}, "details": {"type": "object"}},
}  # fmt: skip
REFUSALS = {
    "400": "The body is not a JSON object, or an argument is missing, unknown or wrong.",
    "401": "The bearer token is missing or wrong.",
    "403": "The request came from another origin.",
    "404": "Nothing has this reference or key.",
    "405": "Calls are made with POST.",
    "408": "The body took too long to arrive.",
    "413": "The body is too large.",
    "415": "The body is not application/json.",
    "421": "The server does not have that name.",
    "429": "Too many calls are waiting; see Retry-After.",
    "431": "The head of the request is too large.",
    "500": "A fault of Daypack.",
    "503": "The store or the model cannot be used now.",
}


class Refused(Exception):
    """A request that is answered with an error before its verb is called."""

    def __init__(self, status: int, code: str, message: str) -> None:
        self.failure = Failure(status, code, message)
        super().__init__(message)


def routes(host: Host, *, version: str) -> list[Route]:
    document = openapi(host.verbs, version=version)
    calls = asyncio.Semaphore(MOST_AT_ONCE)

    async def described(request: Request) -> Response:  # noqa: ARG001
        return JSONResponse(document)

    async def health(request: Request) -> Response:  # noqa: ARG001
        return JSONResponse({"status": "ok", "version": version})

    def called(verb: Verb) -> Callable[[Request], Awaitable[Response]]:
        async def answer(request: Request) -> Response:
            try:
                arguments = await _arguments(request)
                if calls.locked():
                    raise Refused(
                        429, "too_busy", f"{MOST_AT_ONCE} calls are waiting already; try again in a moment"
                    )
                async with calls:
                    found = await asyncio.wait_for(host.call(verb.name, arguments), SLOWEST_CALL)
            except Refused as refused:
                return _failed(refused.failure)
            except TimeoutError:
                return _failed(
                    Failure(
                        503,
                        "too_slow",
                        f"it took more than {SLOWEST_CALL:.0f} s; finished work is stored, ask again",
                    )
                )
            except ClientDisconnect:
                return Response(status_code=400)
            except Exception as error:
                return _failed(failure_of(error, verb.name))
            return JSONResponse(
                {"text": found.text, "details": dict(found.details)} if isinstance(found, Answer) else found
            )

        return answer

    return [
        Route("/health", health),
        Route("/openapi.json", described),
        *(Route(f"/api/{name}", called(verb), methods=["POST"]) for name, verb in host.verbs.items()),
    ]


def _failed(failure: Failure) -> JSONResponse:
    headers = {"Retry-After": str(RETRY_SECONDS)} if failure.status in (429, 503) else None
    return JSONResponse(
        {"error": {"code": failure.code, "message": failure.message}},
        status_code=failure.status,
        headers=headers,
    )


async def _arguments(request: Request) -> Mapping[str, Any]:
    """The arguments in a request's body. Raises Refused."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in ("", "application/json"):
        raise Refused(415, "not_json", "send application/json")
    length = request.headers.get("content-length", "0")
    if not (length.isascii() and length.isdigit() and len(length) < 20) or int(length) > LARGEST_BODY:
        raise _too_large()
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


def _too_large() -> Refused:
    return Refused(413, "too_large", f"a body has at most {LARGEST_BODY >> 20} MB")


async def _body(request: Request) -> bytes:
    parts, size = [], 0
    async for part in request.stream():
        size += len(part)
        if size > LARGEST_BODY:
            raise _too_large()
        parts.append(part)
    return b"".join(parts)


def openapi(verbs: Mapping[str, Verb], *, version: str) -> dict[str, Any]:
    """The description of the whole interface, in the order of the table."""
    refusals = {
        status: {
            "description": about,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Error"}}},
        }
        for status, about in REFUSALS.items()
        if status not in ("401", "403", "421", "431")  # sent by the gate, in plain text
    }
    gate = {
        status: {"description": REFUSALS[status], "content": {"text/plain": {"schema": {"type": "string"}}}}
        for status in ("401", "403", "421", "431")
    }
    paths: dict[str, Any] = {
        "/health": {"get": {
            "summary": "Tells that the server runs.", "security": [], "operationId": "health",
            "responses": {"200": _json({"type": "object", "required": ["status", "version"]}, "It does."), **gate},
        }},
    }  # fmt: skip
    for name, verb in verbs.items():
        paths[f"/api/{name}"] = {
            "post": {
                "operationId": name,
                "summary": verb.about,
                "tags": [verb.toolset],
                "requestBody": {
                    "required": bool(verb.schema().get("required")),
                    "content": {"application/json": {"schema": verb.schema()}},
                },
                "responses": {
                    "200": _json(
                        dict(verb.result) if verb.result else {"$ref": "#/components/schemas/Text"},
                        "The answer.",
                    ),
                    **refusals,
                    **gate,
                },
            }
        }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Daypack",
            "version": version,
            "summary": "Everything that a task needs, and no more.",
        },
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": {"Error": ERROR, "Text": TEXT},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }


def _json(schema: dict[str, Any], about: str) -> dict[str, Any]:
    return {"description": about, "content": {"application/json": {"schema": schema}}}
