"""Proofs that a client holds a text, without the text: pure functions over its bytes.

    mark    names the text: the hash that a store gives to embedded text
    key     another hash of the same bytes; neither of the two tells the other
    proof   the key's answer to a nonce that counts once

A server that has mark and key, and no text, can tell whether a client has the bytes.
"""

from __future__ import annotations

import hmac
from hashlib import blake2b, sha256

MARK_BYTES, KEY_BYTES, NONCE_BYTES = 16, 32, 32
_KEY = b"daypack holds"  # keeps the key apart from every other hash of a text


def key_of(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=KEY_BYTES, person=_KEY).digest()


def proof_of(key: bytes, nonce: bytes, mark: bytes) -> bytes:
    """The answer of a text's key to a nonce, for one mark alone."""
    return hmac.new(key, nonce + mark, sha256).digest()


def proves(proof: bytes, key: bytes, nonce: bytes, mark: bytes) -> bool:
    return hmac.compare_digest(proof, proof_of(key, nonce, mark))
