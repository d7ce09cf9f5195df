"""Manifests and files of versions: the line that says which version the project has, or needs of another program.

question   minimum pandas version?
manifest   dependencies = ["pandas>=2.2"]
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from daypack.rank.texts import packages
from daypack.rank.texts.pool import Texts
from daypack.text.name_sets import name_set
from daypack.types import Requirement
from daypack.types.arrays import Floats

_LESS_SURE = 0.9  # a line that a later expression finds; it decides between chunks of one file. guess
_PRIVATE = re.compile(r"\"private\":\s*true")
_OF_WORKSPACE = 0.25  # the version of a package that is not published, as the root of a workspace is. guess
# A version further inside, or one of many, is that of something that the project needs. guesses
_OF_SEVERAL, _INSIDE = -0.25, 0.97  # power of their number, factor for each character of the margin
STATING = (
    packages.MANIFESTS
    | name_set(
        "lerna.json gradle.properties CMakeLists.txt DESCRIPTION Project.toml .python-version .nvmrc .ruby-version"
    ),
    name_set("VERSION version.go version.py version.rb _version.py __version__.py __about__.py"),
    name_set("__init__.py"),
)
"""Groups of names of files that may state a version. The highest file of each group counts most."""


def stating(requirement: Requirement, near: Mapping[int, float], texts: Texts) -> Floats:
    """float32 (n,): for chunks of manifests with the line that the question asks for, the value of their manifest in `near`,
    by place in the pool.
    """
    values = np.zeros(len(texts.code), dtype=np.float32)
    places = np.asarray(sorted(near), dtype=np.int64)
    if not len(places):
        return values
    for place, text in zip(places.tolist(), texts.at(places), strict=True):
        found = ([match[0] for match in re.finditer(line, text)] for line in requirement.lines)
        sure, said = next(((_LESS_SURE**row, said) for row, said in enumerate(found) if said), (0.0, [""]))
        values[place] = near[place] * sure * (1.0 if requirement.of else _of_project(said, text))
    return values


def _of_project(said: Sequence[str], text: str) -> float:
    """The value, up to 1, of the versions in a text as that of the project; `said` are the beginnings of their lines."""
    margin = min(len(line) - len(line.lstrip()) for line in said)
    of_workspace = _OF_WORKSPACE if _PRIVATE.search(text) else 1.0
    return float(len(said) ** _OF_SEVERAL * _INSIDE**margin * of_workspace)
