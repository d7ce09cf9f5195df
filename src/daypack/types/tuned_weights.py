"""Ranking weights that were fitted on a user's own questions, as the store keeps them.

    {"daypack_fitted_weights": 1, "weights": {"prose": {"dense": 1.5}}, "embedder": "minilm-…",
     "evidence": {"suite": "pay", …, "kinds": {"prose": {"cases": 64, "gain": [0.043, 0.012, 0.074], …}}}, "sha256": "…"}

A weight is a factor of the default: 1 is the default, 0 leaves the signal out. So the question decides as
much as by default, and a later version's better default still takes effect. The hash is over everything else,
as canonical JSON.
"""

from __future__ import annotations

import enum
import json
import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from daypack.errors import FittedWeightsDamaged
from daypack.types import VectorMode

SCHEMA = 1
MOST = 4.0  # the largest accepted factor


class ChunkKind(enum.StrEnum):
    """Chunks that share weights."""

    PROSE = "prose"
    EVENTS = "events"
    CODE = "code"


Factors = Mapping[ChunkKind, Mapping[str, float]]
"""ChunkKind → weight → factor of its default, finite and from 0 to MOST; unnamed weights stay as they are."""
DEFAULTS: Factors = MappingProxyType({})

WEIGHTS: Mapping[ChunkKind, tuple[str, ...]] = {
    ChunkKind.PROSE: ("dense", "context", "coherence"),
    ChunkKind.EVENTS: ("dense", "context", "coherence", "author"),
    ChunkKind.CODE: ("dense", "name", "file"),
}
"""The weights that can be fitted: meaning against words, neighbours against the text itself, and the signals
that `--explain` calls coherence, author, name and file.
"""

Interval = tuple[float, float, float]
"""A mean, and the ends of its 95 % interval."""


class Evidence(NamedTuple):
    """The worth of the weights of one kind: nDCG@10 over the measured cases, each on folds that its weights
    were not chosen on.
    """

    cases: int
    default: Interval
    held_out: Interval
    gain: Interval  # held out minus default, paired


class Fitted(NamedTuple):
    """Weights and what they were fitted on.

    `created` is Unix seconds; `embedder` is "" where words alone ranked.
    """

    weights: Factors
    embedder: str
    suite: str
    suite_digest: str
    vectors: VectorMode
    folds: int
    created: float
    version: str  # of Daypack
    evidence: Mapping[ChunkKind, Evidence]

    def factors(self, embedder: str) -> Factors:
        """The weights for an answer that was made with this model, "" for none: they were measured with one
        model, and do not apply to another.
        """
        return self.weights if embedder == self.embedder else DEFAULTS

    def summary(self) -> dict[str, Any]:
        """The weights and their evidence in the form of a status, ready for JSON."""
        return {
            "weights": {kind.value: dict(named) for kind, named in self.weights.items()},
            "embedder": self.embedder,
            "suite": self.suite,
            "created": self.created,
            "daypack": self.version,
            "gain": {kind.value: [*one.gain] for kind, one in self.evidence.items()},
        }


def to_json(fitted: Fitted) -> str:
    """One line of JSON with its hash; `from_json` gives the same back."""
    content = {
        "daypack_fitted_weights": SCHEMA,
        "weights": {kind.value: dict(factors) for kind, factors in fitted.weights.items()},
        "embedder": fitted.embedder,
        "evidence": {
            "suite": fitted.suite, "suite_digest": fitted.suite_digest, "vectors": fitted.vectors.value, "folds": fitted.folds,
            "created": fitted.created, "daypack": fitted.version,
            "kinds": {
                kind.value: {"cases": one.cases, "default": one.default, "held_out": one.held_out, "gain": one.gain}
                for kind, one in fitted.evidence.items()
            },
        },
    }  # fmt: skip
    return json.dumps(content | {"sha256": _hash(content)})


def from_json(text: str, store: str) -> Fitted:
    """Read the output of `to_json`. Errors call the store `store`. Raises FittedWeightsDamaged."""
    try:
        value = json.loads(text)
        version = value["daypack_fitted_weights"]
        if version != SCHEMA:
            raise FittedWeightsDamaged(store, f"are of version {version!r}, this program reads {SCHEMA}")
        if _hash({name: part for name, part in value.items() if name != "sha256"}) != value["sha256"]:
            raise FittedWeightsDamaged(store, "do not match their hash")
        evidence = value["evidence"]
        return Fitted(
            weights={
                ChunkKind(kind): _factors(ChunkKind(kind), factors)
                for kind, factors in value["weights"].items()
            },
            embedder=str(value["embedder"]),
            suite=str(evidence["suite"]),
            suite_digest=str(evidence["suite_digest"]),
            vectors=VectorMode(evidence["vectors"]),
            folds=int(evidence["folds"]),
            created=float(evidence["created"]),
            version=str(evidence["daypack"]),
            evidence={
                ChunkKind(kind): Evidence(
                    int(one["cases"]),
                    _interval(one["default"]),
                    _interval(one["held_out"]),
                    _interval(one["gain"]),
                )
                for kind, one in evidence["kinds"].items()
            },
        )
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise FittedWeightsDamaged(store, f"cannot be read ({type(error).__name__})") from None


def _hash(content: Mapping[str, Any]) -> str:
    import hashlib  # loads OpenSSL, which a store without fitted weights does not need

    return hashlib.sha256(json.dumps(content, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _factors(kind: ChunkKind, factors: Mapping[str, Any]) -> dict[str, float]:
    found = {name: float(factor) for name, factor in factors.items()}
    if not set(found) <= set(WEIGHTS[kind]) or not all(
        math.isfinite(factor) and 0 <= factor <= MOST for factor in found.values()
    ):
        raise ValueError(kind)
    return found


def _interval(values: list[float]) -> Interval:
    mean, low, high = map(float, values)
    return mean, low, high
