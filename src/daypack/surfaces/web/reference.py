"""The reference of the HTTP interface as a page, made from the OpenAPI document, without files of other machines."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from daypack.surfaces.web.shell import html


def route(document: Mapping[str, Any]) -> Route:
    operations = _operations(document)
    problems = document["paths"]["/health"]["get"]["responses"]

    async def answer(request: Request) -> Response:  # noqa: ARG001
        facts = {"groups": operations, "info": document["info"], "problems": problems}
        return html("reference.html", "/docs", facts, code=200)

    return Route("/docs", answer)


def _operations(document: Mapping[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """Tag → its operations, in the order of the document."""
    found: dict[str, list[dict[str, Any]]] = {}
    for path, item in document["paths"].items():
        if "post" not in item:
            continue
        post = item["post"]
        schema = post["requestBody"]["content"]["application/json"]["schema"]
        required = schema.get("required", [])
        arguments = [
            {"name": name, "kind": _kind(one), "about": one.get("description", ""),
             "default": json.dumps(one["default"]) if "default" in one else "", "required": name in required}
            for name, one in schema["properties"].items()
        ]  # fmt: skip
        answer = post["responses"]["200"]["content"]["application/json"]["schema"]
        found.setdefault(post["tags"][0], []).append(
            {
                "path": path,
                "methods": " ".join(method.upper() for method in item),
                "summary": post["summary"],
                "arguments": arguments,
                "body": json.dumps({name: _example(schema["properties"][name]) for name in required}),
                "answer": json.dumps(answer, indent=1),
            }
        )
    return found


def _kind(schema: Mapping[str, Any]) -> str:
    if "enum" in schema:
        return " | ".join(map(str, schema["enum"]))
    if schema.get("type") == "array":
        return f"list of {_kind(schema.get('items', {}))}"
    bounds = [f"{schema[name]:,}" for name in ("minimum", "maximum") if name in schema]
    return f"{schema.get('type', 'JSON')} {' to '.join(bounds)}".rstrip()


def _example(schema: Mapping[str, Any]) -> Any:
    return {"array": ["…"], "integer": 1, "number": 1, "boolean": True, "object": {}}.get(
        schema.get("type", ""), "…"
    )
