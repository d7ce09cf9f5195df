"""Errors over HTTP in one shape: problem details (RFC 9457), from the gate, the router and the verbs alike."""

from __future__ import annotations

import json
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

MEDIA_TYPE = "application/problem+json"
ABOUT = {
    400: "The body is not a JSON object.",
    401: "The bearer token is missing, wrong or no longer valid.",
    403: "The request came from another origin, or the caller may not do this.",
    404: "Nothing has this path, reference or key.",
    405: "The path does not take this method; see Allow.",
    408: "The body took too long to arrive.",
    413: "The body is too large.",
    415: "The body is not application/json.",
    421: "The server does not have that name.",
    422: "An argument is missing, unknown or wrong.",
    429: "Too many calls are waiting; see Retry-After.",
    431: "The head of the request is too large.",
    500: "A fault of Daypack.",
    503: "The store or the model cannot be used now.",
}
CODES = {400: "bad_request", 401: "no_token", 403: "other_origin", 404: "not_found", 405: "wrong_method", 413: "too_large", 421: "other_name", 431: "large_head"}  # fmt: skip
SCHEMA = {
    "type": "object", "required": ["type", "title", "status", "detail", "code"], "additionalProperties": False,
    "properties": {
        "type": {"type": "string", "description": "about:blank: the status says the kind of problem."},
        "title": {"type": "string", "description": "The name of the status."},
        "status": {"type": "integer"},
        "detail": {"type": "string", "description": "The fault, its place, and the next step."},
        "code": {"type": "string", "description": "A name for programs, as bad_budget or not_found."},
    },
}  # fmt: skip


def problem(status: int, code: str, detail: str) -> dict[str, Any]:
    """The members of a problem; `code` is an extension of RFC 9457."""
    title = "Misdirected Request" if status == 421 else HTTPStatus(status).phrase
    return {"type": "about:blank", "title": title, "status": status, "detail": detail, "code": code}


async def answer(
    send: Any, status: int, body: bytes, kind: str = MEDIA_TYPE, more: Sequence[tuple[bytes, bytes]] = ()
) -> None:
    """Send a whole answer from a layer below the router."""
    headers = [(b"content-type", kind.encode()), (b"content-length", str(len(body)).encode()), *more]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def problem_body(status: int, code: str, detail: str) -> bytes:
    return json.dumps(problem(status, code, detail), ensure_ascii=False).encode("utf-8", "replace")
