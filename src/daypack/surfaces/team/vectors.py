"""`/v1/team/vectors`: vectors of files that a colleague has embedded, for those who prove that they hold the text.

    POST challenge                                   → a nonce for the caller, which counts once
    POST take   model, nonce, a proof for each mark  → vectors of the marks whose proof is right
    POST give   model, a mark, key and vector for each text

An unknown mark and a false proof have the same answer: none. The vectors of a project stand in a store of their own beside it, where
no verb looks. A person exchanges them, not an agent: this is not a verb.
"""

from __future__ import annotations

import secrets
import time
from collections import OrderedDict
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.routing import Route

from daypack.errors import InputError
from daypack.surfaces.http import rest
from daypack.surfaces.team.lines import VECTORS, vector_in, vector_out
from daypack.team import vectors
from daypack.team.proofs import KEY_BYTES, MARK_BYTES, NONCE_BYTES
from daypack.verbs import Access

if TYPE_CHECKING:
    from daypack.api import Daypack
    from daypack.surfaces.team.seats import Seats

SECONDS = 60.0  # for which a nonce waits for its proofs
MOST_NONCES = 4096
MOST = 1000  # texts of one request
MOST_DIM = 4096


class Nonces:
    """The nonces of a server that no proof has used yet."""

    def __init__(self) -> None:
        self._waiting: OrderedDict[bytes, tuple[tuple[int, int], float]] = OrderedDict()

    def new(self, whose: tuple[int, int]) -> bytes:
        nonce = secrets.token_bytes(NONCE_BYTES)
        self._waiting[nonce] = whose, time.monotonic()
        if len(self._waiting) > MOST_NONCES:
            self._waiting.popitem(last=False)
        return nonce

    def take(self, nonce: bytes, whose: tuple[int, int]) -> None:
        """Use a nonce of a person in a project. Raises InputError for one of another person, a used or an old one."""
        owner, made = self._waiting.pop(nonce, (None, 0.0))
        if owner != whose or time.monotonic() - made > SECONDS:
            raise InputError("the nonce is not one that waits for you; ask for a new challenge")


def routes(hosts: Seats) -> list[Route]:
    nonces = Nonces()

    async def challenge(request: Request) -> dict[str, Any]:
        host = hosts.of(request.scope)
        async with host.act("vectors/challenge", Access.READ):
            return {"nonce": nonces.new(host.place).hex()}

    async def take(request: Request) -> dict[str, Any]:
        host = hosts.of(request.scope)
        body = await rest.read_arguments(request)
        async with host.act("vectors/take", Access.READ) as facts:
            model, dim = _model(body)
            nonce = _bytes(body.get("nonce"), NONCE_BYTES, "nonce")
            proofs = body.get("proofs")
            if not isinstance(proofs, dict) or len(proofs) > MOST:
                raise InputError(f"proofs must be an object of at most {MOST} marks")
            given = {
                _bytes(mark, MARK_BYTES, "a mark"): _bytes(one, 32, "a proof") for mark, one in proofs.items()
            }
            nonces.take(nonce, host.place)

            found = await hosts.vectors_of(
                host, lambda daypack: vectors.proven(daypack.engine.store, model, dim, nonce, given)
            )
            facts |= {"asked": len(given), "given": len(found)}
            return {"vectors": {mark.hex(): vector_out(*one) for mark, one in found.items()}}

    async def give(request: Request) -> dict[str, Any]:
        host = hosts.of(request.scope)
        body = await rest.read_arguments(request)
        async with host.act("vectors/give", Access.WRITE) as facts:
            model, dim = _model(body)
            rows = body.get("vectors")
            if not isinstance(rows, list) or len(rows) > MOST:
                raise InputError(f"vectors must be a list of at most {MOST}")
            checked = [_row(row, dim) for row in rows]

            def kept(daypack: Daypack) -> int:
                store = daypack.engine.store
                hosts.books.ledger.check_room(host.caller.project, store.size())
                return vectors.keep(store, model, dim, checked)

            new = await hosts.vectors_of(host, kept)
            facts |= {"vectors": len(checked), "added": new}
            return {"added": new}

    works = {"challenge": challenge, "take": take, "give": give}
    return [
        Route(f"{VECTORS}/{name}", rest.endpoint_of(work, "vectors"), methods=["POST"])
        for name, work in works.items()
    ]


def _model(body: Mapping[str, Any]) -> tuple[str, int]:
    model, dim = body.get("model"), body.get("dim")
    if (
        not isinstance(model, str)
        or not 0 < len(model) <= 200
        or not isinstance(dim, int)
        or not 0 < dim <= MOST_DIM
    ):
        raise InputError("model and dim must name the model of the vectors, and its dimensions")
    return model, dim


def _bytes(text: Any, size: int, what: str) -> bytes:
    try:
        found = bytes.fromhex(text)
    except (TypeError, ValueError):
        found = b""
    if len(found) != size:
        raise InputError(f"{what} must be {size} bytes in hex digits")
    return found


def _row(row: Any, dim: int) -> tuple[bytes, float, bytes]:
    """(mark and key, scale, codes) of a vector that a client gives. Raises InputError."""
    if not isinstance(row, dict):
        raise InputError("a vector must be an object with mark, key, scale and codes")
    mark, key = _bytes(row.get("mark"), MARK_BYTES, "a mark"), _bytes(row.get("key"), KEY_BYTES, "a key")
    return mark + key, *vector_in(row, dim)
