"""The description of the HTTP interface, made from the table of verbs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from daypack.surfaces.http import events, problems
from daypack.verbs import Access, Verb
from daypack.verbs.table import Parameter

PREFIX = "/v1"
LIMITS = {
    "RateLimit-Policy": {"description": "The calls that may wait or run at once.", "schema": {"type": "string"}},
    "RateLimit": {"description": "The calls that may still begin now.", "schema": {"type": "string"}},
}  # fmt: skip


def read_by_get(verb: Verb) -> bool:
    """True for a verb that changes nothing and asks nothing of another machine: GET answers it too."""
    return verb.access is Access.READ and not verb.fetches


def openapi(verbs: Mapping[str, Verb], *, version: str) -> dict[str, Any]:
    """The OpenAPI document of these verbs, in their order."""
    by_gate = (401, 403, 421, 431)
    refusals = {str(status): _refusal(status) for status in problems.ABOUT}
    paths: dict[str, Any] = {
        "/health": {"get": {
            "summary": "Tells that the server runs.", "security": [], "operationId": "health",
            "responses": {"200": _json(
                {"type": "object", "required": ["status", "version"], "properties": {
                    "status": {"type": "string"}, "version": {"type": "string"}}}, "It does."),
                **{status: refusals[status] for status in map(str, by_gate)}},
        }},
    }  # fmt: skip
    for name, verb in verbs.items():
        answers = {"200": _answered(verb), **refusals}
        shared = {"summary": verb.about, "tags": [verb.toolset], "responses": answers}
        item: dict[str, Any] = {}
        if read_by_get(verb):
            parameters = [_parameter(one) for one in verb.parameters]
            item["get"] = {"operationId": f"get_{name}", **shared, "parameters": parameters}
        body = {"content": {"application/json": {"schema": verb.schema()}}}
        required = bool(verb.schema().get("required"))
        item["post"] = {"operationId": name, **shared, "requestBody": {"required": required, **body}}
        paths[f"{PREFIX}/{name}"] = item
    return {
        "openapi": "3.1.0",
        "info": {"title": "Daypack", "version": version, "summary": "Everything that a task needs, and no more."},
        "security": [{"token": []}],
        "paths": paths,
        "components": {
            "schemas": {"Problem": problems.SCHEMA},
            "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
        },
    }  # fmt: skip


def result_schema(verb: Verb) -> dict[str, Any]:
    """The JSON Schema of an answer of the verb: its data, or a text with facts beside it."""
    if verb.result is not None:
        return dict(verb.result)
    return {
        "type": "object", "required": ["name", "text", "details"], "additionalProperties": False,
        "properties": {
            "name": {"const": verb.name, "type": "string"},
            "text": {"type": "string"},
            "details": dict(verb.details or {"type": "object"}),
        },
    }  # fmt: skip


def _answered(verb: Verb) -> dict[str, Any]:
    found = _json(result_schema(verb), "The answer; as events for Accept: text/event-stream.")
    found["content"][events.MEDIA_TYPE] = {"schema": {"type": "string"}}
    return {**found, "headers": LIMITS}


def _parameter(one: Parameter) -> dict[str, Any]:
    schema = one.schema()
    about = schema.pop("description", None)
    found: dict[str, Any] = {"name": one.name, "in": "query", "required": one.required}
    if about:
        found["description"] = about
    if one.type in (dict, object):
        return {**found, "content": {"application/json": {"schema": schema}}}
    return {**found, "schema": schema}


def _refusal(status: int) -> dict[str, Any]:
    schema = {"$ref": "#/components/schemas/Problem"}
    found: dict[str, Any] = {"description": problems.ABOUT[status]}
    if status in (429, 503):
        found["headers"] = {"Retry-After": {"description": "Seconds.", "schema": {"type": "string"}}}
    return {**found, "content": {problems.MEDIA_TYPE: {"schema": schema}}}


def _json(schema: dict[str, Any], about: str) -> dict[str, Any]:
    return {"description": about, "content": {"application/json": {"schema": schema}}}
