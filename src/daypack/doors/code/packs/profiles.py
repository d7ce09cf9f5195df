"""Profiles of the code door: the vectors that rank a pack, and paths that count more, less or not at all.

    fast       words alone
    quality    words and meaning; the default

A user writes further profiles as TOML files: NAME.toml in the folder `profiles` of the store, or a path that ends in .toml.

    extends = "quality"
    vectors = "auto"           # auto, all or none
    reject = ["vendor/**"]     # never shown
    [boost]                    # factors on scores: above 1 for preferred paths, below 1 for others
    "src/core/**" = 1.3
    "legacy/**" = 0.5
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from daypack.errors import ConfigError
from daypack.filters import All, AnyOf, Filter, Glob, Not, OneOf
from daypack.filters.sql import glob_regex
from daypack.ports import FILES
from daypack.settings.former import todays
from daypack.system import path_named
from daypack.text.checks import likely_or_all
from daypack.types import RecordKind, VectorMode

LARGEST_FACTOR = 10.0
DEEPEST = 8


class BadProfile(ConfigError, code="bad_profile"):
    def __init__(self, profile: str, problem: str) -> None:
        super().__init__(f"profile {profile}: {problem}")


@dataclass(frozen=True)
class CodeProfile:
    """The settings of packs of code. `boost` pairs globs with factors; the factors of all matching globs are multiplied."""

    name: str
    vectors: VectorMode = VectorMode.AUTO
    reject: tuple[str, ...] = ()
    boost: tuple[tuple[str, float], ...] = ()

    @cached_property
    def _rejected(self) -> tuple[re.Pattern[str], ...]:
        return tuple(_pattern(glob) for glob in self.reject)

    @cached_property
    def _boosted(self) -> tuple[tuple[re.Pattern[str], float], ...]:
        return tuple((_pattern(glob), factor) for glob, factor in self.boost)

    def rejects_path(self, uri: str) -> bool:
        return any(pattern.search(uri) for pattern in self._rejected)

    def factor(self, uri: str) -> float:
        """The factor for the scores of a file: the product of the factors of its globs."""
        product = 1.0
        for pattern, factor in self._boosted:
            if pattern.search(uri):
                product *= factor
        return product

    def condition(
        self, glob_of: Callable[[str], str], path: str, include: Sequence[str], exclude: Sequence[str]
    ) -> Filter:
        """The filter for code and its documentation in the requested paths."""
        parts: list[Filter] = [
            OneOf("door", (FILES,)),
            AnyOf((OneOf("kind", (RecordKind.CODE.value,)), OneOf("language", ("markdown", "rst")))),
        ]
        below = (globs for globs in ([path] if path else (), include) if globs)
        parts += [AnyOf(tuple([Glob(glob_of(glob)) for glob in globs])) for globs in below]
        parts += [Not(Glob(glob)) for glob in (*map(glob_of, exclude), *self.reject)]
        return All(tuple(parts))


BUILT_IN = {"fast": CodeProfile("fast", VectorMode.NONE), "quality": CodeProfile("quality")}
_KEYS = ("extends", "vectors", "reject", "boost")


def load_profile(name: str, store: Path) -> CodeProfile:
    """The profile of a name (a built-in one, or one in the store's folder `profiles`) or of a path to a TOML file. Raises
    BadProfile.
    """
    return _load(name, store, ())


def _load(name: str, store: Path, above: tuple[str, ...]) -> CodeProfile:
    if name in above:
        raise BadProfile(name, f"extends itself ({' → '.join([*above, name])})")
    if len(above) >= DEEPEST:
        raise BadProfile(above[0], f"extends more than {DEEPEST} profiles")
    if name in BUILT_IN:
        return BUILT_IN[name]
    folder = store / "profiles"
    path = path_named(name) if name.endswith(".toml") else folder / f"{name}.toml"
    if not name.endswith(".toml") and (not re.fullmatch(r"[\w.-]{1,80}", name) or not path.is_file()):
        there = [*BUILT_IN, *(sorted(file.stem for file in folder.glob("*.toml")) if folder.is_dir() else ())]
        raise BadProfile(repr(name), f"no profile has that name; {likely_or_all(name, there, 'there are')}")
    try:
        with path.open("rb") as stream:
            table = tomllib.load(stream)
    except (OSError, UnicodeDecodeError) as error:
        raise BadProfile(
            name,
            f"{path} cannot be read ({getattr(error, 'strerror', None) or 'it is not UTF-8'}); check the path",
        ) from error
    except tomllib.TOMLDecodeError as error:
        raise BadProfile(name, f"{path} is not TOML ({error}); mend it, or use quality") from error
    for key in table:
        if key not in _KEYS:
            raise BadProfile(name, f"unknown setting {key!r}; {likely_or_all(key, _KEYS, 'settings are')}")
    base = _load(_text(name, "extends", table.get("extends", "quality")), store, (*above, name))
    return replace(
        base,
        name=path.stem,
        vectors=_vectors(name, table["vectors"]) if "vectors" in table else base.vectors,
        reject=(*base.reject, *_globs(name, table.get("reject", []))),
        boost=(*base.boost, *_factors(name, table.get("boost", {}))),
    )


def _text(name: str, key: str, value: Any) -> str:
    if not isinstance(value, str):
        raise BadProfile(name, f"{key} must be a text, not {value!r}")
    return value


def _vectors(name: str, value: Any) -> VectorMode:
    choices = [mode.value for mode in VectorMode]
    if todays("vectors", value) not in choices:
        raise BadProfile(
            name, f"vectors {value!r} is not a valid value; {likely_or_all(str(value), choices)}"
        )
    return VectorMode(value)


def _globs(name: str, value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(glob, str) and glob for glob in value):
        raise BadProfile(name, 'reject must be a list of globs, as ["vendor/**"]')
    return value


def _factors(name: str, value: Any) -> list[tuple[str, float]]:
    if not isinstance(value, dict):
        raise BadProfile(name, 'boost must be a table of globs and factors, as "src/**" = 1.3')
    for glob, factor in value.items():
        if (
            isinstance(factor, bool)
            or not isinstance(factor, int | float)
            or not 0 < factor <= LARGEST_FACTOR
        ):
            raise BadProfile(
                name,
                f"the factor {factor!r} of {glob!r} is not a number above 0 and up to {LARGEST_FACTOR:g}; to leave files out, use reject",
            )
    return [(glob, float(factor)) for glob, factor in value.items()]


def _pattern(glob: str) -> re.Pattern[str]:
    return re.compile(glob_regex(glob), re.DOTALL)
