"""Manifests: the line that says which version the project has, or needs of another program.

question   minimum pandas version?
manifest   dependencies = ["pandas>=2.2"]
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

import numpy as np

from daypack.rank.texts import packages
from daypack.rank.texts.pool import Texts
from daypack.text.name_sets import name_set
from daypack.types import Requirement

if TYPE_CHECKING:
    from numpy.typing import NDArray

MANIFESTS = packages.MANIFESTS | name_set(
    "gradle.properties DESCRIPTION Project.toml version.py _version.py __version__.py __about__.py VERSION version.rb .python-version"
    " .nvmrc .ruby-version"
)


def stating(requirement: Requirement, near: Mapping[int, float], texts: Texts) -> NDArray[np.float32]:
    """float32 (n,): for chunks of manifests with the line that the question asks for, the value of their manifest in `near`,
    by place in the pool.
    """
    values = np.zeros(len(texts.code), dtype=np.float32)
    places = np.asarray(sorted(near), dtype=np.int64)
    if not len(places):
        return values
    for place, text in zip(places.tolist(), texts.at(places), strict=True):
        if any(re.search(line, text) for line in requirement.lines):
            values[place] = near[place]
    return values
