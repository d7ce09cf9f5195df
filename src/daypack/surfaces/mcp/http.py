"""The protocol over streamable HTTP, behind the gate."""

from __future__ import annotations

from typing import Any

from mcp.server.lowlevel import Server
from mcp.server.transport_security import TransportSecuritySettings

from daypack.surfaces.http.gate import Gate

PATH = "/mcp"


def http_app(server: Server[Any], *, token: str, port: int, hosts: tuple[str, ...]) -> Gate:
    """An ASGI application that answers at /mcp. Host and Origin are checked by the gate, once, before anything else."""
    unchecked = TransportSecuritySettings(enable_dns_rebinding_protection=False)
    return Gate(server.streamable_http_app(streamable_http_path=PATH, transport_security=unchecked), token=token, port=port, hosts=hosts)
