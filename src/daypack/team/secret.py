"""Personal tokens: `dpk_ID_SECRET`, of which the store keeps the ID, a salt, and a hash.

The secret is 32 random bytes, so one keyed hash is enough: no dictionary leads to it, and a slow hash would only make
every request slow. The salt, a key of BLAKE2b, makes equal secrets unequal rows and tables of hashes useless.
"""

from __future__ import annotations

import hashlib
import hmac
import re
from typing import NamedTuple

SECRET_BYTES, SALT_BYTES, ID_BYTES = 32, 16, 6
PREFIX = "dpk"
NOBODYS = bytes(SALT_BYTES), bytes(32)
"""A salt and a hash that no secret has: checked for an unknown ID, so that it takes as long as a known one."""
_FORM = re.compile(rf"{PREFIX}_([0-9a-f]{{{2 * ID_BYTES}}})_([A-Za-z0-9_-]{{43}})")


class Parsed(NamedTuple):
    """A token's ID and its secret."""

    id: str
    secret: str


def written(token_id: str, secret: str) -> str:
    """The token as its person gets it, once."""
    return f"{PREFIX}_{token_id}_{secret}"


def parsed(token: str) -> Parsed | None:
    """The parts of a token; None for a text of another form."""
    match = _FORM.fullmatch(token)
    return Parsed(match[1], match[2]) if match else None


def hashed(secret: str, salt: bytes) -> bytes:
    """The hash of a secret under its salt, 32 bytes."""
    return hashlib.blake2b(secret.encode(), key=salt, person=b"daypack-token", digest_size=32).digest()


def is_secret_of(secret: str, salt: bytes, kept: bytes) -> bool:
    """True when the secret has the kept hash; takes the same time for every wrong one."""
    return hmac.compare_digest(hashed(secret, salt), kept)
