"""Ablation: a pool and weights in which some signals have no effect, which shows the worth of these signals.

A signal that is left out has nothing to say in the same pool and blend. An arm that is left out leaves its weight to its
sibling, the unit's view to the context's and the other way round; without either, the other arms decide alone. Any other
signal adds nothing.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

import numpy as np

from daypack.errors import ConfigError
from daypack.rank.blend import BlendWeights, Features

_SIBLINGS = {
    "bm25": ("unit", "context"),
    "bm25_context": ("context", "unit"),
    "dense": ("dense", "dense_context"),
    "dense_context": ("dense_context", "dense"),
}
_NEUTRAL = {
    "symbol": 0.0,
    "name": 0.0,
    "trace": 0.0,
    "calls": 0.0,
    "path": 0.0,
    "exact": 0.0,
    "author": 0.0,
    "link": 0.0,
    "wording": np.nan,
    "prior": 1.0,
    "time": 1.0,
}
_WEIGHTS = {
    "coherence": ("coherence", "coherence_event"),
    "file": ("file", "lead", "stand"),
    "nearest": ("nearest",),
}
SIGNALS = (*_SIBLINGS, *_WEIGHTS, *_NEUTRAL)
"""Signals that can be left out, by the names that `--explain` shows; `time` is shown within `prior`."""


def leave_out(
    features: Features, weights: BlendWeights, without: Collection[str]
) -> tuple[Features, BlendWeights]:
    """A pool and weights to blend, in which the named signals have no effect.

    Raises ConfigError for an unknown name.
    """
    for name in without:
        if name not in SIGNALS:
            raise ConfigError(f"no signal {name!r} to leave out; choose from {', '.join(SIGNALS)}")
    columns: dict[str, Any] = {}
    for name in without:
        if name in _SIBLINGS:
            column, sibling = _SIBLINGS[name]
            both = next(other for other, (own, _) in _SIBLINGS.items() if own == sibling) in without
            nothing = np.full(len(features.unit), np.nan if "dense" in name else 0.0, dtype=np.float32)
            columns[column] = nothing if both else getattr(features, sibling)
        elif name in _NEUTRAL:
            columns[name] = np.full(len(features.unit), _NEUTRAL[name], dtype=np.float32)
    dropped = {field: 0.0 for name in without for field in _WEIGHTS.get(name, ())}
    return features._replace(**columns), weights._replace(**dropped)
