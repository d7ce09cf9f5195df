"""Hosts of URLs."""

from __future__ import annotations

import ipaddress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from urllib.parse import SplitResult


def is_loopback(host: str) -> bool:
    """True for a name or an address that leads to this machine alone, by itself and without a resolution."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_safe(parts: SplitResult) -> bool:
    """True for a URL that no one reads on the way: https, or http to this machine."""
    host = parts.hostname or ""
    return bool(host) and (parts.scheme == "https" or (parts.scheme == "http" and is_loopback(host)))
