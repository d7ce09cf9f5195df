"""The protocol over streamable HTTP, behind the gate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from daypack.surfaces.http.gate import Gate, OneToken
from daypack.surfaces.mcp import sdk

if TYPE_CHECKING:
    from starlette.applications import Starlette

PATH = "/mcp"


def agents_app(server: Any) -> Starlette:
    """The protocol at /mcp. The gate before it checks Host and Origin once."""
    found: Starlette = sdk.http_app(server, PATH)
    return found


def http_app(server: Any, *, token: str, port: int, hosts: tuple[str, ...]) -> Gate:
    """The protocol behind the gate, alone."""
    return Gate(agents_app(server), admission=OneToken(token), port=port, hosts=hosts)
