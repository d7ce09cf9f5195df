"""Uses: the chunks that use a name, for a question that asks for them rather than for its definition.

    who calls total?            each use counts as much as a definition does for a question that names it
    CartError: no such item     the class was raised in one place: each of n uses counts 1 / sqrt(n), as definitions do

The definition and its members are held back then, because they repeat the name and the default message of an exception.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from daypack.rank.blend import Features
from daypack.rank.membership import is_in
from daypack.types.arrays import Ints

USE = 1.0  # value of the signal `symbol` for a use. guess
USED_PRIOR = 0.5  # of the definition. guess


class Uses(NamedTuple):
    """The positions of chunks that use a name, and of its definition with its members."""

    using: Sequence[int]
    defining: Sequence[int]
    all_meant: bool


def with_uses(features: Features, positions: Ints, named: Sequence[Uses]) -> Features:
    """The features of the chunks at `positions`, in which the uses that a query asks for count as definitions."""
    symbol, prior = features.symbol, features.prior
    for uses in named:
        boost = np.float32(USE if uses.all_meant else USE * max(1, len(uses.using)) ** -0.5)
        defined = is_in(positions, uses.defining)
        symbol = np.where(is_in(positions, uses.using), boost, np.where(defined, np.float32(0), symbol))
        prior = np.where(defined, prior * np.float32(USED_PRIOR), prior)
    return features._replace(symbol=symbol, prior=prior)
