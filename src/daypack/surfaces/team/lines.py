"""Lines of versions and vectors, as a team server and the stores that follow it exchange them."""

from __future__ import annotations

import base64
import json
import math
from collections.abc import Iterable, Mapping
from typing import Any

from daypack.errors import InputError

PATH, VECTORS = "/v1/team/memories", "/v1/team/vectors"


def versions(lines: Iterable[str]) -> list[str]:
    """The lines of versions and of forgotten keys, without those that tell of the use of a key. Raises ValueError and
    AttributeError for a line of another form.
    """
    return [line for line in lines if {"recorded_at", "gone"} & json.loads(line).keys()]


def vector_in(row: Mapping[str, Any], dim: int) -> tuple[float, bytes]:
    """(scale, codes) of a vector in JSON. Raises InputError for another form or another number of dimensions."""
    scale, said = row.get("scale"), row.get("codes")
    try:
        codes = base64.b64decode(said, validate=True) if isinstance(said, str) else b""
    except ValueError:
        codes = b""
    if (
        not isinstance(scale, int | float)
        or not math.isfinite(scale)
        or not 0 <= scale <= 1
        or len(codes) != dim
    ):
        raise InputError(f"a vector must have a scale from 0 to 1, and {dim} codes in base64")
    return float(scale), codes


def vector_out(scale: float, codes: bytes) -> dict[str, Any]:
    """A vector as JSON."""
    return {"scale": scale, "codes": base64.b64encode(codes).decode()}
