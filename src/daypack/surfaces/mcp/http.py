"""The protocol over streamable HTTP, behind the gate."""

from __future__ import annotations

from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette

from daypack.surfaces.http.gate import Gate

PATH = "/mcp"


def agents_app(server: Server[Any]) -> Starlette:
    """The protocol at /mcp. The gate before it checks Host and Origin once."""
    unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return server.streamable_http_app(streamable_http_path=PATH, transport_security=unchecked)


def http_app(server: Server[Any], *, token: str, port: int, hosts: tuple[str, ...]) -> Gate:
    """The protocol behind the gate, alone."""
    return Gate(agents_app(server), token=token, port=port, hosts=hosts)
