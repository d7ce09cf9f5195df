"""Tuned weights of ranking in words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def weights_text(named: Mapping[str, float]) -> str:
    """ "dense x1.5, coherence x0.5"."""
    return ", ".join(f"{name} x{factor:g}" for name, factor in named.items())


def described(factors: Mapping[Any, Mapping[str, float]]) -> str:
    """ "prose dense x1.5, coherence x0.5; code file x2"; "" of none."""
    return "; ".join(f"{kind} {weights_text(named)}" for kind, named in factors.items())
