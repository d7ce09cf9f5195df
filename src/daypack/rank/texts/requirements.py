"""Manifests and files of versions: the line that says which version the project has, or needs of another program.

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

_LESS_SURE = 0.9  # a line that a later expression finds; it decides between chunks of one file. guess
STATING = (
    packages.MANIFESTS
    | name_set(
        "gradle.properties CMakeLists.txt DESCRIPTION Project.toml .python-version .nvmrc .ruby-version"
    ),
    name_set("VERSION version.go version.py version.rb _version.py __version__.py __about__.py"),
    name_set("__init__.py"),
)
"""Groups of names of files that may state a version. The highest file of each group counts most."""


def stating(requirement: Requirement, near: Mapping[int, float], texts: Texts) -> NDArray[np.float32]:
    """float32 (n,): for chunks of manifests with the line that the question asks for, the value of their manifest in `near`,
    by place in the pool.
    """
    values = np.zeros(len(texts.code), dtype=np.float32)
    places = np.asarray(sorted(near), dtype=np.int64)
    if not len(places):
        return values
    for place, text in zip(places.tolist(), texts.at(places), strict=True):
        sure = (_LESS_SURE**row for row, line in enumerate(requirement.lines) if re.search(line, text))
        values[place] = near[place] * next(sure, 0.0)
    return values
