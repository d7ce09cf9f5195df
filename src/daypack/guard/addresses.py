"""Addresses that a fetch may connect to: public ones only, and no other spelling of this machine or its
neighbourhood.

127.0.0.1, ::1, 10.0.0.8, 169.254.169.254        refused: loopback, private, link-local, metadata
::ffff:10.0.0.8, 64:ff9b::a00:8, 2002:a00:8::    refused: an IPv4 address that is refused, inside an IPv6 one
2130706433, 0x7f.1, 0177.0.0.1                   refused as names, before they are resolved
"""

from __future__ import annotations

import ipaddress
import re

_NAT64 = (ipaddress.IPv6Network("64:ff9b::/96"), ipaddress.IPv6Network("64:ff9b:1::/48"))
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]*|\d+")


def why_not_public(address: str) -> str:
    """The reason to refuse an address, "" for a public one. A text that is not an address is refused."""
    try:
        found = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return "it is not an address"
    if isinstance(found, ipaddress.IPv6Address):
        for inner in _inside(found):
            if why := why_not_public(str(inner)):
                return f"{why}, inside an IPv6 address"
        if found.is_site_local:
            return "it is a private address"
    if found.is_loopback:
        return "it is this machine"
    if found.is_link_local:
        return "it is a link-local address"
    if found.is_multicast or found.is_unspecified or found.is_reserved:
        return "it is not the address of a host"
    return "" if found.is_global else "it is a private address"


def _inside(address: ipaddress.IPv6Address) -> list[ipaddress.IPv4Address]:
    """The IPv4 addresses that an IPv6 address stands for."""
    found = [inner for inner in (address.ipv4_mapped, address.sixtofour) if inner is not None]
    if address.teredo is not None:
        found += address.teredo
    if any(address in network for network in _NAT64) or (int(address) >> 32 == 0 and int(address) > 1):
        found.append(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
    return found


def is_disguised(host: str) -> bool:
    """True for a host that is a number but no usual IPv4 address: resolvers disagree about these."""
    parts = host.rstrip(".").split(".")
    if not all(_NUMBER.fullmatch(part) for part in parts[-1:]):
        return False
    return not re.fullmatch(r"(?:(?:0|[1-9]\d{0,2})\.){3}(?:0|[1-9]\d{0,2})", host)
