"""Names of hosts in URLs."""

from __future__ import annotations

import ipaddress


def is_loopback(host: str) -> bool:
    """True for a name or an address that leads to this machine alone, by itself and without a resolution."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
